import type { ApiKeyScope, ApiKeyStore, ManagedApiKey } from '../admin/keys/api-key-store.ts'
import { entryAfter, lockAuditHead, writeAudited } from './audit-chain.ts'
import { fields, recordOf } from './record.ts'
import type { SqlDatabase } from './sql-database.ts'

const keys = recordOf<ManagedApiKey>({
  id: fields.text,
  name: fields.text,
  prefix: fields.text,
  digest: fields.text,
  scope: fields.group<ApiKeyScope>({
    tenant: fields.optionalText,
    product: fields.optionalText,
    readOnly: fields.boolean,
  }),
  createdAt: fields.integer,
  expiresAt: fields.optionalInteger,
  lastUsedAt: fields.optionalInteger,
})
const { columns } = keys

const add = `insert into api_keys (${columns}) values (${keys.parameters(1)})`
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
        statements: [{ text: add, values: keys.values(key) }, ...entryAfter(head, audit).statements],
        answer: undefined,
      })),
    async listApiKeys({ after, limit }) {
      return (await query({ text: list, values: [after?.createdAt ?? 0, after?.id ?? '', limit] })).map(keys.decode)
    },
    async getApiKey(id) {
      const [found] = await query({ text: one, values: [id] })
      return found && keys.decode(found)
    },
    async findApiKey(digest) {
      const [found] = await query({ text: byDigest, values: [digest] })
      return found && keys.decode(found)
    },
    async deleteApiKey(id, audit) {
      return (await writeAudited(database, { text: remove, values: [id] }, audit)).length === 1
    },
    async touchApiKey(id, at) {
      await atomically([{ text: touch, values: [id, at] }])
    },
  }
}
