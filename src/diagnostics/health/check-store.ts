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
  /** Stores the results of checks whose directory no other check has changed since it was due, and removes their marks. */
  saveChecks(checked: readonly CheckedHealth[]): Promise<void>
  /** Adds up to `limit` changes of the numbers of directories to the stored numbers; returns how many. */
  addHealthCounts(limit: number): Promise<number>
}
