import type { ApiKeyStore } from '../../admin/keys/store.ts'
import { apiKeyColumns, apiKeyValues, decodeApiKey } from '../api-keys.ts'
import { createAuditedWrite, createNulSafeWrite } from './audit.ts'
import type { Database } from './database.ts'
import type { Reader } from './reader.ts'

const add = `insert into api_keys (${apiKeyColumns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id`
const one = `select ${apiKeyColumns} from api_keys where id = $1`
const byDigest = `select ${apiKeyColumns} from api_keys where digest = $1`
const list = `
  select ${apiKeyColumns} from api_keys where (created_at, id) > ($1, $2) order by created_at, id limit $3`
const remove = 'delete from api_keys where id = $1 returning id'
const touch = 'update api_keys set last_used_at = $2 where id = $1 and coalesce(last_used_at, 0) < $2'

/** Managed API keys on PostgreSQL. */
export function postgresApiKeys(database: Database, reader: Reader): ApiKeyStore {
  const { rows, row } = reader
  const change = createNulSafeWrite(database)
  const write = createAuditedWrite(database)
  return {
    async createApiKey(key, audit) {
      await write({ text: add, values: apiKeyValues(key) }, audit)
    },
    async listApiKeys({ after, limit }) {
      return (await rows({ text: list, values: [after?.createdAt ?? 0, after?.id ?? '', limit] })).map(decodeApiKey)
    },
    async getApiKey(id) {
      const found = await row({ text: one, values: [id] })
      return found && decodeApiKey(found)
    },
    async findApiKey(digest) {
      const found = await row({ text: byDigest, values: [digest] })
      return found && decodeApiKey(found)
    },
    async deleteApiKey(id, audit) {
      return (await change({ text: remove, values: [id] }, audit)).length === 1
    },
    async touchApiKey(id, at) {
      await rows({ text: touch, values: [id, at] })
    },
  }
}
