import { createKeyedCounts } from '../concurrency/keyed-counts.ts'
import { createRoundRobin } from '../concurrency/round-robin.ts'
import type { Schedule } from '../concurrency/schedule.ts'
import type { Waiting } from '../concurrency/wait-for-turn.ts'
import { waitForTurn } from '../concurrency/wait-for-turn.ts'
import type { UnreadLimits } from './unread-responses.ts'
import { createUnreadResponses } from './unread-responses.ts'

/** What a process holds at a time. A key is a tenant or the holder of an API key. Lengths are in characters. */
export interface RequestLimits extends UnreadLimits {
  /** The length of the responses of a key that are expected or not yet read: beyond it, further requests of the key wait. */
  readonly perKey: number
  /** The requests of a key that wait; further ones are refused. */
  readonly waiting: number
  /** Beyond this length of all unread responses, further requests of the keys that have some wait. */
  readonly waitAbove: number
}

/** Decides which requests are processed, so that a process holds a limited amount of responses that are not read. */
export interface RequestShares {
  /** Begins a request whose response is expected to have a length, if it may run now; returns whether it does. */
  tryEnter(key: string, length: number): boolean
  /**
   * Resolves when the request may run, and has begun. The keys that wait take turns.
   *
   * @throws the reason of the signal, if it aborts first
   */
  enter(key: string, length: number, signal: AbortSignal): Promise<void>
  /** Whether no further request of the key may wait. */
  isFull(key: string): boolean
  /** Ends a request: its response is known. */
  leave(key: string, length: number): void
  /** Counts a response until the client has read it: until the result is called, or `close` was. */
  hold(key: string, length: number, close: () => void): () => void
}

/** @param now milliseconds of a monotonic clock */
export function createRequestShares(limits: RequestLimits, now: () => number, schedule: Schedule): RequestShares {
  /** The expected length of the responses of the requests that run. */
  const expected = createKeyedCounts()
  const unread = createUnreadResponses(limits, now, schedule)
  const waiting = createRoundRobin<Waiting>()

  /** A key that has nothing may begin a request, whatever its length. */
  function mayRun(key: string, length: number): boolean {
    const held = expected.of(key) + unread.of(key)
    if (held === 0) return true
    if (held + length > limits.perKey) return false
    return unread.of(key) === 0 || unread.total() + length <= limits.waitAbove
  }

  const begin = (key: string, length: number) => expected.add(key, length)

  function startNext(): void {
    if (waiting.count() === 0) return
    const take = () => waiting.take((key, { size }) => mayRun(key, size))
    for (let next = take(); next !== undefined; next = take()) next.start()
  }

  return {
    tryEnter(key, length) {
      if (waiting.count(key) > 0 || !mayRun(key, length)) return false
      begin(key, length)
      return true
    },
    enter: (key, length, signal) =>
      waitForTurn(waiting, { key, size: length, signal, begin: () => begin(key, length), startNext }),
    isFull: (key) => waiting.count(key) >= limits.waiting,
    leave(key, length) {
      expected.add(key, -length)
      startNext()
    },
    hold(key, length, close) {
      const forget = unread.add(key, length, close)
      return () => {
        forget()
        startNext()
      }
    },
  }
}
