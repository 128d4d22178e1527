import { DirectoryError } from '../../directory/errors.ts'
import type { StoredEvent } from '../../directory/event.ts'
import { TokenPagingInput } from '../../directory/inputs.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { Listing } from '../../reads/listing.ts'
import { readPageToken, writePageToken } from '../../reads/page-token.ts'
import { parseTokenPaging } from '../../reads/paging.ts'
import { eventPayload } from '../payload.ts'
import type { FeedCursors } from './cursor.ts'
import { directoryTag } from './cursor.ts'
import { lastPosition } from './divergence.ts'
import type { FeedDirectory, FeedStore } from './feed-store.ts'
import { FeedInput } from './input.ts'
import { heldView } from './page.ts'

const eventsPerPage = 1_000
const eventsPerRead = 100

/** `GET /:id/events` */
export const StoredEventsInput = TokenPagingInput

/** `GET /:id/events` as a stream. */
export const WatchInput = Type.Object({ after: FeedInput.properties.after })

/** Events of a directory as JSON texts, newest first. */
export interface StoredEvents extends Listing {
  /** The cursor after the newest event. */
  readonly next: string
  /** Set while further events are held; they are not listed. */
  readonly held: ReturnType<typeof heldView> | undefined
}

export interface StoredEventsParts {
  readonly store: Pick<FeedStore, 'feedDirectories' | 'eventsBefore'>
  readonly cursors: FeedCursors
}

/**
 * The stored events of one directory, for people who look. Nothing records that they were read: unlike the feed, this
 * does not mean that the consumer has them.
 */
export function createStoredEvents({ store, cursors }: StoredEventsParts) {
  return {
    /**
     * The events without held ones, newest first: a page, or all of them.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`
     */
    async list(directoryId: string, query: unknown): Promise<StoredEvents> {
      const { pageLimit, pageToken } = parseTokenPaging(query)
      const directory = await directoryOf(store, directoryId)
      const { lastSequence, heldSince: since } = directory
      const next = cursors.write({ directoryId }, new Map([[directoryTag(directoryId), lastPosition(directory)]]))
      const held = since === undefined ? undefined : heldView({ directoryId, since })
      const newest = lastSequence + 1
      if (pageLimit === undefined && pageToken === undefined) {
        return { rows: allTexts(store, directory, newest), next, held }
      }
      const start = pageToken === undefined ? newest : Math.min(newest, readPageToken(pageToken, isSequence))
      const page = await readPage(store, directoryId, start, pageLimit ?? eventsPerPage)
      const rows = page.events.map((event) => eventPayload(event, directory))
      return { rows, pageToken: page.next === undefined ? undefined : writePageToken(page.next), next, held }
    },
    /**
     * One event as JSON text, also while it is held.
     *
     * @throws DirectoryError `directory-not-found`, `resource-not-found`
     */
    async get(directoryId: string, sequence: number): Promise<string> {
      const directory = await directoryOf(store, directoryId)
      const [event] = await store.eventsBefore(directoryId, sequence + 1, 1)
      if (event?.sequence === sequence) return eventPayload(event, directory)
      throw new DirectoryError('resource-not-found', 'There is no event with this sequence, or it is no longer stored.')
    },
  }
}

async function directoryOf(store: Pick<FeedStore, 'feedDirectories'>, directoryId: string): Promise<FeedDirectory> {
  const [directory] = await store.feedDirectories({ directoryId }, 1)
  if (directory !== undefined) return directory
  throw new DirectoryError('directory-not-found', 'There is no such directory.')
}

interface EventsFound {
  readonly events: readonly StoredEvent[]
  /** The sequence before which to continue; undefined at the end. */
  readonly next: number | undefined
}

type Reads = Pick<FeedStore, 'eventsBefore'>

async function readPage(store: Reads, directoryId: string, before: number, limit: number): Promise<EventsFound> {
  const events = await store.eventsBefore(directoryId, before, limit)
  const last = events.at(-1)?.sequence
  // A page of large events is shorter than its limit although more follow.
  const isEnd = last === undefined || (await store.eventsBefore(directoryId, last, 1)).length === 0
  return { events, next: isEnd ? undefined : last }
}

async function* allTexts(store: Reads, directory: FeedDirectory, newest: number) {
  for (let before: number | undefined = newest; before !== undefined; ) {
    const { events, next }: EventsFound = await readPage(store, directory.id, before, eventsPerRead)
    yield events.map((event) => eventPayload(event, directory))
    before = next
  }
}

function isSequence(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1
}
