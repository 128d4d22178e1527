import type { AdminStore } from '../../admin/store.ts'
import type { Sealing } from '../sealing.ts'
import type { Database } from './database.ts'

const keep = `insert into settings (name, value) values ('first-api-key', $1) on conflict do nothing`
const read = `select value from settings where name = 'first-api-key'`

/** What the service keeps for itself, on PostgreSQL. */
export function postgresSettings({ atomically }: Database, { seal, open }: Sealing): AdminStore {
  return {
    async keepFirstApiKey(candidate) {
      const [, kept = []] = await atomically([
        { text: keep, values: [seal(candidate)] },
        { text: read, values: [] },
      ])
      return open(String(kept[0]?.['value']))
    },
  }
}
