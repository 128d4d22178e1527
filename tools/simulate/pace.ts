import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves when it is the next request's turn; rejects with the signal's reason once that is aborted. */
export type Pace = () => Promise<void>

/**
 * Turns at an even distance, however many callers wait for one. A turn that nobody took is not made up for, so there
 * is never a burst. Zero requests per second: every turn is now.
 */
export function createPace(ratePerSecond: number, signal: AbortSignal | undefined): Pace {
  if (ratePerSecond <= 0) return async () => signal?.throwIfAborted()
  const distanceMs = 1000 / ratePerSecond
  let nextAt = performance.now()
  return async () => {
    signal?.throwIfAborted()
    const now = performance.now()
    const turnAt = Math.max(now, nextAt)
    nextAt = turnAt + distanceMs
    if (turnAt > now) await sleep(turnAt - now, undefined, signal === undefined ? {} : { signal })
  }
}
