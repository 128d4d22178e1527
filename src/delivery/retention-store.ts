/** The oldest event of a directory that is kept. */
export interface OldestEvent {
  readonly directoryId: string
  /** Unix milliseconds; undefined when none is kept. */
  readonly createdAt: number | undefined
}

/** Which events of a directory to remove. */
export interface RemovableEvents {
  /** They are older than that, in Unix milliseconds. */
  readonly before: number
  /** They are behind that sequence number. */
  readonly after: number
  /** Whether every directory has the target `on-event`, also where that has not taken anything yet. */
  readonly hasOnEvent: boolean
}

/** What keeping events for a time asks of a store. */
export interface RetentionStore {
  /** Every directory by id, behind `after`, with its oldest event. */
  oldestEvents(after: string, limit: number): Promise<OldestEvent[]>
  /**
   * Looks at the next few hundred events of a directory and removes those that may go: every target has taken them, and
   * they are neither dead nor to be sent once more. Several processes may do so at once.
   *
   * @returns the sequence number to go on behind; undefined when there is nothing more to remove
   */
  removeEvents(directoryId: string, which: RemovableEvents): Promise<number | undefined>
}
