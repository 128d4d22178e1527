import type { Pruning } from '../../concurrency/pruning.ts'
import { createPruning } from '../../concurrency/pruning.ts'
import type { Schedule } from '../../concurrency/schedule.ts'
import type { DeliveryLogger } from '../../delivery/observer.ts'
import type { DeprovisioningStore } from './deprovisioning-store.ts'
import { keptDays } from './deprovisionings.ts'

const dayMs = 24 * 3_600_000
const rowsPerStep = 500
const intervalMs = 3_600_000

export interface DeprovisioningPruningOptions {
  readonly store: Pick<DeprovisioningStore, 'pruneDeprovisionings'>
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  readonly log: DeliveryLogger
  /** A number from 0 to 1 that spreads out processes that start together. */
  readonly random: () => number
}

/** Removes open deprovisionings and statistics after 30 days. */
export function createDeprovisioningPruning({ store, clock, ...background }: DeprovisioningPruningOptions): Pruning {
  const remove = (limit: number) => store.pruneDeprovisionings(clock() - keptDays * dayMs, limit)
  return createPruning({ what: 'old times of deprovisionings', remove, rowsPerStep, intervalMs, ...background })
}
