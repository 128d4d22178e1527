import type { Pruning, PruningOptions } from '../concurrency/pruning.ts'
import { createPruning } from '../concurrency/pruning.ts'
import type { ProvisioningStore } from '../directory/directory-store.ts'

const dayMs = 24 * 3_600_000
const rowsPerStep = 500
const intervalMs = 3_600_000

export interface DeletedUserPruningOptions extends Pick<PruningOptions, 'schedule' | 'log' | 'random'> {
  readonly store: Pick<ProvisioningStore, 'pruneDeletedUsers'>
  /** The number of days after its deletion for which a user is recognized. */
  readonly days: number
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** Forgets deleted users who are no longer recognized. */
export function createDeletedUserPruning({ store, days, clock, ...background }: DeletedUserPruningOptions): Pruning {
  const remove = (limit: number) => store.pruneDeletedUsers(clock() - days * dayMs, limit)
  return createPruning({
    what: 'deleted users who are no longer recognized',
    remove,
    rowsPerStep,
    intervalMs,
    ...background,
  })
}
