import type { Signal } from '../../concurrency/signal.ts'
import type { DirectoryScope } from '../../directory/directory.ts'
import type { StoredEvent } from '../../directory/event.ts'
import type { EventDirectory } from '../payload.ts'
import { eventPayload } from '../payload.ts'
import type { FeedCursors, FeedPlace } from './cursor.ts'
import { advance, isProductPlace } from './cursor.ts'
import type { FeedEvent, FeedPage } from './page.ts'
import { heldView, positionOf } from './page.ts'

/** Intervals in milliseconds. */
export interface FeedTiming {
  /** Interval at which a stream looks for events committed by other processes. */
  readonly pollMs: number
  /** A stream without events sends a heartbeat at this interval, so that the connection is not closed as idle. */
  readonly heartbeatMs: number
  /** A stream ends after this time: the reader must reconnect and authenticate again. */
  readonly maxAgeMs: number
}

export interface LiveFeedParts {
  readonly scope: DirectoryScope
  /** Returns whether an event is sent; without it, all are. */
  readonly shows?: ((event: StoredEvent) => boolean) | undefined
  /** What a stream without events sends; a comment by default. */
  readonly heartbeat?: string | undefined
  readonly cursors: FeedCursors
  /** Reads the events after a place; undefined when the feed ends because nothing of its directory is left. */
  readonly read: (from: FeedPlace) => Promise<FeedPage | undefined>
  /** Notified of new events, and when the stream must end. */
  readonly signal: Signal
  /** Returns whether the reader has disconnected or the service is shutting down. */
  readonly isOver: () => boolean
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly timing: FeedTiming
}

/** Time after which a disconnected reader reconnects, in milliseconds. */
const retryMs = 2_000

/**
 * The feed as chunks of server-sent events. A page is read after the previous one was consumed, so that a slow reader
 * holds no more than the text of one page in memory.
 */
export async function* liveFeed(
  { scope, shows = () => true, heartbeat = ':\n\n', cursors, read, signal, isOver, clock, timing }: LiveFeedParts,
  page: FeedPage | undefined,
): AsyncGenerator<string, void, undefined> {
  const endsAt = clock() + timing.maxAgeMs
  yield `retry: ${retryMs}\n\n`
  let lastSentAt = clock()
  let shownHold = ''
  while (page !== undefined && !isOver() && clock() < endsAt) {
    const { end, events } = page
    const hold = heldText(page)
    const news = eventsText(scope, cursors, page, shows) + (hold === shownHold ? '' : hold)
    shownHold = hold
    page = undefined
    // Events that are not shown are passed without a pause.
    const chunk = news === '' && events.length === 0 ? await waitForEvents() : news
    if (chunk !== '') {
      yield chunk
      lastSentAt = clock()
    }
    const isEnd = scope.directoryId !== undefined && events.at(-1)?.event.eventType === 'directory.deleted'
    page = isEnd || isOver() ? undefined : await read(end)
  }

  /** Returns a heartbeat when one is due, else an empty text. */
  async function waitForEvents(): Promise<string> {
    const { pollMs, heartbeatMs } = timing
    await signal.wait(Math.max(0, Math.min(pollMs, lastSentAt + heartbeatMs - clock())))
    return clock() - lastSentAt >= heartbeatMs ? heartbeat : ''
  }
}

/** A comment, which parsers ignore, that says that the further events of a directory are held. */
function heldText({ held }: FeedPage): string {
  return held === undefined ? '' : `: held ${JSON.stringify(heldView(held))}\n\n`
}

/** The text of the events. Each carries the cursor that continues after it; JSON text contains no line breaks. */
function eventsText(
  scope: DirectoryScope,
  cursors: FeedCursors,
  { events, start }: FeedPage,
  shows: (event: StoredEvent) => boolean,
): string {
  let place = start
  let text = ''
  for (const one of events) {
    const { event, directory } = one
    place = placeAfter(place, one)
    if (!shows(event)) continue
    const cursor = cursors.write(scope, place)
    text += `id: ${cursor}\nevent: ${event.eventType}\ndata: ${eventPayload(event, directory)}\n\n`
  }
  return text
}

function placeAfter(place: FeedPlace, { event, at }: FeedEvent): FeedPlace {
  if (!('tag' in at)) return at
  return isProductPlace(place) ? place : advance(place, at.tag, positionOf(event))
}

/** Notifies the open streams of this process. */
export interface FeedHub {
  /** Calls `listener` after each commit to a directory of the scope. Returns the function that unsubscribes. */
  subscribe(scope: DirectoryScope, listener: () => void): () => void
  /** Reports that events of a directory were committed. */
  notify(directory: EventDirectory): void
  notifyAll(): void
}

export function createFeedHub(): FeedHub {
  const listeners = new Map<string, Set<() => void>>()

  function notifyKey(key: string): void {
    for (const listener of listeners.get(key) ?? []) listener()
  }

  return {
    subscribe(scope, listener) {
      const key = keyOf(scope)
      const ofKey = listeners.get(key) ?? new Set()
      listeners.set(key, ofKey.add(listener))
      return () => {
        ofKey.delete(listener)
        if (ofKey.size === 0 && listeners.get(key) === ofKey) listeners.delete(key)
      }
    },
    notify({ id, tenant, product }) {
      if (listeners.size === 0) return
      notifyKey(keyOf({ directoryId: id }))
      notifyKey(keyOf({ tenant, product }))
      notifyKey(keyOf({ product }))
    },
    notifyAll() {
      for (const key of listeners.keys()) notifyKey(key)
    },
  }
}

/** The key of a scope, which is unambiguous because tenants and products contain no colon. */
function keyOf({ directoryId, tenant, product }: DirectoryScope): string {
  if (directoryId !== undefined) return `id:${directoryId}:`
  return tenant === undefined ? `:${product}` : `${tenant}:${product}`
}
