import type { Pruning, PruningOptions } from '../../concurrency/pruning.ts'
import { createPruning } from '../../concurrency/pruning.ts'
import type { Schedule } from '../../concurrency/schedule.ts'
import type { RequestLogStore } from './request-log-store.ts'

const dayMs = 24 * 3600 * 1000
const rowsPerStep = 200
const intervalMs = 10 * 60 * 1000

export interface RequestPruningOptions extends Pick<PruningOptions, 'log' | 'random'> {
  readonly store: Pick<RequestLogStore, 'pruneRequests'>
  readonly keepDays: number
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
}

/** Removes requests from the log after `keepDays`. */
export function createRequestPruning({ store, keepDays, clock, ...background }: RequestPruningOptions): Pruning {
  const remove = (limit: number) => store.pruneRequests(clock() - keepDays * dayMs, limit)
  return createPruning({ what: 'old requests of the log', remove, rowsPerStep, intervalMs, ...background })
}
