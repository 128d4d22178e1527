import type { StreamState } from '../../delivery/event-store.ts'
import type { Hold } from '../../delivery/hold/hold-store.ts'
import type { ChangeBehavior } from '../../directory/behaviors.ts'
import type { DirectoryScope } from '../../directory/directory.ts'
import type { DirectoryType } from '../../directory/provider.ts'
import type { SeverityRange } from './severity.ts'

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

/** The hold of a directory: see `delivery/hold/hold-store.ts`. */
export type StoredHold = Pick<Hold, 'since' | 'reason' | 'removals' | 'firstSequence'>

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
  readonly hold: StoredHold | undefined
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

/** A directory whose health must be decided again. */
export interface DueCheck {
  readonly directoryId: string
  /** The number of checks before; undefined when the directory was deleted. */
  readonly checks: number | undefined
  /** The marks that the check answers. */
  readonly marks: readonly unknown[]
}

export interface DueChecksInput {
  readonly now: number
  /** See `overdueUntil`. */
  readonly overdueUntil: number
  /** Events from this time or before have been waiting for too long. */
  readonly waitingUntil: number
  /** Of directories with undelivered events, those after this id are examined. */
  readonly workAfter: string
  readonly limit: number
}

export interface DueChecks {
  readonly due: readonly DueCheck[]
  /** Whether more are due. */
  readonly hasMore: boolean
  /** The id to continue after in the next call; empty at the end. */
  readonly workAfter: string
}

/** The health of a directory, as a check decided it. */
export interface CheckedHealth extends DueCheck {
  /** See `severity.ts`; undefined when the directory was deleted. */
  readonly severity: number | undefined
  readonly isHeld: boolean
  readonly isOverdue: boolean
  readonly isBehind: boolean
  /** When time alone may change it, in Unix milliseconds. */
  readonly checkAt: number | undefined
}

/** The storage of decided health: see `checks.ts`. */
export interface HealthCheckStore {
  /**
   * Directories whose health must be decided again: those that a commit has marked, those whose time has come, those with
   * overdue deprovisionings that are not known, and a part of those with undelivered events. Up to `limit` of each.
   */
  dueChecks(input: DueChecksInput): Promise<DueChecks>
  /** The number of marks, up to `limit`. */
  countHealthMarks(limit: number): Promise<number>
  /** Stores the results of checks whose directory no other check has changed since it was due, and removes their marks. */
  saveChecks(checked: readonly CheckedHealth[]): Promise<void>
}

/** The directories of one severity, with the same other facts. */
export interface HealthCount {
  readonly severity: number
  readonly isHeld: boolean
  readonly isDeactivated: boolean
  readonly directories: number
}

/** The conditions on directories in a list; each is optional. */
export interface HealthFilter extends DirectoryScope {
  readonly severities?: SeverityRange | undefined
  readonly severityOneOf?: readonly [number, number] | undefined
  readonly type?: DirectoryType | undefined
  readonly isHeld?: boolean | undefined
  readonly isOverdue?: boolean | undefined
  readonly isDeactivated?: boolean | undefined
  /** The beginning of the name or tenant, in any case of the letters A to Z, or an id. */
  readonly search?: string | undefined
}

/** `worst` first, by `name`, by the last event (`changed`, newest first), or in the order of creation. */
export const healthOrders = ['created', 'worst', 'name', 'changed'] as const
export type HealthOrder = (typeof healthOrders)[number]

/** The position of a directory in a list: the value that it is ordered by, and its id. */
export interface HealthPosition {
  readonly value: number | string
  readonly id: string
}

export interface HealthListPart {
  readonly order: HealthOrder
  readonly after?: HealthPosition | undefined
  readonly offset?: number | undefined
  readonly limit: number
}

/** The storage of lists and counts over the health of many directories. */
export interface HealthListStore {
  /** The numbers of directories of a scope. */
  countHealth(scope: DirectoryScope): Promise<HealthCount[]>
  listHealth(filter: HealthFilter, part: HealthListPart): Promise<HealthPosition[]>
  /** The number of overdue deprovisionings in the directories of a scope; counts up to `limit`. */
  countOverdue(scope: DirectoryScope, until: number, limit: number): Promise<number>
}
