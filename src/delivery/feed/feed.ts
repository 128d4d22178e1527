import type { Schedule } from '../../concurrency/schedule.ts'
import { createSignal } from '../../concurrency/signal.ts'
import type { TimeSlices } from '../../concurrency/time-slices.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { StoredEvent } from '../../directory/event.ts'
import { parseInput } from '../../directory/inputs.ts'
import type { DeliveryLogger } from '../observer.ts'
import type { OnFeedRead } from './acknowledge.ts'
import type { FeedPlace } from './cursor.ts'
import { createFeedCursors, isProductPlace } from './cursor.ts'
import type { FeedRequest } from './input.ts'
import { parseFeedRequest } from './input.ts'
import type { FeedHub, FeedTiming } from './live.ts'
import { createFeedHub, liveFeed } from './live.ts'
import type { FeedEvent, FeedPage, FeedPageParts, FeedPageStore, PageBounds } from './page.ts'
import { heldView, readFeedPage } from './page.ts'
import { readProductPage } from './product-page.ts'
import type { StoredEvents } from './stored.ts'
import { createStoredEvents, directoryOf, isShown, WatchInput } from './stored.ts'
import type { StreamLimits } from './stream-limits.ts'
import { createOpenStreams } from './stream-limits.ts'

const maxPageBytes = 1_000_000
/** The maximum size of a page in memory for each stream with a slow reader; there may be hundreds of them. */
const streamBounds: PageBounds = { limit: 100, maxBytes: 65_536 }

const defaultTiming: FeedTiming = { pollMs: 2_000, heartbeatMs: 15_000, maxAgeMs: 3_600_000 }
/** Pages see events only, not comments: by these they notice that a stream has gone silent. */
const watchedHeartbeat = { text: 'event: heartbeat\ndata: {}\n\n', everyMs: 5_000 }

export interface FeedOptions {
  readonly store: FeedPageStore
  /** The secret that cursors are signed with. */
  readonly secret: string
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  /**
   * The time slices of the process: a stream uses one for each page, as hundreds may receive the same events at once.
   */
  readonly slices: TimeSlices
  readonly log: DeliveryLogger
  readonly timing?: Partial<FeedTiming> | undefined
  readonly streamLimits: StreamLimits
  /** Called for each directory that is read, with the position of the reader before its events. */
  readonly onRead?: OnFeedRead | undefined
}

/** A page of the feed. */
export interface FeedAnswer {
  readonly events: readonly FeedEvent[]
  /** The cursor after the events. */
  readonly next: string
  /** A directory whose further events are held, if any. */
  readonly held: ReturnType<typeof heldView> | undefined
}

/** The events of a scope, read with a cursor. Queries use the field names of the API and are validated here. */
export interface Feed {
  /**
   * A page of events and the cursor after them; without new events the cursor stays the same.
   *
   * @throws DirectoryError `invalid-input`, `directory-not-found`, `cursor-diverged`
   */
  page(query: unknown): Promise<FeedAnswer>
  /**
   * The events as they are committed, as the text of server-sent events. The stream ends when `signal` aborts, after the
   * deletion of the directory of the query, when the events that it has sent were replaced, when the feed closes, and after
   * an hour. Readers reconnect with the last cursor.
   *
   * @param callerKey identifies the caller, whose streams are counted
   * @throws DirectoryError `invalid-input`, `directory-not-found`, `cursor-diverged`, `busy`
   */
  open(query: unknown, signal: AbortSignal, callerKey: string): Promise<AsyncIterable<string>>
  /**
   * The stored events of a directory, newest first, for people who look: a page, or all of them that match the query. Unlike `page`, this does
   * not count as the consumer's reading.
   *
   * @throws DirectoryError `invalid-input`, `directory-not-found`
   */
  list(directoryId: string, query: unknown): Promise<StoredEvents>
  /** One of them as JSON text. @throws DirectoryError `directory-not-found`, `resource-not-found` */
  get(directoryId: string, sequence: number): Promise<string>
  /** Like `open` for the events of one directory, without counting as the consumer's reading. */
  watch(directoryId: string, query: unknown, signal: AbortSignal, callerKey: string): Promise<AsyncIterable<string>>
  /** Reports that events of a directory were committed. */
  notify: FeedHub['notify']
  /** Ends every stream. */
  close(): void
}

export function createFeed(options: FeedOptions): Feed {
  const { store, secret, clock, schedule, slices, timing, streamLimits, onRead } = options
  const cursors = createFeedCursors(secret)
  const parts: FeedPageParts = { store, cursors, onRead }
  const hub = createFeedHub()
  const streams = createOpenStreams(streamLimits)
  let isClosed = false

  const tenantOf = async (scope: FeedRequest['scope']) =>
    scope.tenant ?? (await store.feedDirectories(scope, 1))[0]?.tenant

  async function openStream(
    reading: FeedPageParts,
    { scope, place }: FeedRequest,
    abortSignal: AbortSignal,
    callerKey: string,
    shows?: (event: StoredEvent) => boolean,
  ): Promise<AsyncIterable<string>> {
    if (isClosed) throw stopping()
    const stream = streams.add(callerKey)
    const signal = createSignal(schedule)
    const unsubscribe = hub.subscribe(scope, signal.notify)
    const leave = () => {
      unsubscribe()
      stream.remove()
      signal.notify()
    }
    abortSignal.addEventListener('abort', leave, { once: true })
    if (abortSignal.aborted) leave()
    try {
      const tenant = isProductPlace(place) ? undefined : await tenantOf(scope)
      if (tenant !== undefined) stream.addTenant(tenant)
      await slices.next(tenant)
      const first = await readPage(reading, scope, place, streamBounds)
      const isOver = () => isClosed || abortSignal.aborted
      const read = async (from: FeedPlace) => {
        await slices.next(tenant)
        return readOn(reading, options.log, scope, from)
      }
      const watched = shows && { heartbeatMs: watchedHeartbeat.everyMs }
      const parts = { scope, shows, cursors, read, signal, isOver, clock, heartbeat: shows && watchedHeartbeat.text }
      return liveFeed({ ...parts, timing: { ...defaultTiming, ...watched, ...timing } }, first)
    } catch (error) {
      leave()
      throw error
    }
  }

  return {
    ...createStoredEvents({ store, cursors }),
    async page(query) {
      const { scope, place, limit } = parseFeedRequest(query, cursors)
      const bounds = { limit, maxBytes: maxPageBytes }
      const { events, end, held } = await readPage(parts, scope, place, bounds)
      return { events, next: cursors.write(scope, end), held: held && heldView(held) }
    },
    open: async (query, signal, callerKey) => openStream(parts, parseFeedRequest(query, cursors), signal, callerKey),
    async watch(directoryId, query, signal, callerKey) {
      const { after, ...filter } = parseInput(WatchInput, query)
      const request = parseFeedRequest({ directoryId, after }, cursors)
      await directoryOf(store, directoryId)
      return openStream({ store, cursors }, request, signal, callerKey, (event) => isShown(filter, event))
    },
    notify: hub.notify,
    close() {
      isClosed = true
      hub.notifyAll()
    },
  }
}

function readPage(parts: FeedPageParts, scope: FeedRequest['scope'], from: FeedPlace, bounds: PageBounds) {
  return isProductPlace(from) ? readProductPage(parts, scope, from, bounds) : readFeedPage(parts, scope, from, bounds)
}

/** The next page of a stream; undefined when the stream must end. The page is empty while the store fails. */
async function readOn(
  parts: FeedPageParts,
  log: DeliveryLogger,
  scope: FeedRequest['scope'],
  from: FeedPlace,
): Promise<FeedPage | undefined> {
  try {
    return await readPage(parts, scope, from, streamBounds)
  } catch (error) {
    if (error instanceof DirectoryError) return undefined
    log.warn({ ...scope, err: error }, 'a feed stream could not read events; retrying')
    return { events: [], start: from, end: from, held: undefined }
  }
}

function stopping(): DirectoryError {
  return new DirectoryError('busy', 'The service is stopping: connect again in a moment.')
}
