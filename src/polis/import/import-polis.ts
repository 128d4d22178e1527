import { directoryTarget } from '../../directory/audit.ts'
import type { ImportContext } from './context.ts'
import type { DecisionKind } from './decisions.ts'
import { createDecisions } from './decisions.ts'
import type { DirectoryResult } from './import-directory.ts'
import { importDirectory, newResult } from './import-directory.ts'
import { importEvents, importedOutcomes } from './import-events.ts'
import { importLinks } from './import-links.ts'
import type { Difference } from './pass.ts'
import { deleteRemovedDirectories } from './removed-directories.ts'
import type { ImportReport } from './report.ts'
import { createReport } from './report.ts'
import { createSeenRecords, leftOutText, readable } from './seen.ts'
import type { PolisFilter, PolisProblem } from './source.ts'

/** The progress of an import. */
export interface ImportProgress {
  readonly directories: number
  readonly directoriesTotal: number
  readonly users: number
  readonly groups: number
  readonly members: number
}

export interface ImportPolisOptions extends Omit<ImportContext, 'decide' | 'differ' | 'onProgress'> {
  /** Starts a resync of each directory that is imported. */
  readonly withResync?: boolean | undefined
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined
}

/** The differences that are listed; all are counted. */
const maxListed = 10_000

/**
 * Imports what Polis holds, lists what would be done, or compares both sides. It may be interrupted at any point and run
 * again: each run compares everything, and writes what differs.
 */
export async function importPolis(options: ImportPolisOptions): Promise<ImportReport> {
  const startedAt = options.clock()
  const decisions = createDecisions()
  const results = new Map<string, DirectoryResult>()
  const differences = { count: 0, listed: [] as Difference[] }
  const directoriesTotal = await countDirectories(options)
  let [directories, shownAt] = [0, Number.NEGATIVE_INFINITY]
  const showProgress = () => {
    if (directories < directoriesTotal && performance.now() - shownAt < progressMs) return
    shownAt = performance.now()
    options.onProgress?.({ directories, directoriesTotal, ...totals(results.values()) })
  }
  const context: ImportContext = {
    ...options,
    decide: decisions.decide,
    differ(difference) {
      differences.count += 1
      if (options.mode === 'verify' && differences.listed.length < maxListed) differences.listed.push(difference)
    },
    onProgress: showProgress,
  }
  // It reads everything once more, which the time between two systems is too short for.
  if (options.mode !== 'apply') await decideProblems(context)
  const seen = createSeenRecords()
  const creationTimes = createTimes(options.clock)
  const list = readable(options.source.directories(options.filter, seen.addUnreadable), (reason) => {
    seen.isWhole = false
    decisions.decide({ kind: 'list-incomplete', text: `${reason} No directory is deleted.` })
  })
  await eachConcurrently(list, async (polis) => {
    options.signal?.throwIfAborted()
    if (!seen.add(polis.id)) return
    const onResult = (result: DirectoryResult) => results.set(polis.id, result)
    await importDirectory(context, polis, { onResult, createdAt: creationTimes() })
    directories += 1
    showProgress()
  })
  if (seen.unreadable > 0) decisions.decide({ kind: 'unreadable', text: leftOutText(seen.unreadable, 'directory') })
  for (const directory of await deleteRemovedDirectories(context, seen)) {
    const { directoryType: type, ...removed } = directory
    results.set(directory.id, { ...newResult({ ...removed, type }), outcome: 'deleted' })
  }
  await importEvents(context, results)
  const links = await importLinks(context)
  if (options.mode === 'apply' && options.withResync === true) await beginResyncs(context, results)
  const { mode, origin, clock } = options
  return createReport({ mode, origin, startedAt, finishedAt: clock(), results, links, decisions, differences })
}

/** The time between two reports of the progress. */
const progressMs = 100

/** The directories that are imported at a time: most of the time is spent waiting for the two databases. */
const directoriesAtOnce = 4

/** Calls work for each item, a few at a time. After an error no further item is begun. */
async function eachConcurrently<T>(items: AsyncIterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const iterator = items[Symbol.asyncIterator]()
  let hasFailed = false
  async function workOff(): Promise<void> {
    try {
      for (let next = await iterator.next(); next.done !== true && !hasFailed; next = await iterator.next()) {
        await work(next.value)
      }
    } catch (error) {
      hasFailed = true
      throw error
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: directoriesAtOnce }, workOff))
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** Times by a clock, each later than the one before: directories are listed in the order of their creation. */
function createTimes(clock: () => number): () => number {
  let last = 0
  return () => {
    last = Math.max(last + 1, clock())
    return last
  }
}

async function countDirectories({
  source,
  filter,
}: {
  readonly source: ImportContext['source']
  readonly filter: PolisFilter
}) {
  let count = 0
  for await (const _ of readable(source.directories(filter), () => {})) count += 1
  return count
}

function totals(results: Iterable<DirectoryResult>): Pick<ImportProgress, 'users' | 'groups' | 'members'> {
  const sum = { users: 0, groups: 0, members: 0 }
  for (const result of results) {
    for (const kind of ['users', 'groups', 'members'] as const) {
      const { created, updated, deleted, unchanged } = result[kind]
      sum[kind] += created + updated + deleted + unchanged
    }
  }
  return sum
}

const problemKinds = {
  unreadable: 'unreadable',
  'without-directory': 'without-directory',
  'stale-index': 'stale-index',
} as const satisfies Record<PolisProblem['kind'], DecisionKind>

const whatIsDone = {
  unreadable: 'it is left out, and stays here if it was imported before',
  'without-directory': 'it is left out',
  'stale-index': 'the record itself is imported, and the index is ignored',
} as const satisfies Record<PolisProblem['kind'], string>

async function decideProblems({ source, filter, decide }: ImportContext): Promise<void> {
  for await (const problem of source.problems(filter)) {
    const { kind, record, key, tenant, product, id, reason } = problem
    const sentence = reason.trimEnd().replace(/\.$/, '')
    const text = `The ${record} ${id ?? key}: ${sentence}; ${whatIsDone[kind]}.`
    decide({ kind: problemKinds[kind], tenant, product, id: id ?? key, text })
  }
}

/** Starts the resyncs, which the service makes. They are events of the directories: an import does not change those again. */
async function beginResyncs(context: ImportContext, results: ReadonlyMap<string, DirectoryResult>): Promise<void> {
  const { store, newId, clock, audited, caller } = context
  for (const { id, tenant, product, outcome } of results.values()) {
    if (!importedOutcomes.includes(outcome)) continue
    const startedAt = clock()
    const target = directoryTarget({ id, tenant, product })
    const audit = audited({ action: 'directory.resync_started', caller, target, at: startedAt })
    await store.beginResync({ directoryId: id, syncId: newId(), requestId: 'import', startedAt }, audit)
  }
}
