import { backOffMs, parseRetryAfter } from '../../concurrency/retry-delay.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import type { GoogleFailure } from './failure.ts'

const delaysMs = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000] as const

/** The result of one try. An error that is thrown instead is not retried. */
export type Attempt<T> = { readonly kind: 'done'; readonly value: T } | FailedAttempt

/** A try to be repeated. */
export interface FailedAttempt {
  readonly kind: 'retry'
  /** Thrown if this was the last try. */
  readonly failure: GoogleFailure
  /** The unparsed `Retry-After` header. */
  readonly retryAfter: string | undefined
  /** Whether a shared rate limit was hit, so that all other requests must wait too. */
  readonly isLimit: boolean
}

/** Limits the concurrency of requests that share a rate limit, and retries each with exponential backoff. */
export interface Pace {
  /** Repeats the attempt until it succeeds or fails too often. Throws the signal's reason if aborted. */
  run<T>(attempt: () => Promise<Attempt<T>>, signal: AbortSignal): Promise<T>
}

export interface PaceOptions {
  /** Unix milliseconds. */
  now(): number
  /** Rejects when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<unknown>
  /** From 0 to 1. */
  random(): number
  /** The maximum number of requests in flight. */
  readonly maxConcurrent?: number
  /** The maximum number of tries per request, including the first one. */
  readonly maxTries?: number
  /** The longest `Retry-After` that is honored. */
  readonly maxRetryAfterMs?: number
}

/** Creates the pace of one sync run, or of a single request. */
export function createPace(options: PaceOptions): Pace {
  const { now, sleep, random, maxConcurrent = 6, maxTries = 7, maxRetryAfterMs = 10 * 60_000 } = options
  const semaphore = createSemaphore(maxConcurrent)
  const maxWaitMs = Math.max(maxRetryAfterMs, ...delaysMs)
  let resumeAt = 0

  async function pause(ms: number, signal: AbortSignal): Promise<void> {
    try {
      await sleep(ms, signal)
    } finally {
      signal.throwIfAborted()
    }
  }

  /**
   * Waits for the end of a rate limit, which may be extended meanwhile. A clock that is set back does not prolong the
   * wait.
   */
  async function waitForLimit(signal: AbortSignal): Promise<void> {
    for (let until = 0; until !== resumeAt; ) {
      until = resumeAt
      if (until > now()) await pause(Math.min(until - now(), maxWaitMs), signal)
    }
  }

  async function attemptInSlot<T>(attempt: () => Promise<Attempt<T>>, signal: AbortSignal): Promise<Attempt<T>> {
    const release = await semaphore.acquire(signal)
    try {
      await waitForLimit(signal)
      signal.throwIfAborted()
      return await attempt()
    } finally {
      release()
    }
  }

  /** The longer of `Retry-After` and the backoff. */
  function delayMs({ retryAfter }: FailedAttempt, failures: number): number {
    const requestedMs = parseRetryAfter(retryAfter, now()) ?? 0
    return Math.max(Math.min(requestedMs, maxRetryAfterMs), backOffMs(delaysMs, failures, random()))
  }

  return {
    async run(attempt, signal) {
      for (let tries = 1; ; tries += 1) {
        const result = await attemptInSlot(attempt, signal)
        if (result.kind === 'done') return result.value
        if (tries >= maxTries) throw result.failure
        const delay = delayMs(result, tries)
        if (result.isLimit) resumeAt = Math.max(resumeAt, now() + delay)
        await pause(delay, signal)
      }
    },
  }
}
