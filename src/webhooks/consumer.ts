import { RollcallError } from '../client/error.ts'
import type { ConsumerStore, Position, ResourceKey } from './consumer-store.ts'
import type { EventOf, RollcallEvent } from './event.ts'
import { mentionOf } from './mentions.ts'

/** The context of a handler's event. */
export interface HandlerContext<Transaction> {
  /** The transaction of the store. Changes that you make in it are committed together with the position. */
  readonly transaction: Transaction
  /** The resync that is in progress. */
  readonly syncId: string | undefined
}

/** The handlers by event type; events of other types are ignored. */
export type EventHandlers<Transaction> = {
  readonly [Type in RollcallEvent['event']]?: (
    event: EventOf<Type>,
    context: HandlerContext<Transaction>,
  ) => Promise<void> | void
}

export interface ConsumerOptions<Transaction> {
  readonly store: ConsumerStore<Transaction>
  readonly handlers: EventHandlers<Transaction>
  /** Called at the end of a resync for every resource that it has not reported, if the store has `marks`. */
  readonly onDrop?: (
    resource: ResourceKey,
    context: HandlerContext<Transaction> & { readonly directoryId: string },
  ) => Promise<void> | void
  /**
   * Reads the events after a sequence, to fill a gap: `(directoryId, after) => client.events({ directoryId, after,
   * follow: false })`.
   */
  readonly catchUp?: ((directoryId: string, after: number) => AsyncIterable<RollcallEvent>) | undefined
}

/** Earlier events are missing. Respond with 503, so that the event is sent again, and catch up from the feed. */
export class SequenceGapError extends RollcallError {
  override readonly name = 'SequenceGapError'
  readonly directoryId: string
  /** The expected sequence. */
  readonly expected: number
  readonly received: number

  constructor({ directory_id, sequence }: RollcallEvent, expected: number) {
    const message = `The events ${expected} to ${sequence - 1} of directory ${directory_id} are missing.`
    super(message, { code: 'sequence-gap', status: 503 })
    this.directoryId = directory_id
    this.expected = expected
    this.received = sequence
  }
}

/** The result for an event. */
export type Outcome = 'processed' | 'duplicate'

/** Processes each event once and in order, whether it comes from an endpoint, the feed, or both. */
export interface Consumer {
  /**
   * Processes an event, or several in their order.
   *
   * @throws SequenceGapError when events are missing and cannot be read; and the errors of handlers, after which the
   * event can be sent again
   */
  receive(events: RollcallEvent | readonly RollcallEvent[]): Promise<Outcome[]>
  /** The sequence of the last processed event of a directory; undefined before the first. */
  position(directoryId: string): Promise<number | undefined>
}

export function createConsumer<Transaction = void>(options: ConsumerOptions<Transaction>): Consumer {
  const { store } = options
  const inOrder = oneAtATime()
  return {
    async receive(events) {
      const outcomes: Outcome[] = []
      for (const event of [events].flat()) {
        outcomes.push(await inOrder(event.directory_id, () => receiveOne(options, event)))
      }
      return outcomes
    },
    async position(directoryId) {
      return (await store.transaction((transaction) => store.readPosition(directoryId, transaction)))?.sequence
    },
  }
}

async function receiveOne<T>(options: ConsumerOptions<T>, event: RollcallEvent): Promise<Outcome> {
  const outcome = await processNext(options, event)
  if (typeof outcome === 'string') return outcome
  if (options.catchUp === undefined) throw outcome
  for await (const missed of options.catchUp(event.directory_id, outcome.expected - 1)) {
    const result = await processNext(options, missed)
    if (typeof result !== 'string') throw result
    if (missed.sequence >= event.sequence) break
  }
  const result = await processNext(options, event)
  if (typeof result === 'string') return result
  throw result
}

/** Processes an event if it is the next one. */
function processNext<T>(options: ConsumerOptions<T>, event: RollcallEvent): Promise<Outcome | SequenceGapError> {
  const { store } = options
  const { directory_id: directoryId, sequence } = event
  return store.transaction(async (transaction) => {
    if (event.event === 'endpoint.test') {
      await callHandler(options, event, { transaction, syncId: undefined })
      return 'processed'
    }
    const position = await store.readPosition(directoryId, transaction)
    if (position !== undefined && sequence <= position.sequence) return 'duplicate'
    if (isGap(event, position)) return new SequenceGapError(event, (position?.sequence ?? 0) + 1)
    await processEvent(options, event, position, transaction)
    return 'processed'
  })
}

/** Whether events are missing. The first event can have any sequence, and a resync replaces everything before it. */
function isGap(event: RollcallEvent, position: Position | undefined): boolean {
  return position !== undefined && event.event !== 'sync.started' && event.sequence !== position.sequence + 1
}

async function processEvent<T>(
  options: ConsumerOptions<T>,
  event: RollcallEvent,
  position: Position | undefined,
  transaction: T,
): Promise<void> {
  const { store, onDrop } = options
  const { directory_id: directoryId, sequence } = event
  const syncId = event.event === 'sync.started' ? event.data.sync_id : position?.syncId
  const context = { transaction, syncId }
  const mention = mentionOf(event)
  if (mention !== undefined && store.marks !== undefined) {
    if (mention.isRemoved) await store.marks.remove(directoryId, mention.resource, transaction)
    else await store.marks.set(directoryId, mention.resource, syncId, transaction)
  }
  await callHandler(options, event, context)
  const isEnd = event.event === 'sync.completed' && event.data.sync_id === syncId
  if (isEnd && syncId !== undefined && store.marks !== undefined) {
    for (const resource of await store.marks.unmarked(directoryId, syncId, transaction)) {
      await onDrop?.(resource, { ...context, directoryId })
      await store.marks.remove(directoryId, resource, transaction)
    }
  }
  const isOpen = syncId !== undefined && !isEnd
  await store.writePosition(directoryId, isOpen ? { sequence, syncId } : { sequence }, transaction)
}

async function callHandler<T>(
  { handlers }: ConsumerOptions<T>,
  event: RollcallEvent,
  context: HandlerContext<T>,
): Promise<void> {
  // The types of an event and its handler belong together, which TypeScript cannot infer from a lookup by name.
  const handler = handlers[event.event] as
    | ((event: RollcallEvent, context: HandlerContext<T>) => Promise<void> | void)
    | undefined
  await handler?.(event, context)
}

/** Runs the work of each key in the order of the calls. */
function oneAtATime() {
  const last = new Map<string, Promise<unknown>>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const current = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, current)
    try {
      return await current
    } finally {
      if (last.get(key) === current) last.delete(key)
    }
  }
}
