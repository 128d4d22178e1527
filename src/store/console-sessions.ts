import type { ConsoleSession, ConsoleSessionStore, KeySession } from '../admin/sessions/session-store.ts'
import type { Row } from './row.ts'
import { integer, optionalText, text } from './row.ts'
import type { SqlDatabase } from './sql-database.ts'

/** The maximum number of unused sessions that a new one removes. */
const removedPerSignIn = 100

const columns = 'digest, holder_kind, holder_id, created_at, last_used_at'
const add = `insert into console_sessions (${columns}) values ($1, $2, $3, $4, $5)`
const prune = `
  with unused as materialized (
    select digest from console_sessions where last_used_at < $1
    order by last_used_at limit ${removedPerSignIn} for update skip locked)
  delete from console_sessions where digest in (select digest from unused)`
const one = `select ${columns} from console_sessions where digest = $1`
const list = `
  select console_sessions.digest, holder_kind, holder_id, console_sessions.created_at, console_sessions.last_used_at,
    api_keys.name as key_name
  from console_sessions left join api_keys on api_keys.id = holder_id
  where holder_kind = 'api-key' and holder_id = coalesce($1, holder_id)
    and console_sessions.created_at > $2 and console_sessions.last_used_at > $3
    and (api_keys.expires_at is null or api_keys.expires_at > $4)
    and (console_sessions.created_at, console_sessions.digest) < ($5, $6)
  order by console_sessions.created_at desc, console_sessions.digest desc limit $7`
const touch = 'update console_sessions set last_used_at = $2 where digest = $1 and last_used_at < $2'
const remove = 'delete from console_sessions where digest = $1'

/** The sessions of the console. */
export function createConsoleSessionStore({ query, atomically }: SqlDatabase): ConsoleSessionStore {
  return {
    async createConsoleSession({ digest, holder, createdAt, lastUsedAt }, unusedSince) {
      await atomically([
        { text: prune, values: [unusedSince] },
        { text: add, values: [digest, holder.kind, holder.id, createdAt, lastUsedAt] },
      ])
    },
    async findConsoleSession(digest) {
      const [found] = await query({ text: one, values: [digest] })
      return found && decodeConsoleSession(found)
    },
    async listKeySessions({ keyId, at, createdAfter, usedAfter, after, limit }) {
      const position = [after?.createdAt ?? Number.MAX_SAFE_INTEGER, after?.digest ?? '']
      const rows = await query({ text: list, values: [keyId ?? null, createdAfter, usedAfter, at, ...position, limit] })
      return rows.map(decodeKeySession)
    },
    async touchConsoleSession(digest, at) {
      await atomically([{ text: touch, values: [digest, at] }])
    },
    async deleteConsoleSession(digest) {
      await atomically([{ text: remove, values: [digest] }])
    },
  }
}

/** Decodes a row of `columns`. */
function decodeConsoleSession(row: Row): ConsoleSession {
  return {
    digest: text(row, 'digest'),
    holder: { kind: text(row, 'holder_kind') === 'api-key' ? 'api-key' : 'admin-token', id: text(row, 'holder_id') },
    createdAt: integer(row, 'created_at'),
    lastUsedAt: integer(row, 'last_used_at'),
  }
}

/** Decodes a row of `list`. */
function decodeKeySession(row: Row): KeySession {
  return { ...decodeConsoleSession(row), keyName: optionalText(row, 'key_name') }
}
