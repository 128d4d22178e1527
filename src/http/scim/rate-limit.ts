/** How many directories are remembered; the one that was quiet the longest is forgotten first. */
const maxDirectories = 10_000

interface Bucket {
  readonly tokens: number
  readonly at: number
}

/** Lets so many requests per second and directory through, and as many at once. */
export interface RateLimit {
  /** Undefined when a request may go on, else the seconds to wait. */
  take(directoryId: string): number | undefined
}

/**
 * Makes the limit of one process (a token bucket per directory), in bounded memory.
 *
 * @param perSecond 0: no limit
 * @param now milliseconds, of a clock that never goes back
 */
export function createRateLimit(perSecond: number, now: () => number): RateLimit {
  if (perSecond === 0) return { take: () => undefined }
  const buckets = new Map<string, Bucket>()
  return {
    take(directoryId) {
      const at = now()
      const before = buckets.get(directoryId)
      const gained = before === undefined ? perSecond : ((at - before.at) / 1000) * perSecond
      const tokens = Math.min(perSecond, (before?.tokens ?? 0) + gained)
      buckets.delete(directoryId)
      buckets.set(directoryId, { tokens: tokens < 1 ? tokens : tokens - 1, at })
      if (buckets.size > maxDirectories) buckets.delete(buckets.keys().next().value ?? '')
      return tokens < 1 ? Math.max(1, Math.ceil((1 - tokens) / perSecond)) : undefined
    },
  }
}
