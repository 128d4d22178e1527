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
import { createNulSafeWrite, entryAfter, lockAuditHead } from './audit.ts'
import type { Database } from './database.ts'
import type { Reader } from './reader.ts'

/** Of two concurrent logins the second waits here for the first, and `userByEmail` then finds its user. */
const addUser = `
  insert into admin_users (id, email, email_folded, timezone, created_at) values ($1, $2, $3, $4, $5)
  on conflict (email_folded) do nothing`
const userByEmail = `select ${adminUserColumns} from admin_users u where u.email_folded = $1`
const userById = `select ${adminUserColumns} from admin_users u where u.id = $1`
const setTimezone = `
  update admin_users u set timezone = $2 where u.id = $1 and u.timezone <> $2 returning ${adminUserColumns}`

const addToken = `
  insert into admin_tokens (id, user_id, token_hash, disabled, created_at, last_used_at) values ($1, $2, $3, $4, $5, $6)`
const from = `select ${adminTokenColumns} from admin_tokens t join admin_users u on u.id = t.user_id`
const one = `${from} where t.id = $1`
const list = `${from} where (t.created_at, t.id) > ($1, $2) order by t.created_at, t.id limit $3`
const disable = 'update admin_tokens set disabled = 1 where id = $1 and disabled = 0 returning id'
const touch = 'update admin_tokens set last_used_at = $2 where id = $1 and last_used_at < $2'
const prune = `
  with step as (
    delete from admin_tokens where id = any(array(
      select id from admin_tokens where last_used_at < $1 order by last_used_at limit $2 for update skip locked))
    returning 1
  )
  select count(*) as n from step`

/** Admin users and their tokens on PostgreSQL. */
export function postgresAccounts(database: Database, reader: Reader): AccountStore {
  const { rows, row, number } = reader
  const change = createNulSafeWrite(database)
  return {
    logIn(candidate, newToken, audit) {
      const first = [
        { text: addUser, values: adminUserValues(candidate) },
        { text: userByEmail, values: [fold(candidate.email)] },
        lockAuditHead,
      ]
      return database.transaction(first, ([, [found = {}] = [], head]) => {
        const user = decodeAdminUser(found)
        const token = { ...newToken, userId: user.id }
        const entry = entryAfter(head, audit(user)).statements
        return { statements: [{ text: addToken, values: adminTokenValues(token) }, ...entry], answer: { user, token } }
      })
    },
    async getAdminToken(id) {
      const found = await row({ text: one, values: [id] })
      return found && decodeAccount(found)
    },
    async listAdminTokens({ after, limit }) {
      return (await rows({ text: list, values: [after?.createdAt ?? 0, after?.id ?? '', limit] })).map(decodeAccount)
    },
    async disableAdminToken(id, audit) {
      return (await change({ text: disable, values: [id] }, audit)).length === 1
    },
    async touchAdminToken(id, at) {
      await rows({ text: touch, values: [id, at] })
    },
    pruneAdminTokens: (unusedSince, limit) => number({ text: prune, values: [unusedSince, limit] }),
    async setAdminTimezone(userId, timezone, audit) {
      const [changed] = await change({ text: setTimezone, values: [userId, timezone] }, audit)
      const found = changed ?? (await row({ text: userById, values: [userId] }))
      return found && decodeAdminUser(found)
    },
  }
}
