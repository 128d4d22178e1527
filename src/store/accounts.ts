import type { AdminToken, AdminUser } from '../admin/accounts/store.ts'
import { fold } from '../scim/fold.ts'

/** The columns of an admin user `u`, in both databases. */
export const adminUserColumns = 'u.id as user_id, u.email, u.timezone, u.created_at as user_created_at'

/** The columns of an admin token `t` with those of its user `u`. */
export const adminTokenColumns = `t.id, t.token_hash, t.disabled, t.created_at, t.last_used_at, ${adminUserColumns}`

/** A row of `adminUserColumns`. */
export interface AdminUserRow {
  readonly user_id: string
  readonly email: string
  readonly timezone: string
  readonly user_created_at: number
}

/** A row of `adminTokenColumns`. */
export interface AdminTokenRow extends AdminUserRow {
  readonly id: string
  readonly token_hash: string
  readonly disabled: number
  readonly created_at: number
  readonly last_used_at: number
}

/** The user of a row. */
export function adminUserOf(row: AdminUserRow): AdminUser {
  return { id: row.user_id, email: row.email, timezone: row.timezone, createdAt: row.user_created_at }
}

/** The token of a row, with its user. */
export function accountOf(row: AdminTokenRow): { user: AdminUser; token: AdminToken } {
  const token = {
    id: row.id,
    userId: row.user_id,
    tokenHash: row.token_hash,
    disabled: row.disabled === 1,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }
  return { user: adminUserOf(row), token }
}

/** The values of `id, email, email_folded, timezone, created_at`. */
export function adminUserValues({ id, email, timezone, createdAt }: AdminUser): (string | number)[] {
  return [id, email, fold(email), timezone, createdAt]
}

/** The values of `id, user_id, token_hash, disabled, created_at, last_used_at`. */
export function adminTokenValues(token: AdminToken): (string | number)[] {
  const { id, userId, tokenHash, disabled, createdAt, lastUsedAt } = token
  return [id, userId, tokenHash, Number(disabled), createdAt, lastUsedAt]
}
