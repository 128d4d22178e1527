/** A user who lost access, while the consumer has not received the event that reports it. Times are Unix milliseconds. */
export interface OpenDeprovisioning {
  readonly userId: string
  /** The userName. */
  readonly subject: string
  /** When the identity provider's request arrived. */
  readonly receivedAt: number
  /** Of the event. */
  readonly sequence: number
}

/** An open deprovisioning that has become overdue. */
export interface OverdueDeprovisioning extends OpenDeprovisioning {
  readonly directoryId: string
}

/** How many deprovisionings took about this long. */
export interface DurationCount {
  readonly ms: number
  readonly count: number
}

/** What the measurement of deprovisionings requires of a store. */
export interface DeprovisioningStore {
  /** The first open deprovisionings of a directory, in the order of their events. */
  openDeprovisionings(directoryId: string, limit: number): Promise<OpenDeprovisioning[]>
  /** How long those took that ended since a time, accurate to a day and to a few percent; the shortest first. */
  deprovisionTimes(directoryId: string, since: number): Promise<DurationCount[]>
  /** How many open ones of all directories arrived at a time or before; counts up to `limit`. */
  countOpenDeprovisionings(until: number, limit: number): Promise<number>
  /** Open ones of all directories that arrived at a time or before, the oldest first; each is returned once. */
  takeOverdue(until: number, limit: number): Promise<OverdueDeprovisioning[]>
  /** Removes at most `limit` open ones that arrived before a time, and counts of that time. Returns how many. */
  pruneDeprovisionings(before: number, limit: number): Promise<number>
}
