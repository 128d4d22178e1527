import type { Schedule } from '../../concurrency/schedule.ts'
import type { Caller, CallerOrigin } from '../../directory/audit.ts'
import type { Pruning } from '../../directory/pruning.ts'
import { createPruning } from '../../directory/pruning.ts'
import type { AdminLog } from '../last-use.ts'
import type { AccountStore, AdminToken, AdminUser } from './store.ts'

/** An admin who is logged in. */
export interface AdminSession {
  readonly user: AdminUser
  readonly token: AdminToken
}

/** The admin as the audit trail names them. */
export function adminCaller({ id, email }: AdminUser, { requestId, address }: CallerOrigin): Caller {
  return { kind: 'admin', id, name: email, requestId, address }
}

const unusedDays = 30

/** How long a token may be unused before it is good no more, in milliseconds. */
export const maxUnusedMs = unusedDays * 24 * 3_600_000

/** Whether a token is good at a time. */
export function isUsable({ disabled, lastUsedAt }: AdminToken, now: number): boolean {
  return !disabled && now - lastUsedAt < maxUnusedMs
}

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
