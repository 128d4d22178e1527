import { createKeyedCounts } from '../../concurrency/keyed-counts.ts'
import { DirectoryError } from '../../directory/errors.ts'

/** The maximum numbers of open streams of the feed in this process; 0 means unlimited. */
export interface StreamLimits {
  readonly total: number
  /** The limit per API key or admin. */
  readonly perCaller: number
  readonly perTenant: number
}

/** The open streams of this process. */
export interface OpenStreams {
  /**
   * Counts a stream of a caller. A stream that is rejected by `addTenant` still has to be removed.
   *
   * @throws DirectoryError `busy` when there are too many
   */
  add(callerKey: string): OpenStream
}

export interface OpenStream {
  /**
   * Counts it for its tenant as well.
   *
   * @throws DirectoryError `busy` when the tenant has too many
   */
  addTenant(tenant: string): void
  /** Idempotent. */
  remove(): void
}

/**
 * Reserves the last fifth of all streams for callers and tenants that have fewer than a hundredth: of 500, the last 100
 * for those with fewer than 5. So a new caller finds a place unless twenty others use all of theirs.
 */
function limitNow({ total }: StreamLimits, open: number, limit: number): number {
  const few = Math.max(1, Math.floor(total / 100))
  const isScarce = total > 0 && open >= total - Math.floor(total / 5)
  return isScarce && (limit === 0 || few < limit) ? few : limit
}

/** Time after which a rejected reader should retry, in seconds: streams stay open for long. */
const retryAfterSeconds = 30

export function createOpenStreams(limits: StreamLimits): OpenStreams {
  const { total, perCaller, perTenant } = limits
  const [callers, tenants] = [createKeyedCounts(), createKeyedCounts()]
  return {
    add(callerKey) {
      const open = callers.total()
      requireBelow(total, open, 'The feed has')
      requireBelow(limitNow(limits, open, perCaller), callers.of(callerKey), 'This API key has')
      callers.add(callerKey, 1)
      const removals = [() => callers.add(callerKey, -1)]
      return {
        addTenant(tenant) {
          requireBelow(limitNow(limits, open, perTenant), tenants.of(tenant), 'This tenant has')
          tenants.add(tenant, 1)
          removals.push(() => tenants.add(tenant, -1))
        },
        remove() {
          for (const remove of removals.splice(0)) remove()
        },
      }
    },
  }
}

function requireBelow(limit: number, open: number, whoHas: string): void {
  if (limit === 0 || open < limit) return
  const message = `${whoHas} ${open} open streams in this process, which is the current limit: close one, or read the feed in pages.`
  throw new DirectoryError('busy', message, [], retryAfterSeconds)
}
