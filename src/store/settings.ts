import type { AdminStore, KeyRotation } from '../admin/admin-store.ts'
import { text } from './row.ts'
import type { Sealing } from './sealing.ts'
import { settingLocation } from './sealing.ts'
import type { Conclusion, SqlDatabase } from './sql-database.ts'

const insert = 'insert into settings (name, value) values ($1, $2) on conflict do nothing'
const replace = 'update settings set value = $2 where name = $1'
const read = 'select value from settings where name = $1'

/** Values that the service itself keeps. */
export function createSettingStore(
  { atomically, transaction }: SqlDatabase,
  { seal, open }: Sealing,
): AdminStore & Pick<KeyRotation, 'changeSecret'> {
  return {
    async getOrCreateSecret(name, candidate) {
      const location = settingLocation(name)
      const [, [row] = []] = await atomically([
        { text: insert, values: [name, seal(candidate, location)] },
        { text: read, values: [name] },
      ])
      return open(text(row ?? {}, 'value'), location)
    },
    changeSecret(name, changed) {
      const location = settingLocation(name)
      return transaction([{ text: `${read} for update`, values: [name] }], (read): Conclusion<void> => {
        const row = read[0]?.[0]
        if (row === undefined) return { statements: [], answer: undefined }
        const value = seal(changed(open(text(row, 'value'), location)), location)
        return { statements: [{ text: replace, values: [name, value] }], answer: undefined }
      })
    },
  }
}
