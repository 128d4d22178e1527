import type { Schedule } from '../../concurrency/schedule.ts'
import { createSignal } from '../../concurrency/signal.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { DeliveryLogger } from '../observer.ts'
import type { FeedPositions } from './cursor.ts'
import { writeCursor } from './cursor.ts'
import type { FeedHub } from './hub.ts'
import { createFeedHub } from './hub.ts'
import type { FeedRequest } from './input.ts'
import { parseFeedRequest } from './input.ts'
import type { FeedTiming } from './live.ts'
import { liveFeed } from './live.ts'
import type { FeedEvent, FeedPage, PageBounds } from './page.ts'
import { readFeedPage } from './page.ts'
import type { FeedStore } from './store.ts'

const maxPageBytes = 1_000_000
/** What a stream holds in memory while its reader is slow; there may be hundreds of them. */
const streamBounds: PageBounds = { limit: 100, maxBytes: 65_536 }

const usualTiming: FeedTiming = { pollMs: 2_000, heartbeatMs: 15_000, maxAgeMs: 3_600_000 }

export interface FeedOptions {
  readonly store: FeedStore
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  readonly log: DeliveryLogger
  readonly timing?: Partial<FeedTiming> | undefined
  /** How many streams may be open at once. */
  readonly maxStreams?: number | undefined
}

/** The events of a scope, read with a cursor (design §7.4). Queries are in the API's field names and are checked here. */
export interface Feed {
  /**
   * Some events and the cursor behind them, which is that of the query when there is nothing new.
   *
   * @throws DirectoryError `invalid-input`, `directory-not-found`
   */
  page(query: unknown): Promise<{ readonly events: readonly FeedEvent[]; readonly next: string }>
  /**
   * The events as they come, as the text of server-sent events. It ends when `signal` aborts, the directory of the query
   * is deleted, or the feed closes, and after an hour: readers connect again with the cursor of the last event.
   *
   * @throws DirectoryError `invalid-input`, `directory-not-found`, `busy`
   */
  open(query: unknown, signal: AbortSignal): Promise<AsyncIterable<string>>
  /** Says that events of a directory were committed. */
  notify: FeedHub['notify']
  /** Ends every stream. */
  close(): void
}

export function createFeed({ store, clock, schedule, log, timing, maxStreams = 500 }: FeedOptions): Feed {
  const hub = createFeedHub()
  let isClosed = false

  /** Reads on; while the store fails nothing is new. */
  async function readOn(scope: FeedRequest['scope'], from: FeedPositions): Promise<FeedPage | undefined> {
    try {
      return await readFeedPage(store, scope, from, streamBounds)
    } catch (error) {
      if (error instanceof DirectoryError) return undefined
      log.warn({ ...scope, err: error }, 'a stream of the feed cannot read the store; it tries again')
      return { events: [], start: from, end: from }
    }
  }

  return {
    async page(query) {
      const { scope, positions, limit } = parseFeedRequest(query)
      const { events, end } = await readFeedPage(store, scope, positions, { limit, maxBytes: maxPageBytes })
      return { events, next: writeCursor(scope, end) }
    },
    async open(query, signal) {
      const { scope, positions } = parseFeedRequest(query)
      if (isClosed || hub.count() >= maxStreams) throw tooManyStreams()
      const bell = createSignal(schedule)
      const unwatch = hub.subscribe(scope, bell.notify)
      const leave = () => {
        unwatch()
        bell.notify()
      }
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) leave()
      try {
        const first = await readFeedPage(store, scope, positions, streamBounds)
        const isOver = () => isClosed || signal.aborted
        const read = (from: FeedPositions) => readOn(scope, from)
        return liveFeed({ scope, read, bell, isOver, clock, timing: { ...usualTiming, ...timing } }, first)
      } catch (error) {
        leave()
        throw error
      }
    },
    notify: hub.notify,
    close() {
      isClosed = true
      hub.notifyAll()
    },
  }
}

function tooManyStreams(): DirectoryError {
  return new DirectoryError('busy', 'Too many streams are open here: come back in a moment, or read the feed in pages.')
}
