import type { DatabaseSync } from 'node:sqlite'
import type { ApiKeyStore } from '../../admin/keys/store.ts'
import { apiKeyColumns, apiKeyValues, decodeApiKey } from '../api-keys.ts'
import type { AppendAudit } from './audit.ts'
import type { GroupCommit } from './group-commit.ts'

/** Managed API keys on SQLite. */
export function sqliteApiKeys(db: DatabaseSync, { write }: GroupCommit, appendAudit: AppendAudit): ApiKeyStore {
  const add = db.prepare(`insert into api_keys (${apiKeyColumns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const one = db.prepare(`select ${apiKeyColumns} from api_keys where id = ?`)
  const byDigest = db.prepare(`select ${apiKeyColumns} from api_keys where digest = ?`)
  const list = db.prepare(`
    select ${apiKeyColumns} from api_keys where (created_at, id) > (?, ?) order by created_at, id limit ?`)
  const remove = db.prepare('delete from api_keys where id = ?')
  const touch = db.prepare('update api_keys set last_used_at = ?1 where id = ?2 and coalesce(last_used_at, 0) < ?1')

  return {
    async createApiKey(key, audit) {
      await write(() => {
        add.run(...apiKeyValues(key))
        appendAudit(audit)
      })
    },
    listApiKeys: async ({ after, limit }) => list.all(after?.createdAt ?? 0, after?.id ?? '', limit).map(decodeApiKey),
    async getApiKey(id) {
      const row = one.get(id)
      return row && decodeApiKey(row)
    },
    async findApiKey(digest) {
      const row = byDigest.get(digest)
      return row && decodeApiKey(row)
    },
    deleteApiKey: (id, audit) =>
      write(() => {
        const isDeleted = remove.run(id).changes === 1
        if (isDeleted) appendAudit(audit)
        return isDeleted
      }),
    async touchApiKey(id, at) {
      await write(() => ({ touched: touch.run(at, id).changes }))
    },
  }
}
