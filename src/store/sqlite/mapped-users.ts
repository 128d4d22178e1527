import type { DatabaseSync } from 'node:sqlite'
import { maxCharactersAtOnce } from '../../mapping/compiled.ts'
import type { MappingStore } from '../../mapping/mapping-store.ts'
import { decodeEvaluatedUser } from '../mapped-users.ts'
import { everyGroup, groupsOf } from '../reads/users.ts'
import type { Row } from '../row.ts'
import { text } from '../row.ts'
import { userColumns } from '../users.ts'
import { dialect, readBounded, sqliteText } from './sql-database.ts'

/** Reads the users after a position. */
export function createUsersToEvaluate(db: DatabaseSync): MappingStore['usersToEvaluate'] {
  const pages = createUserPages(db)
  return async (directoryId, after, limit) => pages.after(directoryId, after, limit)
}

/** Reads pages of users to evaluate: the next ones of the directory's run, or those after a position. */
export function createUserPages(db: DatabaseSync) {
  const columns = `${userColumns}, (${groupsOf(dialect, 'u.id', everyGroup)}) as groups`
  const pageAfter = (position: string) =>
    db.prepare(
      sqliteText(`
        select ${columns} from users u
        where u.directory_id = $1 and u.sequence > ${position} order by u.sequence limit $2`),
    )
  const [ofRun, after] = [pageAfter('(select position from mapping_runs where directory_id = $1)'), pageAfter('$3')]
  const decode = (rows: Iterable<Row>, maxCharacters: number) =>
    readBounded(rows, maxCharacters, charactersOf).map(decodeEvaluatedUser)
  return {
    nextOfRun: (directoryId: string, limit: number, maxCharacters: number) =>
      decode(ofRun.iterate(directoryId, limit), maxCharacters),
    after: (directoryId: string, position: number, limit: number) =>
      decode(after.iterate(directoryId, limit, position), maxCharactersAtOnce),
  }
}

const charactersOf = (row: Row): number => text(row, 'raw').length
