import type { StreamState } from '../../delivery/event-store.ts'
import type { Hold } from '../../delivery/hold/hold-store.ts'
import type { ChangeBehavior } from '../../directory/behaviors.ts'

/** When something was observed first and last. All times here are Unix milliseconds. */
export interface Observed {
  readonly firstAt: number
  readonly lastAt: number
}

/** What was observed of the requests to a directory since the last write. */
export interface DirectoryActivity {
  readonly directoryId: string
  /** The last request with the right secret; undefined: there was none. */
  readonly lastRequestAt: number | undefined
  readonly lastSuccessAt: number | undefined
  /** Requests that only read. */
  readonly tested: Observed | undefined
  /** Requests with a wrong or missing secret; undefined: there was none. */
  readonly failed: FailedRequests | undefined
  /** How many failed requests were followed by one with the right secret. */
  readonly failedBefore?: number
  /** When a reader of the feed was noticed. */
  readonly feedReadAt: number | undefined
}

export interface FailedRequests {
  readonly count: number
  readonly lastAt: number
  readonly lastAddress: string | undefined
  /** Those after the last request with the right secret; all of them if there was none. */
  readonly sinceSuccess: number
  /** How many of those had a secret. */
  readonly withSecret: number
  /** The first of those; undefined without any. */
  readonly since: number | undefined
}

/** Failed requests that were followed by one with the right secret, each within a day of the one before. */
export interface FailedBeside {
  readonly count: number
  /** When the last of those had the right secret. */
  readonly at: number
}

/** The hold of a directory: see `delivery/hold/hold-store.ts`. */
export type StoredHold = Pick<Hold, 'since' | 'reason' | 'removals' | 'firstSequence'>

/** What is stored about the health of a directory. */
export interface StoredHealth {
  /** Of the last event. */
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
  /** Events that the endpoint refused too often: how many, up to `maxCounted`, and when the first of them died. */
  readonly deadEvents: number
  readonly deadSince: number | undefined
  readonly hold: StoredHold | undefined
  /** When the next event to deliver was committed. */
  readonly oldestUndeliveredAt: number | undefined
  /** Deprovisionings that arrived at the time of the question or before, up to `maxCounted`, and the arrival of the oldest. */
  readonly overdue: number
  readonly overdueSince: number | undefined
}

/** How long the right secret after failed requests shows that further ones have a second sender, in milliseconds. */
export const besideMs = 86_400_000

/** The most rows that are counted for one directory. */
export const maxCounted = 1_000

/** What the health of directories requires of a store. */
export interface HealthStore {
  /** Adds what was observed to what is stored; at most a few hundred directories at a time, ordered by id. */
  recordActivity(activities: readonly DirectoryActivity[]): Promise<void>
  /** What is stored about directories, by id; at most a few hundred at a time. */
  storedHealth(ids: readonly string[], overdueUntil: number): Promise<Map<string, StoredHealth>>
}
