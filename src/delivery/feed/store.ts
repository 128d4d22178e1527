import type { DirectoryScope } from '../../directory/directory.ts'
import type { StoredEvent } from '../../directory/event.ts'
import type { EventDirectory } from '../payload.ts'

export interface FeedDirectory extends EventDirectory {
  /** The sequence of its last committed event; 0 before the first. */
  readonly lastSequence: number
}

/** What the feed requires of a store. */
export interface FeedStore {
  /** The first `limit` directories of a scope in creation order, including deactivated ones. */
  feedDirectories(scope: DirectoryScope, limit: number): Promise<FeedDirectory[]>
  /**
   * The stored events after a sequence, in order: at most `limit`, and no more once their texts reach about `maxBytes`, but
   * at least one if there is any.
   */
  feedEvents(directoryId: string, after: number, limit: number, maxBytes: number): Promise<StoredEvent[]>
}
