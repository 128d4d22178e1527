import type { ConsoleSession, ConsoleSessionStore, KeySession, SessionHolder } from '../admin/sessions/session-store.ts'
import { fields, recordOf } from './record.ts'
import type { Row } from './row.ts'
import { optionalText } from './row.ts'
import type { SqlDatabase } from './sql-database.ts'

/** The maximum number of unused sessions that a new one removes. */
const removedPerSignIn = 100

const sessions = recordOf<ConsoleSession>({
  digest: fields.text,
  holder: fields.group<SessionHolder>(
    { kind: fields.oneOf(['api-key', 'admin-token']), id: fields.text, grant: fields.optionalText },
    'holder_',
  ),
  createdAt: fields.integer,
  lastUsedAt: fields.integer,
})
const { columns } = sessions
const add = `insert into console_sessions (${columns}) values (${sessions.parameters(1)})`
const prune = `
  with unused as materialized (
    select digest from console_sessions where last_used_at < $1
    order by last_used_at limit ${removedPerSignIn} for update skip locked)
  delete from console_sessions where digest in (select digest from unused)`
const one = `select ${columns} from console_sessions where digest = $1`
const list = `
  select ${sessions.columnsOf('console_sessions')}, api_keys.name as key_name
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
    async createConsoleSession(session, unusedSince) {
      await atomically([
        { text: prune, values: [unusedSince] },
        { text: add, values: sessions.values(session) },
      ])
    },
    async findConsoleSession(digest) {
      const [found] = await query({ text: one, values: [digest] })
      return found && sessions.decode(found)
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

/** Decodes a row of `list`. */
function decodeKeySession(row: Row): KeySession {
  return { ...sessions.decode(row), keyName: optionalText(row, 'key_name') }
}
