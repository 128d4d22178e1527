import { createRoundRobin } from '../concurrency/round-robin.ts'
import type { Waiting } from '../concurrency/wait-for-turn.ts'
import { waitForTurn } from '../concurrency/wait-for-turn.ts'

/** What a process holds at a time. A key is a tenant or the holder of an API key. Lengths are in characters. */
export interface RequestLimits {
  /** The length of the responses of a key that are expected or not yet read: beyond it, further requests of the key wait. */
  readonly perKey: number
  /** The requests of a key that wait; further ones are refused. */
  readonly waiting: number
  /** Beyond this length of all unread responses, further requests of the keys that have some wait. */
  readonly waitAbove: number
  /**
   * Beyond this length unread responses are closed that are older than `graceMs`: of the key that has most, the oldest first.
   * Responses that are being read are younger.
   */
  readonly closeOldAbove: number
  readonly graceMs: number
  /** Beyond this length they are closed whatever their age. */
  readonly closeAnyAbove: number
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

interface UnreadResponse {
  readonly length: number
  readonly since: number
  readonly close: () => void
}

/** What a key has begun. */
interface Share {
  /** The expected length of the responses of the requests that run. */
  expected: number
  unread: number
  /** The oldest first. */
  readonly responses: Set<UnreadResponse>
}

/** @param now milliseconds of a monotonic clock */
export function createRequestShares(limits: RequestLimits, now: () => number): RequestShares {
  const shares = new Map<string, Share>()
  const waiting = createRoundRobin<Waiting>()
  let unread = 0

  function shareOf(key: string): Share {
    const share = shares.get(key) ?? { expected: 0, unread: 0, responses: new Set() }
    shares.set(key, share)
    return share
  }

  /** A key that has nothing may begin a request, whatever its length. */
  function mayRun(key: string, length: number): boolean {
    const share = shares.get(key)
    if (share === undefined) return true
    if (share.expected + share.unread + length > limits.perKey) return false
    return share.unread === 0 || unread + length <= limits.waitAbove
  }

  function begin(key: string, length: number): void {
    shareOf(key).expected += length
  }

  function forgetUnused(key: string, { expected, responses }: Share): void {
    if (expected === 0 && responses.size === 0) shares.delete(key)
  }

  function startNext(): void {
    if (waiting.count() === 0) return
    const take = () => waiting.take((key, { size }) => mayRun(key, size))
    for (let next = take(); next !== undefined; next = take()) next.start()
  }

  function remove(key: string, response: UnreadResponse): void {
    const share = shareOf(key)
    if (share.responses.delete(response)) {
      share.unread -= response.length
      unread -= response.length
    }
    forgetUnused(key, share)
  }

  /** The one to close next, if any is to be closed. */
  function nextToClose(): [key: string, oldest: UnreadResponse] | undefined {
    if (unread <= limits.closeOldAbove) return undefined
    const [key, { responses }] = [...shares].reduce((most, one) => (one[1].unread > most[1].unread ? one : most))
    const [oldest] = responses
    if (oldest === undefined) return undefined
    return unread > limits.closeAnyAbove || now() - oldest.since > limits.graceMs ? [key, oldest] : undefined
  }

  function closeOldest(): void {
    for (let next = nextToClose(); next !== undefined; next = nextToClose()) {
      const [key, oldest] = next
      remove(key, oldest)
      oldest.close()
    }
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
      const share = shareOf(key)
      share.expected -= length
      forgetUnused(key, share)
      startNext()
    },
    hold(key, length, close) {
      const share = shareOf(key)
      const response = { length, since: now(), close }
      share.responses.add(response)
      share.unread += length
      unread += length
      closeOldest()
      return () => {
        remove(key, response)
        startNext()
      }
    },
  }
}
