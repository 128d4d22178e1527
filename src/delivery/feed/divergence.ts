import { DirectoryError } from '../../directory/errors.ts'
import type { FeedPosition, FeedPositions } from './cursor.ts'
import { advance, eventTag, isSameEvent, unknownEvent } from './cursor.ts'
import type { FeedDirectory, FeedStore } from './feed-store.ts'

/** A directory and its tag in cursors. */
export interface TaggedDirectory extends FeedDirectory {
  readonly tag: string
}

/**
 * The events of directories are not those that the reader has passed, because the database was restored, or lost its
 * last commits in a failover.
 */
export class CursorDiverged extends DirectoryError {
  readonly directoryIds: readonly string[]
  /** The cursor that continues with the resyncs of these directories. */
  readonly next: string

  constructor(directoryIds: readonly string[], next: string) {
    const [first, ...others] = directoryIds
    const which =
      others.length === 0 ? `directory ${first}` : `${directoryIds.length} directories (diverged.directory_ids)`
    super(
      'cursor-diverged',
      `after: the events of ${which} are not those that this cursor has passed, because the database was restored or lost its last changes in a failover. Request a resync of each (POST /:id/resync), then read on with the cursor diverged.next.`,
    )
    this.directoryIds = directoryIds
    this.next = next
  }
}

/** The last readable event of a directory. */
export function lastPosition({ lastSequence, lastEventId }: FeedDirectory): FeedPosition {
  return { sequence: lastSequence, eventTag: eventTag(lastEventId) }
}

/** Returns whether a position is after the last event of its directory, or names another last event. */
export function isBeyond(position: FeedPosition | undefined, directory: FeedDirectory): boolean {
  if (position === undefined || position.sequence < directory.lastSequence) return false
  return !isSameEvent(position, lastPosition(directory))
}

/**
 * Returns whether the event of a position is still the one at its sequence. An event that retention has removed cannot be
 * compared; one that replaced another after a failover or a restore is younger than that, and kept.
 */
export async function isStillThere(
  store: Pick<FeedStore, 'eventIdAt'>,
  directoryId: string,
  position: FeedPosition | undefined,
): Promise<boolean> {
  if (position === undefined || position.eventTag === unknownEvent) return true
  const { sequence } = position
  const id = await store.eventIdAt(directoryId, sequence)
  return isSameEvent(position, { sequence, eventTag: eventTag(id) })
}

/**
 * The positions with which a reader goes on after a divergence: in each of the directories before the `sync.started` of
 * the resync that is running, or else of the one that it requests next.
 */
export async function positionsBeforeResync(
  store: Pick<FeedStore, 'runningResyncStart'>,
  positions: FeedPositions,
  directories: readonly TaggedDirectory[],
): Promise<FeedPositions> {
  let all = positions
  for (const directory of directories) {
    const start = await store.runningResyncStart(directory.id)
    const last = lastPosition(directory)
    const isRunning = start !== undefined && start <= last.sequence
    all = advance(all, directory.tag, isRunning ? { sequence: start - 1, eventTag: unknownEvent } : last)
  }
  return all
}
