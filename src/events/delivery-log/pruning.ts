import type { Schedule } from '../../directory/schedule.ts'
import type { DeliveryLog } from '../observer.ts'
import type { DeliveryLogStore } from './store.ts'

const dayMs = 24 * 3600 * 1000
const rowsPerStep = 100
const stepPauseMs = 50
const intervalMs = 10 * 60 * 1000
const maxFirstMs = 60 * 1000

export interface PruningOptions {
  readonly store: Pick<DeliveryLogStore, 'pruneDeliveries'>
  /** How long a delivery stays in the log. */
  readonly keepDays: number
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  readonly log: DeliveryLog
  /** From 0 to 1: processes that start together do not prune together. */
  readonly random: () => number
}

/** Removes what has been in the delivery log for long enough. Any number of processes may do so at once. */
export interface Pruning {
  /** Begins within a minute; then about every ten minutes, in small steps. */
  start(): void
  /** Resolves when the step under way has ended. */
  close(): Promise<void>
}

export function createPruning({ store, keepDays, clock, schedule, log, random }: PruningOptions): Pruning {
  let cancel: (() => void) | undefined
  let running = Promise.resolve()
  let isClosed = false

  function later(delayMs: number): void {
    if (isClosed) return
    cancel = schedule(() => {
      running = step().then(later)
    }, delayMs)
  }

  /** Removes a few; answers when to go on. */
  async function step(): Promise<number> {
    const pauseMs = intervalMs * (0.5 + random())
    try {
      const removed = await store.pruneDeliveries(clock() - keepDays * dayMs, rowsPerStep)
      return removed < rowsPerStep ? pauseMs : stepPauseMs
    } catch (error) {
      log.error({ err: error }, 'the delivery log cannot be pruned; it is tried again later')
      return pauseMs
    }
  }

  return {
    start: () => later(maxFirstMs * random()),
    close() {
      isClosed = true
      cancel?.()
      return running
    },
  }
}
