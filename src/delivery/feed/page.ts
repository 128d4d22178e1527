import type { DirectoryScope } from '../../directory/directory.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { StoredEvent } from '../../directory/event.ts'
import type { EventDirectory } from '../payload.ts'
import type { FeedPositions } from './cursor.ts'
import { directoryTag } from './cursor.ts'
import type { FeedDirectory, FeedStore } from './store.ts'

/** A cursor holds a place in each directory of its scope; so many keep it below 4 kB. */
export const maxFeedDirectories = 300

/** An event of the feed with its directory, and what stands for that in cursors. */
export interface FeedEvent {
  readonly event: StoredEvent
  readonly directory: EventDirectory
  readonly tag: string
}

export interface FeedPage {
  readonly events: readonly FeedEvent[]
  /** The positions before its events, without the directories that are gone. */
  readonly start: FeedPositions
  /** The positions after its events. */
  readonly end: FeedPositions
}

/** How much a page holds at most: events, and bytes of their texts, about. */
export interface PageBounds {
  readonly limit: number
  readonly maxBytes: number
}

interface TaggedDirectory extends FeedDirectory {
  readonly tag: string
}

/**
 * Reads the events that come next. A directory's sequence numbers have no gaps and are in the order of the commits: what
 * is behind a place comes later, so that no event is passed over.
 *
 * @throws DirectoryError `directory-not-found`; `invalid-input` for a scope of too many directories, and for positions
 *   behind the last event
 */
export async function readFeedPage(
  store: FeedStore,
  scope: DirectoryScope,
  from: FeedPositions,
  { limit, maxBytes }: PageBounds,
): Promise<FeedPage> {
  const directories = inTurn(await directoriesOf(store, scope), from)
  const start = new Map(directories.flatMap(({ tag }) => entryOf(tag, from)))
  const end = new Map(start)
  const events: FeedEvent[] = []
  let bytes = 0
  for (const directory of directories) {
    if (events.length >= limit || bytes >= maxBytes) break
    const { id, tag, lastSequence } = directory
    const after = start.get(tag) ?? 0
    if (after > lastSequence) throw aheadOfDirectory()
    if (after === lastSequence) continue
    const found = await store.feedEvents(id, after, limit - events.length, maxBytes - bytes)
    events.push(...found.map((event) => ({ event, directory, tag })))
    for (const event of found) bytes += bytesOf(event)
    end.delete(tag)
    // Where nothing is found, all that was counted is no longer kept.
    end.set(tag, found.at(-1)?.sequence ?? lastSequence)
  }
  return { events, start, end }
}

async function directoriesOf(store: FeedStore, scope: DirectoryScope): Promise<TaggedDirectory[]> {
  const found = await store.feedDirectories(scope, maxFeedDirectories + 1)
  if (found.length > maxFeedDirectories) {
    const message = `This scope has more than ${maxFeedDirectories} directories: read the feed of each by its directoryId.`
    throw new DirectoryError('invalid-input', message)
  }
  if (found.length === 0 && scope.directoryId !== undefined) {
    throw new DirectoryError('directory-not-found', 'There is no such directory.')
  }
  return found.map((directory) => ({ ...directory, tag: directoryTag(directory.id) }))
}

/** First the directories that were never read, then the others as they waited. */
function inTurn(directories: readonly TaggedDirectory[], positions: FeedPositions): TaggedDirectory[] {
  const byTag = new Map(directories.map((directory) => [directory.tag, directory]))
  const known = [...positions.keys()].flatMap((tag) => byTag.get(tag) ?? [])
  return [...directories.filter(({ tag }) => !positions.has(tag)), ...known]
}

function entryOf(tag: string, positions: FeedPositions): [string, number][] {
  const sequence = positions.get(tag)
  return sequence === undefined ? [] : [[tag, sequence]]
}

function bytesOf({ data, changes }: StoredEvent): number {
  return data.length + (changes?.length ?? 0)
}

function aheadOfDirectory(): DirectoryError {
  const message =
    'after: it is ahead of the events that are stored, as after a restored backup: compare what you have with the directory, then start without it.'
  return new DirectoryError('invalid-input', message, [{ field: 'after', message }])
}
