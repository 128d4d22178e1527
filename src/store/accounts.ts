import type { AdminToken, AdminUser } from '../admin/accounts/store.ts'
import { fold } from '../scim/fold.ts'
import type { Row } from './row.ts'
import { boolean, integer, text } from './row.ts'

/** The columns of an admin user `u`. */
export const adminUserColumns = 'u.id as user_id, u.email, u.timezone, u.created_at as user_created_at'

/** The columns of an admin token `t` and of its user `u`. */
export const adminTokenColumns = `t.id, t.token_hash, t.disabled, t.created_at, t.last_used_at, ${adminUserColumns}`

/** Decodes a row of `adminUserColumns`. */
export function decodeAdminUser(row: Row): AdminUser {
  return {
    id: text(row, 'user_id'),
    email: text(row, 'email'),
    timezone: text(row, 'timezone'),
    createdAt: integer(row, 'user_created_at'),
  }
}

/** Decodes a row of `adminTokenColumns`. */
export function decodeAccount(row: Row): { user: AdminUser; token: AdminToken } {
  const user = decodeAdminUser(row)
  const token = {
    id: text(row, 'id'),
    userId: user.id,
    tokenHash: text(row, 'token_hash'),
    disabled: boolean(row, 'disabled'),
    createdAt: integer(row, 'created_at'),
    lastUsedAt: integer(row, 'last_used_at'),
  }
  return { user, token }
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
