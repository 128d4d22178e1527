import { createBoundedMap } from './bounded-map.ts'

/** How many are allowed at once; as many are regained in the time, evenly. */
export interface Rate {
  readonly count: number
  readonly perMs: number
}

/** Limits what is done for each key, such as a directory or an address. */
export interface RateLimit {
  /** Undefined when one more is allowed, otherwise the seconds to wait. */
  take(key: string): number | undefined
}

/**
 * Creates the rate limit of one process: a token bucket per key, in bounded memory. A package such as rate-limiter-flexible
 * keeps all keys, which an attacker may choose.
 *
 * @param now milliseconds
 * @param maxKeys how many keys are remembered; the one that was used the longest time ago is dropped first
 */
export function createRateLimit({ count, perMs }: Rate, now: () => number, maxKeys = 10_000): RateLimit {
  /** When each key will have its whole rate again: now, or in the time that regaining what it has used takes. */
  const wholeAt = createBoundedMap<number>(maxKeys)
  const regainMs = perMs / count
  return {
    take(key) {
      const at = now()
      const before = Math.min(Math.max(wholeAt.get(key) ?? 0, at), at + perMs)
      const waitMs = Math.round(before + regainMs - perMs - at)
      wholeAt.set(key, waitMs > 0 ? before : before + regainMs)
      return waitMs > 0 ? Math.ceil(waitMs / 1000) : undefined
    },
  }
}
