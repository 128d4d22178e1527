import type { ImportContext } from './context.ts'
import { typeOf } from './directory.ts'
import { directoryOf, importedEvent } from './event.ts'
import type { DirectoryResult } from './import-directory.ts'
import type { EventPosition, ImportedEvent } from './import-store.ts'
import type { PolisQueuedEvent } from './source.ts'

const eventsPerRead = 200
/** The outcomes of directories that are imported whole. */
export const importedOutcomes: readonly DirectoryResult['outcome'][] = ['created', 'updated', 'unchanged']

/** Adds the events that wait in Polis’ queue to the directories that were imported, undelivered. */
export async function importEvents(
  context: ImportContext,
  results: ReadonlyMap<string, DirectoryResult>,
): Promise<void> {
  let waiting: PolisQueuedEvent[] = []
  for await (const event of context.source.queuedEvents(context.filter)) {
    waiting.push(event)
    if (waiting.length < eventsPerRead) continue
    await addEvents(context, results, waiting)
    waiting = []
  }
  await addEvents(context, results, waiting)
}

async function addEvents(
  context: ImportContext,
  results: ReadonlyMap<string, DirectoryResult>,
  events: readonly PolisQueuedEvent[],
): Promise<void> {
  context.signal?.throwIfAborted()
  for (const [id, ofDirectory] of Map.groupBy(events, directoryOf)) {
    const result = id === undefined ? undefined : results.get(id)
    const isImported = result !== undefined && importedOutcomes.includes(result.outcome)
    if (isImported) await addToDirectory(context, result, ofDirectory)
    else if (context.mode !== 'verify') {
      const text = `${ofDirectory.length} events of the queue are dropped: their directory is not imported.`
      context.decide({ kind: 'event-refused', directoryId: id, text })
    }
  }
}

async function addToDirectory(
  context: ImportContext,
  result: DirectoryResult,
  queued: readonly PolisQueuedEvent[],
): Promise<void> {
  const { store, mode } = context
  if (mode === 'verify') return
  const state = await store.importState(result.id)
  const left = queued.filter((event) => isAfter(event, state?.lastEvent)).toSorted(byPosition)
  const events = left.flatMap((event) => convert(context, result, event) ?? [])
  result.events += events.length
  const directory = mode === 'apply' && events.length > 0 ? await store.getDirectory(result.id) : undefined
  if (directory === undefined) return
  if ((await store.addImportedEvents(directory, events)) === 'written') return
  result.outcome = 'changed-here'
  const text = 'The directory was changed here during the import: the events of the queue are not added.'
  context.decide({ kind: 'changed-here', directoryId: result.id, text })
}

function isAfter({ createdAt, id }: PolisQueuedEvent, last: EventPosition | undefined): boolean {
  if (last === undefined) return true
  return createdAt > last.createdAt || (createdAt === last.createdAt && id > last.id)
}

function byPosition(a: PolisQueuedEvent, b: PolisQueuedEvent): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)
}

function convert(
  { newId, decide }: ImportContext,
  { id: directoryId, tenant, product, type }: DirectoryResult,
  queued: PolisQueuedEvent,
): ImportedEvent | undefined {
  const event = importedEvent(queued, typeOf(type) ?? 'generic-scim-v2', newId)
  if (event === undefined) {
    const text = 'The event of the queue is dropped: it is of a type, or has data, that is unknown here.'
    decide({ kind: 'event-refused', directoryId, tenant, product, id: queued.id, text })
  }
  return event
}
