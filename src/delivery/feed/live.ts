import type { Signal } from '../../concurrency/signal.ts'
import type { DirectoryScope } from '../../directory/directory.ts'
import { eventPayload } from '../payload.ts'
import type { FeedPositions } from './cursor.ts'
import { advance, writeCursor } from './cursor.ts'
import type { FeedPage } from './page.ts'

/** The times of a stream, in milliseconds. */
export interface FeedTiming {
  /** How often it looks for events that other processes have committed. */
  readonly pollMs: number
  /** After so long without an event it says that it is alive. */
  readonly heartbeatMs: number
  /** After that it ends, and the reader comes back with its credentials as they are then. */
  readonly maxAgeMs: number
}

export interface LiveFeedParts {
  readonly scope: DirectoryScope
  /** Reads the events behind some positions; undefined when the feed ends, as its directory is gone. */
  readonly read: (from: FeedPositions) => Promise<FeedPage | undefined>
  /** Rung when there is news, and when the stream must end. */
  readonly bell: Signal
  /** Whether the reader is gone or the service stops. */
  readonly isOver: () => boolean
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly timing: FeedTiming
}

/** How long a reader waits before it connects again, in milliseconds. */
const retryMs = 2_000

/**
 * The feed as server-sent events, in pieces. The next page is read when the one before has been taken, so that a reader
 * that takes nothing costs a page and no work.
 */
export async function* liveFeed(
  { scope, read, bell, isOver, clock, timing }: LiveFeedParts,
  first: FeedPage,
): AsyncGenerator<string, void, undefined> {
  const endsAt = clock() + timing.maxAgeMs
  let page: FeedPage | undefined = first
  yield `retry: ${retryMs}\n\n`
  let lastSaidAt = clock()
  while (page !== undefined && !isOver() && clock() < endsAt) {
    const piece = page.events.length > 0 ? pageText(scope, page) : await restText()
    if (piece !== '') {
      yield piece
      lastSaidAt = clock()
    }
    page = isOver() ? undefined : await read(page.end)
  }

  /** Waits for news; a comment when it was long without any. */
  async function restText(): Promise<string> {
    const { pollMs, heartbeatMs } = timing
    await bell.wait(Math.max(0, Math.min(pollMs, lastSaidAt + heartbeatMs - clock())))
    return clock() - lastSaidAt >= heartbeatMs ? ':\n\n' : ''
  }
}

/** The events of a page, each with the cursor behind it. JSON text has no line breaks of its own. */
function pageText(scope: DirectoryScope, { events, start }: FeedPage): string {
  let positions = start
  let text = ''
  for (const { event, directory, tag } of events) {
    positions = advance(positions, tag, event.sequence)
    const cursor = writeCursor(scope, positions)
    text += `id: ${cursor}\nevent: ${event.eventType}\ndata: ${eventPayload(event, directory)}\n\n`
  }
  return text
}
