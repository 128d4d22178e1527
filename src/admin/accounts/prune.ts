import type { Schedule } from '../../concurrency/schedule.ts'
import type { Pruning } from '../../directory/pruning.ts'
import { createPruning } from '../../directory/pruning.ts'
import type { AdminLog } from '../log.ts'
import { maxUnusedMs } from './session.ts'
import type { AccountStore } from './store.ts'

export interface TokenPruningOptions {
  readonly store: Pick<AccountStore, 'pruneAdminTokens'>
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  readonly log: AdminLog
  readonly random: () => number
}

/** Removes admin tokens that nobody has used for so long that they are good no more. */
export function createTokenPruning({ store, clock, ...background }: TokenPruningOptions): Pruning {
  const remove = (limit: number) => store.pruneAdminTokens(clock() - maxUnusedMs, limit)
  const what = 'admin tokens that are not used any more'
  return createPruning({ what, remove, rowsPerStep: 200, intervalMs: 3_600_000, ...background })
}
