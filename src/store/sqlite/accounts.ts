import type { DatabaseSync } from 'node:sqlite'
import type { AccountStore } from '../../admin/accounts/store.ts'
import { fold } from '../../scim/fold.ts'
import {
  adminTokenColumns,
  adminTokenValues,
  adminUserColumns,
  adminUserValues,
  decodeAccount,
  decodeAdminUser,
} from '../accounts.ts'
import type { AppendAudit } from './audit.ts'
import type { GroupCommit } from './group-commit.ts'

/** Admin users and their tokens on SQLite. */
export function sqliteAccounts(db: DatabaseSync, { write }: GroupCommit, appendAudit: AppendAudit): AccountStore {
  const addUser = db.prepare(`
    insert into admin_users (id, email, email_folded, timezone, created_at) values (?, ?, ?, ?, ?)
    on conflict (email_folded) do nothing`)
  const userByEmail = db.prepare(`select ${adminUserColumns} from admin_users u where u.email_folded = ?`)
  const userById = db.prepare(`select ${adminUserColumns} from admin_users u where u.id = ?`)
  const setTimezone = db.prepare('update admin_users set timezone = ?1 where id = ?2 and timezone <> ?1')
  const addToken = db.prepare(`
    insert into admin_tokens (id, user_id, token_hash, disabled, created_at, last_used_at) values (?, ?, ?, ?, ?, ?)`)
  const from = `select ${adminTokenColumns} from admin_tokens t cross join admin_users u on u.id = t.user_id`
  const one = db.prepare(`${from} where t.id = ?`)
  const list = db.prepare(`${from} where (t.created_at, t.id) > (?, ?) order by t.created_at, t.id limit ?`)
  const disable = db.prepare('update admin_tokens set disabled = 1 where id = ? and disabled = 0')
  const touch = db.prepare('update admin_tokens set last_used_at = ?1 where id = ?2 and last_used_at < ?1')
  const prune = db.prepare(`
    delete from admin_tokens where id in (
      select id from admin_tokens where last_used_at < ? order by last_used_at limit ?)`)

  return {
    logIn: (candidate, newToken, audit) =>
      write(() => {
        addUser.run(...adminUserValues(candidate))
        const user = decodeAdminUser(userByEmail.get(fold(candidate.email)) ?? {})
        const token = { ...newToken, userId: user.id }
        addToken.run(...adminTokenValues(token))
        appendAudit(audit(user))
        return { user, token }
      }),
    async getAdminToken(id) {
      const row = one.get(id)
      return row && decodeAccount(row)
    },
    listAdminTokens: async ({ after, limit }) =>
      list.all(after?.createdAt ?? 0, after?.id ?? '', limit).map(decodeAccount),
    disableAdminToken: (id, audit) =>
      write(() => {
        const isDisabled = disable.run(id).changes === 1
        if (isDisabled) appendAudit(audit)
        return isDisabled
      }),
    async touchAdminToken(id, at) {
      await write(() => ({ touched: touch.run(at, id).changes }))
    },
    pruneAdminTokens: (unusedSince, limit) => write(() => Number(prune.run(unusedSince, limit).changes)),
    setAdminTimezone: (userId, timezone, audit) =>
      write(() => {
        if (setTimezone.run(timezone, userId).changes === 1) appendAudit(audit)
        const row = userById.get(userId)
        return row && decodeAdminUser(row)
      }),
  }
}
