import type { AdminStore } from '../admin/admin-store.ts'
import { text } from './row.ts'
import type { Sealing } from './sealing.ts'
import { settingLocation } from './sealing.ts'
import type { SqlDatabase } from './sql-database.ts'

const insert = 'insert into settings (name, value) values ($1, $2) on conflict do nothing'
const read = 'select value from settings where name = $1'

/** Values that the service itself keeps. */
export function createSettingStore({ atomically }: SqlDatabase, { seal, open }: Sealing): AdminStore {
  return {
    async getOrCreateSecret(name, candidate) {
      const location = settingLocation(name)
      const [, [row] = []] = await atomically([
        { text: insert, values: [name, seal(candidate, location)] },
        { text: read, values: [name] },
      ])
      return open(text(row ?? {}, 'value'), location)
    },
  }
}
