import { severitiesWith } from './severity.ts'

/** The severity of a new directory until its first check: nobody has connected to it. */
export const [, severityOfNew] = severitiesWith('never-connected')

/** A directory whose health must be decided again. */
export interface DueCheck {
  readonly directoryId: string
  /** Grows whenever a check becomes due, and with each check. */
  readonly checks: number
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
  /** See `severity.ts`. */
  readonly severity: number
  readonly isHeld: boolean
  readonly isOverdue: boolean
  readonly isBehind: boolean
  /** When time alone may change it, in Unix milliseconds. */
  readonly checkAt: number | undefined
}

/** The storage of decided health: see `checks.ts`. */
export interface HealthCheckStore {
  /**
   * Directories whose health must be decided again: those whose check is due, because of a commit or by time, those with
   * overdue deprovisionings that are not known, and a part of those with undelivered events. Up to `limit` of each.
   */
  dueChecks(input: DueChecksInput): Promise<DueChecks>
  /** Stores the results of checks, but for directories of which another check was stored or became due in the meantime. */
  saveChecks(checked: readonly CheckedHealth[]): Promise<void>
}
