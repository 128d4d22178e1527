import type { Schedule } from '../../concurrency/schedule.ts'
import type { Pruning } from '../../directory/pruning.ts'
import { createPruning } from '../../directory/pruning.ts'
import type { AdminLog } from '../log.ts'
import type { AuditStore } from './store.ts'

const dayMs = 24 * 3_600_000

export interface AuditRetentionOptions {
  readonly store: Pick<AuditStore, 'pruneAudit'>
  /** How many days an entry is kept; 0: for ever. */
  readonly days: number
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  readonly log: AdminLog
  readonly random: () => number
}

/** Removes old entries of the audit trail, from the oldest on; what remains is still a chain. */
export function createAuditRetention({ store, days, clock, ...background }: AuditRetentionOptions): Pruning {
  if (days === 0) return { start: () => {}, close: async () => {} }
  const remove = (limit: number) => store.pruneAudit(clock() - days * dayMs, limit)
  const what = 'old entries of the audit trail'
  return createPruning({ what, remove, rowsPerStep: 200, intervalMs: 3_600_000, ...background })
}
