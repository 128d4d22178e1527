import type { Pruning } from '../../concurrency/pruning.ts'
import { createPruning } from '../../concurrency/pruning.ts'
import type { Schedule } from '../../concurrency/schedule.ts'
import type { Caller, CallerOrigin } from '../../directory/audit.ts'
import type { AdminLog } from '../last-use.ts'
import type { AccountStore, AdminToken, AdminUser } from './account-store.ts'

/** A logged-in admin, with the token of the login. */
export interface AdminSession {
  readonly user: AdminUser
  readonly token: AdminToken
}

/** The admin as the caller of an audit entry. */
export function adminCaller({ id, email }: AdminUser, { requestId, address }: CallerOrigin): Caller {
  return { kind: 'admin', id, name: email, requestId, address }
}

const unusedDays = 30

/** A token that was not used for this long is no longer valid. */
export const maxUnusedMs = unusedDays * 24 * 3_600_000

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

/** Removes admin tokens that expired because they were not used. */
export function createTokenPruning({ store, clock, ...background }: TokenPruningOptions): Pruning {
  const remove = (limit: number) => store.pruneAdminTokens(clock() - maxUnusedMs, limit)
  const what = 'expired admin tokens'
  return createPruning({ what, remove, rowsPerStep: 200, intervalMs: 3_600_000, ...background })
}
