import type { StoredEvent } from '../../directory/event.ts'
import type { EventDirectory } from '../payload.ts'
import type { FeedReader, HeldDirectory } from './feed-store.ts'

/** Events of a directory that follow each other in the feed of its product. */
export interface FeedRun {
  /** The place of the run in the feed of its product: 1, 2, 3 … */
  readonly position: number
  /** Identifies the run among those that had the same position, when some were lost: 24 random bits, in hexadecimal. */
  readonly tag: string
  /** Undefined when the directory is deleted. */
  readonly directory: EventDirectory | undefined
  readonly firstSequence: number
  readonly lastSequence: number
}

/** Events to read: those of a directory from one sequence to another. */
export interface WantedRun {
  readonly directoryId: string
  readonly firstSequence: number
  readonly lastSequence: number
}

/** A directory without an endpoint, and the last of its events in a part of the feed. */
export interface ReadDirectory {
  readonly directory: EventDirectory
  readonly lastSequence: number
  readonly reader: FeedReader
}

/**
 * The storage of the order of a product's events. An event gets its place after its commit, in a run of events of its directory.
 * Runs become visible in the order of their positions: a reader that has all runs up to one has missed none before it.
 */
export interface ProductFeedStore {
  /** Gives the events that may be sent and have no place yet their places at the end. */
  orderFeed(product: string): Promise<void>
  /** The last position; 0 before the first. */
  feedHead(product: string): Promise<number>
  /** The runs from a position on, at most `limit`. Those of removed events may be missing. */
  feedRuns(product: string, from: number, limit: number): Promise<FeedRun[]>
  /**
   * The stored events of runs, each with the index of its run, in this order: at most `limit`, and no more once their texts
   * reach about `maxBytes`, but at least one if any exists.
   */
  feedEventsOfRuns(
    runs: readonly WantedRun[],
    limit: number,
    maxBytes: number,
  ): Promise<{ readonly run: number; readonly event: StoredEvent }[]>
  /** The directory whose events have been held longest; undefined when none is held. At most 1,000 holds are looked at. */
  longestHeld(product: string): Promise<HeldDirectory | undefined>
  /** The position of the first run with events of a resync that is running; undefined when none is. */
  firstRunningResync(product: string): Promise<number | undefined>
  /**
   * The directories without an endpoint that have events in the runs from a position to an event: its run's position, and its
   * sequence. At most `limit` runs are read.
   */
  feedReaders(
    product: string,
    from: number,
    to: { readonly position: number; readonly sequence: number },
    limit: number,
  ): Promise<ReadDirectory[]>
}
