import { DirectoryError } from '../../directory/errors.ts'
import type { StoredEvent } from '../../directory/event.ts'
import { eventTypes } from '../../directory/event.ts'
import { TokenPagingInput } from '../../directory/inputs.ts'
import type { Static } from '../../inputs/json-schema.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { Listing } from '../../reads/page.ts'
import { isBetween, pageTokens } from '../../reads/page.ts'
import { parseQuery } from '../../reads/paging.ts'
import { isObject } from '../../scim/json.ts'
import { fromJsonText } from '../../scim/json-text.ts'
import { eventPayload } from '../payload.ts'
import type { FeedCursors } from './cursor.ts'
import { directoryTag } from './cursor.ts'
import { lastPosition } from './divergence.ts'
import type { FeedDirectory, FeedStore } from './feed-store.ts'
import { FeedInput } from './input.ts'
import { heldView } from './page.ts'

const eventsPerPage = 1_000
const eventsPerRead = 100
const maxPageBytes = 1_000_000
/** The maximum number of events of a user or group that a page of one type examines. */
const maxExamined = 1_000

const filters = {
  event: Type.Optional(Type.Enum(eventTypes, { description: `event: a type, one of ${eventTypes.join(', ')}.` })),
  resource: Type.Optional(
    Type.String({
      ...{ pattern: '^[\\w-]{1,100}$', examples: ['01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001'] },
      description: 'resource: the id of a user or group that events are about, memberships included.',
    }),
  ),
}

/** `GET /:id/events` */
export const StoredEventsInput = Type.Object({ ...TokenPagingInput.properties, ...filters })

/** `GET /:id/events` as a stream. */
export const WatchInput = Type.Object({ after: FeedInput.properties.after, ...filters })

/** The events to show: those of a type, those about a user or group, or both. */
export type EventFilter = Pick<Static<typeof WatchInput>, 'event' | 'resource'>

/** Returns whether a filter has an event. */
export function isShown({ event: type, resource }: EventFilter, event: StoredEvent): boolean {
  if (type !== undefined && type !== event.eventType) return false
  return resource === undefined || isAbout(event, resource)
}

/** Returns whether an event is about a user or group, or about a membership of it. The data begins with the id. */
function isAbout({ data }: StoredEvent, id: string): boolean {
  if (data.startsWith(`{"id":"${id}"`)) return true
  if (!data.includes(`"group":{"id":"${id}"`)) return false
  const { group } = fromJsonText(data)
  return isObject(group) && group['id'] === id
}

const eventTokens = pageTokens<{ readonly sequence: number }>({ sequence: isBetween(1, Number.MAX_SAFE_INTEGER) })

/** Events of a directory as JSON texts, newest first. */
export interface StoredEvents extends Listing {
  /** The cursor after the newest event. */
  readonly next: string
  /** Set while further events are held; they are not listed. */
  readonly held: ReturnType<typeof heldView> | undefined
}

export interface StoredEventsParts {
  readonly store: Pick<FeedStore, 'feedDirectories' | 'eventsBefore' | 'eventsOfResource'>
  readonly cursors: FeedCursors
}

/**
 * The stored events of one directory, for people who look. Nothing records that they were read: unlike the feed, this
 * does not mean that the consumer has them.
 */
export function createStoredEvents({ store, cursors }: StoredEventsParts) {
  return {
    /**
     * The events without held ones, newest first: a page, or all of them. A page of one type and one user or group may
     * have fewer events than its limit, or none, and still a token.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`
     */
    async list(directoryId: string, query: unknown): Promise<StoredEvents> {
      const { pageLimit, pageToken, ...filter } = parseQuery(StoredEventsInput, query)
      const directory = await directoryOf(store, directoryId)
      const { lastSequence, heldSince: since } = directory
      const next = cursors.write({ directoryId }, new Map([[directoryTag(directoryId), lastPosition(directory)]]))
      const held = since === undefined ? undefined : heldView({ directoryId, since })
      const newest = lastSequence + 1
      if (pageLimit === undefined && pageToken === undefined) {
        return { rows: allTexts(store, directory, filter, newest), next, held }
      }
      const start = Math.min(newest, eventTokens.read(pageToken)?.sequence ?? newest)
      const page = await readPage(store, directoryId, filter, start, pageLimit ?? eventsPerPage)
      const rows = page.events.map((event) => eventPayload(event, directory))
      return {
        rows,
        pageToken: page.next === undefined ? undefined : eventTokens.write({ sequence: page.next }),
        next,
        held,
      }
    },
    /**
     * One event as JSON text, also while it is held.
     *
     * @throws DirectoryError `directory-not-found`, `resource-not-found`
     */
    async get(directoryId: string, sequence: number): Promise<string> {
      const directory = await directoryOf(store, directoryId)
      // Whatever the path has in place of a number is the sequence of no event.
      const [event] = Number.isSafeInteger(sequence) ? await store.eventsBefore(directoryId, sequence + 1, 1) : []
      if (event?.sequence === sequence) return eventPayload(event, directory)
      throw new DirectoryError('resource-not-found', 'There is no event with this sequence, or it is no longer stored.')
    },
  }
}

/** @throws DirectoryError `directory-not-found` */
export async function directoryOf(
  store: Pick<FeedStore, 'feedDirectories'>,
  directoryId: string,
): Promise<FeedDirectory> {
  const [directory] = await store.feedDirectories({ directoryId }, 1)
  if (directory?.isDeleted === false) return directory
  throw new DirectoryError('directory-not-found', 'There is no such directory.')
}

interface EventsFound {
  readonly events: readonly StoredEvent[]
  /** The sequence before which to continue; undefined at the end. */
  readonly next: number | undefined
}

type Reads = Pick<FeedStore, 'eventsBefore' | 'eventsOfResource'>

/** Reads matching events until the page is full, or many were examined that do not match. */
async function readPage(
  store: Reads,
  directoryId: string,
  filter: EventFilter,
  start: number,
  limit: number,
): Promise<EventsFound> {
  const { event: type, resource } = filter
  const read = (before: number, count: number) =>
    resource === undefined
      ? store.eventsBefore(directoryId, before, count, type)
      : store.eventsOfResource(directoryId, resource, before, count)
  const events: StoredEvent[] = []
  let [before, examined, bytes] = [start, 0, 0]
  while (events.length < limit && examined < maxExamined && bytes < maxPageBytes) {
    const isSparse = type !== undefined && resource !== undefined
    const found = await read(before, isSparse ? eventsPerRead : limit - events.length)
    if (found.length === 0) return { events, next: undefined }
    for (const event of found) {
      if (events.length === limit) break
      before = event.sequence
      examined += 1
      bytes += event.data.length
      if (isShown(filter, event)) events.push(event)
    }
  }
  return { events, next: (await read(before, 1)).length === 0 ? undefined : before }
}

async function* allTexts(store: Reads, directory: FeedDirectory, filter: EventFilter, newest: number) {
  for (let before: number | undefined = newest; before !== undefined; ) {
    const { events, next }: EventsFound = await readPage(store, directory.id, filter, before, eventsPerRead)
    yield events.map((event) => eventPayload(event, directory))
    before = next
  }
}
