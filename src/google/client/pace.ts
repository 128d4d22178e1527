import { createSlots } from '../../concurrency/semaphore.ts'
import type { GoogleFailure } from './failure.ts'
import { askedWaitMs } from './retry-after.ts'

const firstDelayMs = 1_000
const maxDelayMs = 64_000
const jitter = 0.25

/** How one try went. What is thrown instead is not tried again. */
export type Attempt<T> = { readonly kind: 'done'; readonly value: T } | FailedAttempt

/** To be tried again. */
export interface FailedAttempt {
  readonly kind: 'retry'
  /** What is thrown when it was the last try. */
  readonly failure: GoogleFailure
  /** The `Retry-After` header as it came. */
  readonly retryAfter: string | undefined
  /** Whether all others have to wait as well: a limit was reached that they share. */
  readonly isLimit: boolean
}

/** Keeps requests that share a limit in bounds: so many at a time, each repeated with a growing pause. */
export interface Pace {
  /** Tries until it is done, or has failed too often. Throws the signal's reason when it stops the wait. */
  run<T>(attempt: () => Promise<Attempt<T>>, signal: AbortSignal): Promise<T>
}

export interface PaceOptions {
  /** Unix milliseconds. */
  now(): number
  /** Resolves after so many milliseconds; rejects when the signal stops it. */
  sleep(ms: number, signal: AbortSignal): Promise<unknown>
  /** From 0 to 1. */
  random(): number
  /** Requests in flight. */
  readonly maxConcurrent?: number
  /** Tries per request, the first one included. */
  readonly maxTries?: number
  /** The longest wait that an answer can ask for. */
  readonly maxRetryAfterMs?: number
}

/** The pause after the n-th failure of a request (from 1): 1 s, doubled each time up to 64 s, spread by up to a quarter. */
export function backOffMs(failures: number, random: number): number {
  return Math.min(maxDelayMs, Math.round(firstDelayMs * 2 ** (failures - 1) * (1 + jitter * random)))
}

/** A pace for what shares a limit: one sync run, or one request by itself. */
export function createPace(options: PaceOptions): Pace {
  const { now, sleep, random, maxConcurrent = 6, maxTries = 7, maxRetryAfterMs = 10 * 60_000 } = options
  const slots = createSlots(maxConcurrent)
  const maxWaitMs = Math.max(maxRetryAfterMs, maxDelayMs)
  let resumeAt = 0

  async function rest(ms: number, signal: AbortSignal): Promise<void> {
    try {
      await sleep(ms, signal)
    } finally {
      signal.throwIfAborted()
    }
  }

  /** Waits as long as a limit asks of all; it may grow meanwhile. A clock that was set back makes nobody wait longer. */
  async function waitForLimit(signal: AbortSignal): Promise<void> {
    for (let until = 0; until !== resumeAt; ) {
      until = resumeAt
      if (until > now()) await rest(Math.min(until - now(), maxWaitMs), signal)
    }
  }

  async function inTurn<T>(attempt: () => Promise<Attempt<T>>, signal: AbortSignal): Promise<Attempt<T>> {
    const leave = await slots.take(signal)
    try {
      await waitForLimit(signal)
      signal.throwIfAborted()
      return await attempt()
    } finally {
      leave()
    }
  }

  /** No earlier than was asked for, and never quicker than the failures allow. */
  function delayMs({ retryAfter }: FailedAttempt, failures: number): number {
    return Math.max(Math.min(askedWaitMs(retryAfter, now()), maxRetryAfterMs), backOffMs(failures, random()))
  }

  return {
    async run(attempt, signal) {
      for (let tries = 1; ; tries += 1) {
        const result = await inTurn(attempt, signal)
        if (result.kind === 'done') return result.value
        if (tries >= maxTries) throw result.failure
        const delay = delayMs(result, tries)
        if (result.isLimit) resumeAt = Math.max(resumeAt, now() + delay)
        await rest(delay, signal)
      }
    },
  }
}
