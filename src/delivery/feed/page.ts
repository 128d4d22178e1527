import type { DirectoryScope } from '../../directory/directory.ts'
import type { DirectoryReads } from '../../directory/directory-store.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { StoredEvent } from '../../directory/event.ts'
import type { EventDirectory } from '../payload.ts'
import type { OnFeedRead } from './acknowledge.ts'
import type { FeedCursors, FeedPlace, FeedPosition, FeedPositions, ProductPlace } from './cursor.ts'
import { directoryTag, eventTag, unknownEvent } from './cursor.ts'
import type { TaggedDirectory } from './divergence.ts'
import { CursorDiverged, isBeyond, isStillThere, lastPosition, positionsBeforeResync } from './divergence.ts'
import type { FeedDirectory, FeedStore, HeldDirectory } from './feed-store.ts'
import type { ProductFeedStore } from './product-store.ts'

/** A cursor holds a position in each directory of its scope; this limit keeps it below 6 kB. */
export const maxFeedDirectories = 300

/** An event of the feed with its directory, and the directory's tag in cursors or the place after the event in its product. */
export interface FeedEvent {
  readonly event: StoredEvent
  readonly directory: EventDirectory
  readonly at: { readonly tag: string } | ProductPlace
}

export interface FeedPage {
  readonly events: readonly FeedEvent[]
  /** The place before its events, without deleted directories. */
  readonly start: FeedPlace
  /** The place after its events. */
  readonly end: FeedPlace
  /** The directory of the scope whose events have been held longest; undefined when none is held. */
  readonly held: HeldDirectory | undefined
}

/** A held directory as the API shows it. */
export function heldView({ directoryId, since }: HeldDirectory) {
  return { directory_id: directoryId, since: new Date(since).toISOString() }
}

/** The maximum size of a page. */
export interface PageBounds {
  /** In events. */
  readonly limit: number
  /** The approximate size of the events' texts. */
  readonly maxBytes: number
}

/** The storage that the pages of the feed are read from. */
export type FeedPageStore = FeedStore & ProductFeedStore & Pick<DirectoryReads, 'listDirectoriesInScope'>

export interface FeedPageParts {
  readonly store: FeedPageStore
  readonly cursors: FeedCursors
  /** Called for each directory that is read, with the position before its events. */
  readonly onRead?: OnFeedRead | undefined
}

/**
 * Reads the next events. A directory's sequence has no gaps and follows the order of the commits, so that reading on
 * after a position never misses an event, as long as the position names the event that the reader has.
 *
 * @throws DirectoryError `directory-not-found`; `invalid-input` for a scope with too many directories;
 * `cursor-diverged` for positions that name other events than those that are stored
 */
export async function readFeedPage(
  { store, cursors, onRead }: FeedPageParts,
  scope: DirectoryScope,
  from: FeedPositions,
  { limit, maxBytes }: PageBounds,
): Promise<FeedPage> {
  const directories = inReadingOrder(await directoriesOf(store, scope), from)
  const start = new Map(directories.flatMap(({ tag }) => entryOf(tag, from)))
  const end = new Map(start)
  const events: FeedEvent[] = []
  let bytes = 0
  const beyond = directories.filter((directory) => isBeyond(start.get(directory.tag), directory))
  if (beyond.length > 0) throw await divergence(beyond)
  for (const directory of directories) {
    if (events.length >= limit || bytes >= maxBytes) break
    const { tag } = directory
    const position = start.get(tag)
    const bounds = { limit: limit - events.length, maxBytes: maxBytes - bytes }
    const read = await readDirectory(store, directory, position, bounds)
    if (read === undefined) throw await divergence([directory])
    onRead?.(directory, position?.sequence ?? 0)
    events.push(...read.found.map((event) => ({ event, directory, at: { tag } })))
    for (const event of read.found) bytes += bytesOf(event)
    if (read.next?.sequence !== position?.sequence) end.delete(tag)
    if (read.next !== undefined) end.set(tag, read.next)
  }
  return { events, start, end, held: longestHeld(directories) }

  async function divergence(diverged: readonly TaggedDirectory[]): Promise<CursorDiverged> {
    const directoryIds = diverged.map(({ id }) => id)
    return new CursorDiverged(directoryIds, cursors.write(scope, await positionsBeforeResync(store, start, diverged)))
  }
}

interface DirectoryPage {
  readonly found: readonly StoredEvent[]
  /** The position after the events; undefined before the first. */
  readonly next: FeedPosition | undefined
}

/** Reads the events of a directory after a position; undefined when the event of the position was replaced. */
async function readDirectory(
  store: FeedStore,
  directory: FeedDirectory,
  position: FeedPosition | undefined,
  { limit, maxBytes }: PageBounds,
): Promise<DirectoryPage | undefined> {
  const { id, lastSequence } = directory
  const after = position?.sequence ?? 0
  if (after === lastSequence) {
    // A position without the tag of its event gets it here.
    return { found: [], next: position?.eventTag === unknownEvent ? lastPosition(directory) : position }
  }
  const found = await store.feedEvents(id, after, limit, maxBytes)
  // Compared after the events were read, so that they do not belong to another history than the position.
  if (!(await isStillThere(store, id, position))) return undefined
  const last = found.at(-1)
  // Nothing found: the events up to the last one are no longer stored.
  return { found, next: last === undefined ? lastPosition(directory) : positionOf(last) }
}

/** The position after an event. */
export function positionOf({ id, sequence }: StoredEvent): FeedPosition {
  return { sequence, eventTag: eventTag(id) }
}

function longestHeld(directories: readonly FeedDirectory[]): HeldDirectory | undefined {
  const held = directories.flatMap(({ id, heldSince: since }) =>
    since === undefined ? [] : [{ directoryId: id, since }],
  )
  return held.sort((a, b) => a.since - b.since)[0]
}

async function directoriesOf(store: FeedStore, scope: DirectoryScope): Promise<TaggedDirectory[]> {
  const found = await store.feedDirectories(scope, maxFeedDirectories + 1)
  if (found.length > maxFeedDirectories) {
    const message = `This scope has more than ${maxFeedDirectories} directories, recently deleted ones included: read the feed of the product, or of each directory by its directoryId.`
    throw new DirectoryError('invalid-input', message)
  }
  if (found.length === 0 && scope.directoryId !== undefined) {
    throw new DirectoryError('directory-not-found', 'There is no such directory.')
  }
  return found.map((directory) => ({ ...directory, tag: directoryTag(directory.id) }))
}

/** The directories that were never read, then the others, least recently read first. */
function inReadingOrder(directories: readonly TaggedDirectory[], positions: FeedPositions): TaggedDirectory[] {
  const byTag = new Map(directories.map((directory) => [directory.tag, directory]))
  const known = [...positions.keys()].flatMap((tag) => byTag.get(tag) ?? [])
  return [...directories.filter(({ tag }) => !positions.has(tag)), ...known]
}

function entryOf(tag: string, positions: FeedPositions): [string, FeedPosition][] {
  const position = positions.get(tag)
  return position === undefined ? [] : [[tag, position]]
}

function bytesOf({ data, changes }: StoredEvent): number {
  return data.length + (changes?.length ?? 0)
}
