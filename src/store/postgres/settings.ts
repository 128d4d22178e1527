import type { AdminStore } from '../../admin/store.ts'
import { settingPlace } from '../sealed-place.ts'
import type { Sealing } from '../sealing.ts'
import type { Database } from './database.ts'

const keep = 'insert into settings (name, value) values ($1, $2) on conflict do nothing'
const read = 'select value from settings where name = $1'

/** What the service keeps for itself, on PostgreSQL. */
export function postgresSettings({ atomically }: Database, { seal, open }: Sealing): AdminStore {
  return {
    async getOrCreateSecret(name, candidate) {
      const [, kept = []] = await atomically([
        { text: keep, values: [name, seal(candidate, settingPlace(name))] },
        { text: read, values: [name] },
      ])
      return open(String(kept[0]?.['value']), settingPlace(name))
    },
  }
}
