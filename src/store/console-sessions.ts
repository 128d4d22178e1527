import type { ConsoleSession, ConsoleSessionStore } from '../admin/sessions/session-store.ts'
import type { Row } from './row.ts'
import { integer, text } from './row.ts'
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
