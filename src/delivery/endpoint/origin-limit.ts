import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { createFairSemaphore } from '../../concurrency/fair-semaphore.ts'
import type { Schedule } from '../../concurrency/schedule.ts'
import { schedule as nodeSchedule } from '../../concurrency/schedule.ts'
import type { Send } from '../attempt.ts'

export interface OriginLimitOptions {
  /** The maximum number of attempts at once to one origin. */
  readonly concurrency: number
  /** How long an attempt may wait for its turn, in milliseconds. */
  readonly timeoutMs: number
  readonly schedule?: Schedule
}

/**
 * Bounds the attempts at once to one origin. Tenants take turns within the shares of `fair-share.ts`, so that a tenant whose
 * path of a shared origin hangs does not hold up the others. The time of an attempt does not include the wait.
 */
export function limitingOrigins(
  send: Send,
  { concurrency, timeoutMs, schedule = nodeSchedule }: OriginLimitOptions,
): Send {
  const origins = new Map<string, { readonly places: FairSemaphore; attempts: number }>()
  const tooLong = `not sent: for ${timeoutMs} ms, as many requests to the same origin were under way as DSYNC_WEBHOOK_CONCURRENCY allows`

  /** Returns the function that ends the turn, or why there was none. */
  async function waitForTurn(places: FairSemaphore, tenant: string, signal: AbortSignal) {
    const waiting = new AbortController()
    const onAbort = () => waiting.abort('canceled because the service is shutting down')
    const cancelTimeout = schedule(() => waiting.abort(tooLong), timeoutMs)
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    try {
      return await places.acquire(tenant, waiting.signal)
    } catch {
      return String(waiting.signal.reason)
    } finally {
      cancelTimeout()
      signal.removeEventListener('abort', onAbort)
    }
  }

  return async (directory, batch, attempt, signal) => {
    const origin = URL.parse(directory.endpoint?.url ?? '')?.origin ?? ''
    const known = origins.get(origin) ?? { places: createFairSemaphore(concurrency), attempts: 0 }
    origins.set(origin, known)
    known.attempts += 1
    try {
      const leave = await waitForTurn(known.places, directory.tenant, signal)
      if (typeof leave === 'string') return { kind: 'failed', reason: leave, latencyMs: 0 }
      return await send(directory, batch, attempt, signal).finally(leave)
    } finally {
      known.attempts -= 1
      if (known.attempts === 0) origins.delete(origin)
    }
  }
}
