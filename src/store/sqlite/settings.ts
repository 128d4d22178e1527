import type { DatabaseSync } from 'node:sqlite'
import type { AdminStore } from '../../admin/store.ts'
import { settingPlace } from '../sealed-place.ts'
import type { Sealing } from '../sealing.ts'
import type { GroupCommit } from './group-commit.ts'

/** What the service keeps for itself, on SQLite. */
export function sqliteSettings(db: DatabaseSync, { write }: GroupCommit, { seal, open }: Sealing): AdminStore {
  const insert = db.prepare('insert into settings (name, value) values (?, ?) on conflict do nothing')
  const read = db.prepare('select value from settings where name = ?')
  return {
    async getOrCreateSecret(name, candidate) {
      const place = settingPlace(name)
      const { sealed } = await write(() => {
        insert.run(name, seal(candidate, place))
        return { sealed: String(read.get(name)?.['value']) }
      })
      return open(sealed, place)
    },
  }
}
