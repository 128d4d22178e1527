import type { StreamState } from '../../delivery/event-store.ts'
import type { Hold } from '../../delivery/hold/hold-store.ts'
import type { ChangeBehavior } from '../../directory/behaviors.ts'

/** The times of the first and the last observation. All times here are Unix milliseconds. */
export interface Observed {
  readonly firstAt: number
  readonly lastAt: number
}

/** The observed requests to a directory since the last write. */
export interface DirectoryActivity {
  readonly directoryId: string
  /** Time of the last request with the right secret; undefined: there was none. */
  readonly lastRequestAt: number | undefined
  readonly lastSuccessAt: number | undefined
  /** Requests that only read. */
  readonly tested: Observed | undefined
  /** Requests with a wrong or missing secret; undefined: there was none. */
  readonly failed: FailedRequests | undefined
  /** The number of failed requests that were followed by one with the right secret. */
  readonly failedBefore?: number
  /** Time at which a reader of the feed was noticed. */
  readonly feedReadAt: number | undefined
}

export interface FailedRequests {
  readonly count: number
  readonly lastAt: number
  readonly lastAddress: string | undefined
  /** What was wrong with the last one, if it was more than a wrong or missing secret. */
  readonly problem?: string | undefined
  /** The number of failures since the last request with the right secret; of all failures if there was none. */
  readonly sinceSuccess: number
  /** The number of those with a secret. */
  readonly withSecret: number
  /** Time of the first of those; undefined without any. */
  readonly since: number | undefined
}

/** Failed requests that were followed by one with the right secret, each within a day of the one before. */
export interface FailedBeside {
  readonly count: number
  /** Time of the last request with the right secret among them. */
  readonly at: number
}

/** A hold of a directory: see `delivery/hold/hold-store.ts`. */
export type StoredHold = Pick<Hold, 'since' | 'reason' | 'role' | 'removals' | 'firstSequence'>

/** The stored facts about the health of a directory. */
export interface StoredHealth {
  /** The sequence of the last event. */
  readonly lastSequence: number
  readonly lastChangeAt: number | undefined
  readonly behaviors: Readonly<Record<ChangeBehavior, Observed | undefined>>
  readonly lastRequestAt: number | undefined
  readonly lastSuccessAt: number | undefined
  readonly tested: Observed | undefined
  readonly failed: FailedRequests | undefined
  readonly failedBeside?: FailedBeside | undefined
  readonly feedReadAt: number | undefined
  /** The stream to the endpoint. */
  readonly stream: StreamState
  /**
   * Number of events that the endpoint refused too often, up to `maxCounted`, and the time when the first of them
   * became dead.
   */
  readonly deadEvents: number
  readonly deadSince: number | undefined
  /** By their first events. */
  readonly holds: readonly StoredHold[]
  /** Commit time of the next event to deliver. */
  readonly oldestUndeliveredAt: number | undefined
  /** Number of overdue deprovisionings, up to `maxCounted`, and the arrival of the oldest. */
  readonly overdue: number
  readonly overdueSince: number | undefined
}

/**
 * Time for which a success after failed requests shows that further failures come from another sender, in milliseconds.
 */
export const besideMs = 86_400_000

/** The maximum number of rows that are counted for one directory. */
export const maxCounted = 1_000

/** The storage that the health of directories uses. */
export interface HealthStore {
  /** Adds observations to the stored ones; at most a few hundred directories at a time, ordered by id. */
  recordActivity(activities: readonly DirectoryActivity[]): Promise<void>
  /** The stored facts about directories, by id; at most a few hundred at a time. */
  storedHealth(ids: readonly string[], overdueUntil: number): Promise<Map<string, StoredHealth>>
}
