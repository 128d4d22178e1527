import type { Pruning } from '../../concurrency/pruning.ts'
import { createPruning } from '../../concurrency/pruning.ts'
import type { Schedule } from '../../concurrency/schedule.ts'
import type { DeliveryLogger } from '../observer.ts'
import type { DeliveryLogStore } from './delivery-log-store.ts'

const dayMs = 24 * 3600 * 1000
const rowsPerStep = 100
const intervalMs = 10 * 60 * 1000

export interface LogPruningOptions {
  readonly store: Pick<DeliveryLogStore, 'pruneDeliveries'>
  readonly keepDays: number
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  readonly log: DeliveryLogger
  /** A number from 0 to 1 that spreads out processes that start together. */
  readonly random: () => number
}

/** Removes deliveries from the log after `keepDays`. */
export function createLogPruning({ store, keepDays, clock, ...background }: LogPruningOptions): Pruning {
  const remove = (limit: number) => store.pruneDeliveries(clock() - keepDays * dayMs, limit)
  return createPruning({ what: 'old deliveries of the log', remove, rowsPerStep, intervalMs, ...background })
}
