import type { Schedule } from '../concurrency/schedule.ts'
import { createThrottle } from '../concurrency/throttle.ts'
import type { DeliveryTarget, EventStore, StreamNotice } from './event-store.ts'
import type { Leases } from './lease.ts'
import type { DeliveryLogger } from './observer.ts'
import { minRetryIntervalMs } from './policy.ts'
import type { RunQueue } from './run-queue.ts'
import type { TurnRequest } from './stream.ts'

/**
 * While another process holds a lease, it is notified of new events at most this often; otherwise every commit here
 * would try to acquire the lease.
 */
const heldElsewhereMs = 100

export interface WakeUpsOptions {
  readonly store: Pick<EventStore, 'publishNotice' | 'onNotice'>
  readonly target: DeliveryTarget
  readonly leases: Pick<Leases, 'invalidate'>
  readonly runQueue: Pick<RunQueue, 'add' | 'addNow' | 'cancelDelay'>
  /** Whether new events wait for a run. */
  readonly isBatched: boolean
  readonly schedule: Schedule
  readonly log: DeliveryLogger
}

/** Adds directories to the run queue when they have new events, and exchanges notices with other processes. */
export interface WakeUps {
  /** Starts receiving the notices of other processes. */
  start(): void
  /** Wakes a directory that has new events. A backoff in progress stays in effect. */
  wake(directoryId: string, tenant?: string): void
  /** Wakes a directory that was changed, here and in other processes, and ends its backoff. */
  retry(directoryId: string, tenant?: string): void
  /** The request for the next turn of a directory. Its wake-ups count as handled afterwards. */
  takeRequest(directoryId: string, tenant: string): TurnRequest
  close(): void
}

export function createWakeUps(options: WakeUpsOptions): WakeUps {
  const { store, target, leases, runQueue, isBatched, schedule } = options
  const publish = createPublish(options)
  const [wokenHere, urgent] = [new Set<string>(), new Set<string>()]
  const heldElsewhere = createThrottle({ intervalMs: heldElsewhereMs, schedule, run: (id) => wake(id) })
  /** Limits directories that are changed in a loop: their backoff ends once per interval. */
  const retries = createThrottle({ intervalMs: minRetryIntervalMs, schedule, run: (id) => wakeNow(id) })
  let unsubscribe: (() => void) | undefined

  function wake(directoryId: string, tenant?: string): void {
    if (isBatched || heldElsewhere.defers(directoryId)) return
    wokenHere.add(directoryId)
    runQueue.add(directoryId, tenant)
  }

  function wakeNow(directoryId: string, tenant?: string): void {
    leases.invalidate(directoryId)
    if (!retries.defers(directoryId)) {
      retries.start(directoryId)
      urgent.add(directoryId)
    }
    if (isBatched) runQueue.cancelDelay(directoryId)
    else runQueue.addNow(directoryId, tenant)
  }

  function receive({ directoryId, tenant, isUrgent, ...notice }: StreamNotice): void {
    if (notice.target !== target) return
    if (isUrgent) wakeNow(directoryId, tenant)
    else if (!isBatched) runQueue.add(directoryId, tenant)
  }

  return {
    start() {
      unsubscribe = store.onNotice(receive)
    },
    wake,
    retry(directoryId, tenant = '') {
      wakeNow(directoryId, tenant)
      publish(directoryId, tenant, true)
    },
    takeRequest(directoryId, tenant) {
      const wasWokenHere = wokenHere.delete(directoryId)
      return {
        isUrgent: urgent.delete(directoryId),
        onHeldElsewhere() {
          heldElsewhere.start(directoryId)
          if (wasWokenHere) publish(directoryId, tenant, false)
        },
      }
    },
    close() {
      unsubscribe?.()
      heldElsewhere.close()
      retries.close()
    },
  }
}

/** Notifies the process that holds the lease, which does not notice commits in this one. */
function createPublish({ store, target, log }: Pick<WakeUpsOptions, 'store' | 'target' | 'log'>) {
  return (directoryId: string, tenant: string, isUrgent: boolean): void => {
    store.publishNotice({ directoryId, target, isUrgent, tenant }).catch((error) => {
      log.warn(
        { target, directoryId, err: error },
        'other processes could not be notified; they find events by polling',
      )
    })
  }
}
