import type { DirectoryScope, NamedScope } from '../../directory/directory.ts'
import type { Row } from '../row.ts'
import type { SqlDatabase, Statement } from '../sql-database.ts'
import { noLimit, readOfKey } from '../sql-database.ts'
import type { ListTable } from './lists.ts'

/** The directory `$1`, if it is not deleted, and its tenant and product are `$2` and `$3` or these are null. */
const namedDirectory = `
  select d.id, d.created_at from directories d
  where d.deleted <> 1 and d.id = $1 and d.tenant = coalesce($2, d.tenant) and d.product = coalesce($3, d.product)`

/** Makes the read of a list of a directory: it has no rows unless the scope contains the directory. */
export function createListRead({ query, queryAll }: SqlDatabase) {
  const lookUp = ({ directoryId, tenant, product }: NamedScope): Statement => ({
    text: namedDirectory,
    values: [directoryId, tenant ?? null, product ?? null],
  })
  return {
    /** Runs the statement of a list, together with the look-up of the directory. */
    async rowsWithin(scope: NamedScope | undefined, list: Statement): Promise<Row[]> {
      if (scope === undefined) return query(list)
      const [directories = [], rows = []] = await queryAll([lookUp(scope), list])
      return directories.length === 0 ? [] : rows
    },
    isWithin: async (scope: NamedScope | undefined): Promise<boolean> =>
      scope === undefined || (await query(lookUp(scope))).length > 0,
  }
}

/** The most ids per statement: a group may come with all of its first members. */
const maxIds = 20

/** Makes the read of a user or group in all directories of a scope: see `decodeInDirectory`. */
export function createScopedRead(
  { readOne, dialect }: SqlDatabase,
  { table, alias, columns }: ListTable,
): (scope: DirectoryScope, id: string) => Promise<Row | undefined> {
  const { rowBy, joinOne, equals, apart } = dialect
  const found = `select ${alias}.directory_id, d.created_at as directory_created_at, ${columns}`
  const inDirectory = (id: string) => `
    ${found} from (${namedDirectory}) d
    ${rowBy(table, alias, 'id', id, '*', 'd.id')}`
  /**
   * In a directory of the tenant `$1` and product `$2`, however many there are: the row is found by its id alone. No two directories
   * have the same id; if they had, the older one counts.
   */
  const inDirectories = (id: string) => `
    ${found} from (
      select * from ${table} i where ${equals(apart('i.id'), id)} order by ${apart('i.id')} limit ${noLimit}
    ) ${alias}
    ${joinOne('directories', 'd', `d.id = ${alias}.directory_id and d.deleted <> 1 and d.tenant = $1 and d.product = $2`)}
    order by d.created_at, d.id limit 1`
  const ofDirectory = readOne(readOfKey(inDirectory, 3), maxIds)
  const ofScope = readOne(readOfKey(inDirectories, 2), maxIds)
  return ({ directoryId, tenant = null, product = null }, id) =>
    directoryId === undefined ? ofScope([tenant, product], id) : ofDirectory([directoryId, tenant, product], id)
}
