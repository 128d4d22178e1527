import type { DirectoryScope } from '../../directory/directory.ts'
import type { EventType, StoredEvent } from '../../directory/event.ts'
import type { EventDirectory } from '../payload.ts'

export interface FeedDirectory extends EventDirectory {
  /** The sequence of its last readable event; 0 before the first. */
  readonly lastSequence: number
  /** The id of its last readable event; undefined before the first, and when the event is no longer stored. */
  readonly lastEventId: string | undefined
  /** Whether the directory is deleted, and only its last events are left. */
  readonly isDeleted: boolean
  /** Time at which the hold of its events began, in Unix milliseconds; undefined without a hold. */
  readonly heldSince?: number | undefined
  /** Undefined for a directory with an endpoint, whose deprovisionings are measured there. */
  readonly reader: FeedReader | undefined
}

/** The state of the readers of a directory without an endpoint. */
export interface FeedReader {
  /** Time at which its feed was last read, accurate to an hour, in Unix milliseconds; undefined: never. */
  readonly readAt: number | undefined
  /** The sequence of the first event that reports a deprovisioning and that no reader has acknowledged. */
  readonly firstDeprovisioning: number | undefined
}

/** A directory whose further events are held. */
export interface HeldDirectory {
  readonly directoryId: string
  /** Unix milliseconds. */
  readonly since: number
}

/** The storage of the feed of a directory, or of a tenant's directories for a product. */
export interface FeedStore {
  /** The first `limit` directories of a scope in creation order, including deactivated ones; then deleted ones with events. */
  feedDirectories(scope: DirectoryScope, limit: number): Promise<FeedDirectory[]>
  /**
   * The stored events after a sequence, without held ones, in order: at most `limit`, and no more once their texts
   * reach about `maxBytes`, but at least one if any exists.
   */
  feedEvents(directoryId: string, after: number, limit: number, maxBytes: number): Promise<StoredEvent[]>
  /**
   * The stored events before a sequence, held ones included, newest first, all or those of a type: at most `limit`, fewer
   * when their data exceeds about 1 MB, but at least one if any exists.
   */
  eventsBefore(directoryId: string, before: number, limit: number, type?: EventType): Promise<StoredEvent[]>
  /**
   * The events about a user or group, those of its memberships included, newest first, before a sequence: at most `limit`,
   * fewer when their data exceeds about 1 MB, but at least one if any exists.
   */
  eventsOfResource(
    directoryId: string,
    resourceId: string,
    before: number,
    limit: number,
  ): Promise<readonly StoredEvent[]>
  /** The id of the event of a directory at a sequence; undefined when it is no longer stored. */
  eventIdAt(directoryId: string, sequence: number): Promise<string | undefined>
  /** The sequence of the `sync.started` of the resync that is running; undefined when none is. */
  runningResyncStart(directoryId: string): Promise<number | undefined>
  /**
   * Ends the deprovisionings that events up to a sequence report, a few hundred at a time. Returns the duration of each
   * until `at`, in milliseconds.
   */
  endDeprovisionings(directoryId: string, last: number, at: number): Promise<number[]>
}
