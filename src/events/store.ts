import type { StoredEvent } from '../directory/event.ts'

/** Who takes a directory's events: its endpoint over HTTP, or the `onEvent` of the embedding process. */
export type DeliveryTarget = 'endpoint' | 'on-event'

/** What delivery asks of a store. */
export interface EventStore {
  /** The events behind a sequence number, in order: at most `limit`, and fewer when their data passes about 1 MB. */
  eventsAfter(directoryId: string, sequence: number, limit: number): Promise<StoredEvent[]>
  /** The sequence number up to which the target has taken the directory's events; 0 before the first. */
  deliveredSequence(directoryId: string, target: DeliveryTarget): Promise<number>
  /** Notes that the target has taken the events up to that one. Never goes back. */
  recordDelivered(directoryId: string, target: DeliveryTarget, sequence: number): Promise<void>
  /**
   * The active directories that have events which the target has not taken, by id and behind `after`; for `endpoint`
   * only those that have one.
   */
  directoriesBehind(target: DeliveryTarget, after: string, limit: number): Promise<string[]>
  /** How many events the target has not taken yet, over all active directories that `directoriesBehind` names. */
  countUndelivered(target: DeliveryTarget): Promise<number>
}
