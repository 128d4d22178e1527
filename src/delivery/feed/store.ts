import type { DirectoryScope } from '../../directory/directory.ts'
import type { StoredEvent } from '../../directory/event.ts'
import type { EventDirectory } from '../payload.ts'

/** A directory of the feed, and how far its events go. */
export interface FeedDirectory extends EventDirectory {
  /** The sequence number of its last event, 0 before the first. What it counts is committed. */
  readonly lastSequence: number
}

/** What the feed asks of a store. */
export interface FeedStore {
  /** The first `limit` directories of a scope, in creation order; one that is deactivated is among them. */
  feedDirectories(scope: DirectoryScope, limit: number): Promise<FeedDirectory[]>
  /**
   * The events that are kept behind a sequence number, in order: at most `limit`, and none more once their texts have
   * reached about `maxBytes`; one at least, when there is any.
   */
  feedEvents(directoryId: string, after: number, limit: number, maxBytes: number): Promise<StoredEvent[]>
}
