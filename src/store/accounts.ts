import type { AccountStore, AdminToken, AdminUser } from '../admin/accounts/account-store.ts'
import { fold } from '../scim/fold.ts'
import { entryAfter, lockAuditHead, writeAudited } from './audit-chain.ts'
import { fields, recordOf } from './record.ts'
import type { Row } from './row.ts'
import { integer, text } from './row.ts'
import type { SqlDatabase } from './sql-database.ts'

const furtherUserColumns = 'u.email, u.timezone, u.created_at as user_created_at'
const userColumns = `u.id as user_id, ${furtherUserColumns}`
const tokens = recordOf<AdminToken>({
  id: fields.text,
  userId: fields.text,
  tokenHash: fields.text,
  disabled: fields.boolean,
  createdAt: fields.integer,
  lastUsedAt: fields.integer,
})

/** The second of two concurrent logins waits here for the first, and `userByEmail` then finds its user. */
const addUser = `
  insert into admin_users (id, email, email_folded, timezone, created_at) values ($1, $2, $3, $4, $5)
  on conflict (email_folded) do nothing`
const userByEmail = `select ${userColumns} from admin_users u where u.email_folded = $1`
const userById = `select ${userColumns} from admin_users u where u.id = $1`
const setTimezone = 'update admin_users set timezone = $2 where id = $1 and timezone <> $2 returning id'

const addToken = `insert into admin_tokens (${tokens.columns}) values (${tokens.parameters(1)})`
/** Every token has a user; the outer join makes SQLite begin with the tokens, in the order of their index. */
const from = `select ${tokens.columnsOf('t')}, ${furtherUserColumns} from admin_tokens t left join admin_users u on u.id = t.user_id`
const one = `${from} where t.id = $1`
const list = `${from} where (t.created_at, t.id) > ($1, $2) order by t.created_at, t.id limit $3`
const disable = 'update admin_tokens set disabled = 1 where id = $1 and disabled = 0 returning id'
const touch = 'update admin_tokens set last_used_at = $2 where id = $1 and last_used_at < $2'
const prune = `
  with unused as materialized (
    select id from admin_tokens where last_used_at < $1 order by last_used_at limit $2 for update skip locked)
  delete from admin_tokens where id in (select id from unused) returning id`

/** Admin users and their tokens. */
export function createAccountStore(database: SqlDatabase): AccountStore {
  const { query, atomically, transaction } = database
  return {
    logIn(candidate, newToken, audit) {
      const first = [
        { text: addUser, values: adminUserValues(candidate) },
        { text: userByEmail, values: [fold(candidate.email)] },
        lockAuditHead,
      ]
      return transaction(first, ([, [found = {}] = [], head]) => {
        const user = decodeAdminUser(found)
        const token = { ...newToken, userId: user.id }
        const entry = entryAfter(head, audit(user)).statements
        return { statements: [{ text: addToken, values: tokens.values(token) }, ...entry], answer: { user, token } }
      })
    },
    async getAdminToken(id) {
      const [found] = await query({ text: one, values: [id] })
      return found && decodeAccount(found)
    },
    async listAdminTokens({ after, limit }) {
      return (await query({ text: list, values: [after?.createdAt ?? 0, after?.id ?? '', limit] })).map(decodeAccount)
    },
    async disableAdminToken(id, audit) {
      return (await writeAudited(database, { text: disable, values: [id] }, audit)).length === 1
    },
    async touchAdminToken(id, at) {
      await atomically([{ text: touch, values: [id, at] }])
    },
    async pruneAdminTokens(unusedSince, limit) {
      const [removed = []] = await atomically([{ text: prune, values: [unusedSince, limit] }])
      return removed.length
    },
    async setAdminTimezone(userId, timezone, audit) {
      await writeAudited(database, { text: setTimezone, values: [userId, timezone] }, audit)
      const [found] = await query({ text: userById, values: [userId] })
      return found && decodeAdminUser(found)
    },
  }
}

/** Decodes a row of `userColumns`. */
function decodeAdminUser(row: Row): AdminUser {
  return {
    id: text(row, 'user_id'),
    email: text(row, 'email'),
    timezone: text(row, 'timezone'),
    createdAt: integer(row, 'user_created_at'),
  }
}

/** Decodes a row of the columns of a token, which has the id of its user, and `furtherUserColumns`. */
function decodeAccount(row: Row): { user: AdminUser; token: AdminToken } {
  return { user: decodeAdminUser(row), token: tokens.decode(row) }
}

/** The values of `id, email, email_folded, timezone, created_at`. */
function adminUserValues({ id, email, timezone, createdAt }: AdminUser): (string | number)[] {
  return [id, email, fold(email), timezone, createdAt]
}
