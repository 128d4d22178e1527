/** How many keys are kept in memory; the one whose last request is the oldest is dropped first. */
const maxKeys = 10_000

interface Bucket {
  readonly tokens: number
  readonly at: number
}

/** Limits the requests per second and key, such as a directory; a burst may be as large. */
export interface RateLimit {
  /** Undefined when the request is allowed, otherwise the seconds to wait. */
  take(key: string): number | undefined
}

/**
 * Creates the rate limit of one process: a token bucket per key, in bounded memory.
 *
 * @param perSecond 0 means unlimited
 * @param now milliseconds of a monotonic clock
 */
export function createRateLimit(perSecond: number, now: () => number): RateLimit {
  if (perSecond === 0) return { take: () => undefined }
  const buckets = new Map<string, Bucket>()
  return {
    take(key) {
      const at = now()
      const before = buckets.get(key)
      const gained = before === undefined ? perSecond : ((at - before.at) / 1000) * perSecond
      const tokens = Math.min(perSecond, (before?.tokens ?? 0) + gained)
      buckets.delete(key)
      buckets.set(key, { tokens: tokens < 1 ? tokens : tokens - 1, at })
      if (buckets.size > maxKeys) buckets.delete(buckets.keys().next().value ?? '')
      return tokens < 1 ? Math.max(1, Math.ceil((1 - tokens) / perSecond)) : undefined
    },
  }
}
