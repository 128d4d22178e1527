import type { ApiKeyStore, ManagedApiKey } from '../admin/keys/api-key-store.ts'
import { entryAfter, lockAuditHead, writeAuditedByKey } from './audit-chain.ts'
import type { Row } from './row.ts'
import { boolean, integer, optionalInteger, optionalText, text } from './row.ts'
import type { SqlDatabase } from './sql-database.ts'

/** The columns of an API key, in the order of `apiKeyValues`. */
const columns = 'id, name, prefix, digest, tenant, product, read_only, created_at, expires_at, last_used_at'

const add = `insert into api_keys (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
const one = `select ${columns} from api_keys where id = $1`
const byDigest = `select ${columns} from api_keys where digest = $1`
const list = `select ${columns} from api_keys where (created_at, id) > ($1, $2) order by created_at, id limit $3`
const remove = 'delete from api_keys where id = $1 returning id'
const touch = 'update api_keys set last_used_at = $2 where id = $1 and coalesce(last_used_at, 0) < $2'

/** Managed API keys. */
export function createApiKeyStore(database: SqlDatabase): ApiKeyStore {
  const { query, atomically, transaction } = database
  return {
    createApiKey: (key, audit) =>
      transaction([lockAuditHead], ([head]) => ({
        statements: [{ text: add, values: apiKeyValues(key) }, ...entryAfter(head, audit).statements],
        answer: undefined,
      })),
    async listApiKeys({ after, limit }) {
      return (await query({ text: list, values: [after?.createdAt ?? 0, after?.id ?? '', limit] })).map(decodeApiKey)
    },
    async getApiKey(id) {
      const [found] = await query({ text: one, values: [id] })
      return found && decodeApiKey(found)
    },
    async findApiKey(digest) {
      const [found] = await query({ text: byDigest, values: [digest] })
      return found && decodeApiKey(found)
    },
    async deleteApiKey(id, audit) {
      return (await writeAuditedByKey(database, { text: remove, values: [id] }, audit)).length === 1
    },
    async touchApiKey(id, at) {
      await atomically([{ text: touch, values: [id, at] }])
    },
  }
}

function decodeApiKey(row: Row): ManagedApiKey {
  return {
    id: text(row, 'id'),
    name: text(row, 'name'),
    prefix: text(row, 'prefix'),
    digest: text(row, 'digest'),
    scope: {
      tenant: optionalText(row, 'tenant'),
      product: optionalText(row, 'product'),
      readOnly: boolean(row, 'read_only'),
    },
    createdAt: integer(row, 'created_at'),
    expiresAt: optionalInteger(row, 'expires_at'),
    lastUsedAt: optionalInteger(row, 'last_used_at'),
  }
}

function apiKeyValues(key: ManagedApiKey): (string | number | null)[] {
  const { id, name, prefix, digest, scope, createdAt, expiresAt, lastUsedAt } = key
  const { tenant, product, readOnly } = scope
  return [
    ...[id, name, prefix, digest, tenant ?? null, product ?? null, Number(readOnly)],
    ...[createdAt, expiresAt ?? null, lastUsedAt ?? null],
  ]
}
