/**
 * A user who lost access, as long as the consumer has not received the event that reports it. Times are Unix
 * milliseconds.
 */
export interface OpenDeprovisioning {
  readonly userId: string
  /** The userName. */
  readonly subject: string
  /** Arrival of the identity provider's request. */
  readonly receivedAt: number
  /** The sequence of the event. */
  readonly sequence: number
}

/** An open deprovisioning that has become overdue. */
export interface OverdueDeprovisioning extends OpenDeprovisioning {
  readonly directoryId: string
}

/** The number of deprovisionings that took about this long. */
export interface DurationCount {
  readonly ms: number
  readonly count: number
}

/** The storage that the measurement of deprovisionings uses. */
export interface DeprovisioningStore {
  /** The first open deprovisionings of a directory, in the order of their events. */
  openDeprovisionings(directoryId: string, limit: number): Promise<OpenDeprovisioning[]>
  /**
   * The durations of the deprovisionings that ended since a time, accurate to a day and to a few percent, in ascending
   * order.
   */
  deprovisionTimes(directoryId: string, since: number): Promise<DurationCount[]>
  /** The number of open deprovisionings, in all directories, that arrived at a time or before; counts up to `limit`. */
  countOpenDeprovisionings(until: number, limit: number): Promise<number>
  /**
   * Takes open deprovisionings, in all directories, that arrived at a time or before, oldest first; each is returned
   * once.
   */
  takeOverdue(until: number, limit: number): Promise<OverdueDeprovisioning[]>
  /**
   * Removes at most `limit` open deprovisionings that arrived before a time, and durations of that time. Returns the
   * number.
   */
  pruneDeprovisionings(before: number, limit: number): Promise<number>
}
