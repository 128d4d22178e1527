import type { Caller } from '../../directory/audit.ts'
import type { Origin } from '../origin.ts'
import type { AdminToken, AdminUser } from './store.ts'

/** An admin who is logged in. */
export interface AdminSession {
  readonly user: AdminUser
  readonly token: AdminToken
}

/** The admin as the audit trail names them. */
export function adminCaller({ id, email }: AdminUser, { requestId, address }: Origin): Caller {
  return { kind: 'admin', id, name: email, requestId, address }
}

const unusedDays = 30

/** How long a token may be unused before it is good no more, in milliseconds. */
export const maxUnusedMs = unusedDays * 24 * 3_600_000

/** Whether a token is good at a time. */
export function isUsable({ disabled, lastUsedAt }: AdminToken, now: number): boolean {
  return !disabled && now - lastUsedAt < maxUnusedMs
}
