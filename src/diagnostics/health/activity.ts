import type { Schedule } from '../../concurrency/schedule.ts'
import type { DeliveryLogger } from '../../delivery/observer.ts'
import type { DirectoryActivity, FailedRequests, HealthStore, Observed } from './health-store.ts'

/** Time that observations stay in memory, in milliseconds. */
const writeDelayMs = 1_000
/** The maximum number of directories with unwritten observations; those of further directories are dropped. */
const maxDirectories = 10_000
/** Limits each write, so that none blocks others for long. */
const directoriesPerWrite = 200

/** The result of a request with the right secret. */
export interface RequestOutcome {
  readonly isSuccess: boolean
  /** Whether the request only read. */
  readonly isRead: boolean
}

/** A request without the right secret. */
export interface RejectedRequest {
  readonly address: string | undefined
  /** Whether it had a secret, but a wrong one. */
  readonly hasSecret: boolean
  /** What was wrong, if it was more than a wrong or missing secret. */
  readonly problem?: string | undefined
}

export interface ActivityParts {
  readonly store: Pick<HealthStore, 'recordActivity'>
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  readonly log: DeliveryLogger
  /** Called with the directories of rejected requests after the write. */
  readonly onRejected?: ((directoryIds: readonly string[]) => void) | undefined
}

/**
 * Observes the requests to directories without delaying them: observations are collected in memory, one entry per
 * directory, and written about once a second. A flood of requests costs no more writes than one request.
 */
export interface Activity {
  /** Reports that a request with the right secret was answered. */
  requested(directoryId: string, outcome: RequestOutcome): void
  /** Reports that a request to an existing directory had no secret or a wrong one. */
  rejected(directoryId: string, request: RejectedRequest): void
  /** Reports that the feed of the directory is read. */
  feedRead(directoryId: string): void
  /** Writes the observations. Never rejects: a failure is logged, and the write repeated with the next one. */
  flush(): Promise<void>
  close(): Promise<void>
}

type Entry = { -readonly [K in keyof DirectoryActivity]: DirectoryActivity[K] }

export function createActivity({ store, clock, schedule, log, onRejected }: ActivityParts): Activity {
  let entries = new Map<string, Entry>()
  let cancelTimer: (() => void) | undefined
  let writing = Promise.resolve()
  let isClosed = false

  function entryOf(directoryId: string): Entry | undefined {
    const found = entries.get(directoryId)
    if (found !== undefined || isClosed || entries.size >= maxDirectories) return found
    const entry = emptyEntry(directoryId)
    entries.set(directoryId, entry)
    cancelTimer ??= schedule(flush, writeDelayMs)
    return entry
  }

  function flush(): Promise<void> {
    cancelTimer?.()
    cancelTimer = undefined
    writing = writing.then(writeAll)
    return writing
  }

  async function writeAll(): Promise<void> {
    const unwritten = [...entries.values()].sort((a, b) => (a.directoryId < b.directoryId ? -1 : 1))
    entries = new Map()
    for (let start = 0; start < unwritten.length; start += directoriesPerWrite) {
      try {
        const part = unwritten.slice(start, start + directoriesPerWrite)
        await store.recordActivity(part)
        const rejected = part.filter(({ failed }) => failed !== undefined)
        if (rejected.length > 0) onRejected?.(rejected.map(({ directoryId }) => directoryId))
      } catch (error) {
        log.error({ err: error }, 'what was observed of the requests to directories could not be written')
        return putBack(unwritten.slice(start))
      }
    }
  }

  function putBack(older: readonly Entry[]): void {
    for (const before of older) {
      const entry = entryOf(before.directoryId)
      if (entry !== undefined) Object.assign(entry, joined(before, entry))
    }
  }

  return {
    requested(directoryId, outcome) {
      const entry = entryOf(directoryId)
      if (entry !== undefined) noteRequest(entry, clock(), outcome)
    },
    rejected(directoryId, attempt) {
      const entry = entryOf(directoryId)
      if (entry !== undefined) noteRejection(entry, clock(), attempt)
    },
    feedRead(directoryId) {
      const entry = entryOf(directoryId)
      if (entry !== undefined) entry.feedReadAt = clock()
    },
    flush,
    close() {
      const closed = flush()
      isClosed = true
      return closed
    },
  }
}

function noteRequest(entry: Entry, at: number, { isSuccess, isRead }: Parameters<Activity['requested']>[1]): void {
  entry.lastRequestAt = at
  if (isSuccess) entry.lastSuccessAt = at
  if (isSuccess && isRead) entry.tested = { firstAt: entry.tested?.firstAt ?? at, lastAt: at }
  entry.failedBefore = (entry.failedBefore ?? 0) + (entry.failed?.sinceSuccess ?? 0)
  if (entry.failed !== undefined) entry.failed = { ...entry.failed, sinceSuccess: 0, withSecret: 0, since: undefined }
}

function noteRejection(entry: Entry, at: number, { address, hasSecret, problem }: RejectedRequest): void {
  const { count = 0, sinceSuccess = 0, withSecret = 0, since = at } = entry.failed ?? {}
  entry.failed = {
    ...{ count: count + 1, lastAt: at, lastAddress: address, problem, since },
    ...{ sinceSuccess: sinceSuccess + 1, withSecret: withSecret + Number(hasSecret) },
  }
}

function emptyEntry(directoryId: string): Entry {
  return {
    directoryId,
    lastRequestAt: undefined,
    lastSuccessAt: undefined,
    tested: undefined,
    failed: undefined,
    feedReadAt: undefined,
  }
}

/** The union of earlier and later observations. */
function joined(before: DirectoryActivity, after: DirectoryActivity): DirectoryActivity {
  return {
    directoryId: after.directoryId,
    lastRequestAt: after.lastRequestAt ?? before.lastRequestAt,
    lastSuccessAt: after.lastSuccessAt ?? before.lastSuccessAt,
    tested: joinedObserved(before.tested, after.tested),
    failedBefore: joinedBefore(before, after),
    failed: joinedFailed(before.failed, after.failed, after.lastRequestAt !== undefined),
    feedReadAt: after.feedReadAt ?? before.feedReadAt,
  }
}

function joinedObserved(before: Observed | undefined, after: Observed | undefined): Observed | undefined {
  if (before === undefined || after === undefined) return after ?? before
  return { firstAt: before.firstAt, lastAt: after.lastAt }
}

/** The earlier failures precede a request with the right secret if there is one later. */
function joinedBefore(before: DirectoryActivity, after: DirectoryActivity): number {
  const followed = after.lastRequestAt === undefined ? 0 : (before.failed?.sinceSuccess ?? 0)
  return (before.failedBefore ?? 0) + (after.failedBefore ?? 0) + followed
}

/** @param isOver whether a request with the right secret came after the earlier failures */
function joinedFailed(
  before: FailedRequests | undefined,
  after: FailedRequests | undefined,
  isOver: boolean,
): FailedRequests | undefined {
  if (before === undefined) return after
  const nothing = { ...before, count: 0, sinceSuccess: 0, withSecret: 0, since: undefined }
  const { count, lastAt, lastAddress, problem, sinceSuccess, withSecret, since } = after ?? nothing
  return {
    ...{ count: before.count + count, lastAt, lastAddress, problem },
    sinceSuccess: sinceSuccess + (isOver ? 0 : before.sinceSuccess),
    withSecret: withSecret + (isOver ? 0 : before.withSecret),
    since: isOver ? since : (before.since ?? since),
  }
}
