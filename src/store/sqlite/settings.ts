import type { DatabaseSync } from 'node:sqlite'
import type { AdminStore } from '../../admin/store.ts'
import { text } from '../row.ts'
import type { Sealing } from '../sealing.ts'
import { settingLocation } from '../sealing.ts'
import type { GroupCommit } from './group-commit.ts'

/** Values that the service itself keeps, on SQLite. */
export function sqliteSettings(db: DatabaseSync, { write }: GroupCommit, { seal, open }: Sealing): AdminStore {
  const insert = db.prepare('insert into settings (name, value) values (?, ?) on conflict do nothing')
  const read = db.prepare('select value from settings where name = ?')
  return {
    async getOrCreateSecret(name, candidate) {
      const location = settingLocation(name)
      const { sealed } = await write(() => {
        insert.run(name, seal(candidate, location))
        return { sealed: text(read.get(name) ?? {}, 'value') }
      })
      return open(sealed, location)
    },
  }
}
