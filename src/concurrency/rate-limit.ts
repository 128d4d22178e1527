import { createBoundedMap } from './bounded-map.ts'

/** The number that is allowed at once, and the time in which it is regained, evenly. */
export interface Rate {
  readonly count: number
  readonly perMs: number
}

/** Limits the actions for each key, such as a directory or an address. */
export interface RateLimit {
  /** Returns undefined if one more is allowed, otherwise the seconds to wait. */
  take(key: string): number | undefined
}

/**
 * Creates the rate limit of one process: a token bucket per key, in bounded memory. A package such as
 * rate-limiter-flexible keeps all keys, which an attacker may choose.
 *
 * @param now milliseconds
 * @param maxKeys the maximum number of keys in memory; the least recently used one is dropped first
 */
export function createRateLimit({ count, perMs }: Rate, now: () => number, maxKeys = 10_000): RateLimit {
  /** Time at which each key has its whole rate again. */
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
