import type { DirectoryScope } from '../../directory/directory.ts'
import type { Row } from '../row.ts'
import { holdsNul } from '../sql-database.ts'
import type { ReadStatements } from './batched-reads.ts'
import { batchReadsOf, keysIn } from './batched-reads.ts'
import type { Database } from './database.ts'
import type { ListTable } from './lists.ts'
import { rowBy } from './sql.ts'

/** Whether `d` is the directory `$1`, and its tenant and product are `$2` and `$3` where these are not null. */
const isNamed =
  'd.deleted <> 1 and d.id = $1 and d.tenant = coalesce($2, d.tenant) and d.product = coalesce($3, d.product)'

/** The row of a table with an id, in the directory `$1`, if its tenant and product are `$2` and `$3` or these are null. */
const rowInDirectory = ({ table, alias, columns }: ListTable, id: string) => `
  select ${alias}.directory_id, d.created_at as directory_created_at, ${columns} from (
    select d.id, d.created_at from directories d
    where ${isNamed}
  ) d
  ${rowBy(table, alias, 'id', id, '*', 'd.id')}`

/**
 * The row with an id in a directory of the tenant `$1` and product `$2`, however many there are: it is found by the index
 * on the id alone, then its directory is looked at. No two directories have the same id; if they had, the older one counts.
 */
const rowInDirectories = ({ table, alias, columns }: ListTable, id: string) => `
  select ${alias}.directory_id, d.created_at as directory_created_at, ${columns} from (
    select * from ${table} i where i.id || '' between ${id} and ${id} order by i.id || '' limit (select 1000000000)
  ) ${alias}
  cross join lateral (
    select d.id, d.created_at from directories d
    where d.id between ${alias}.directory_id and ${alias}.directory_id
      and d.deleted <> 1 and d.tenant = $1 and d.product = $2
    order by d.id limit 1
  ) d
  order by d.created_at, d.id limit 1`

/** The most ids per statement: a group may come with all of its first members. */
const maxIds = 20

/** Makes the read of a user or group in all directories of a scope. Concurrent reads in the same scope share a statement. */
export function scopedReads(
  database: Pick<Database, 'query'>,
  table: ListTable,
): (scope: DirectoryScope, id: string) => Promise<Row | undefined> {
  const readsBy = ({ one, many }: ReadStatements) =>
    batchReadsOf(
      database,
      (scope, ids) =>
        ids.length === 1
          ? { text: one, values: [...nullable(scope), ids[0]] }
          : { text: many, values: [...nullable(scope), ids] },
      maxIds,
    )
  const ofDirectory = readsBy(readsOf((id) => rowInDirectory(table, id), '$4'))
  const ofScope = readsBy(readsOf((id) => rowInDirectories(table, id), '$3'))
  return async ({ directoryId, tenant = null, product = null }, id) => {
    const scope = directoryId === undefined ? [tenant, product] : [directoryId, tenant, product]
    if (holdsNul({ values: scope })) return undefined
    return (directoryId === undefined ? ofScope : ofDirectory)(JSON.stringify(scope), id)
  }
}

/** The statements of a read by id, which is a parameter. */
function readsOf(rowWith: (id: string) => string, parameter: string): ReadStatements {
  return {
    one: rowWith(parameter),
    many: `select k.n::int4, found.* from ${keysIn(parameter)} cross join lateral (${rowWith('k.key')}) found`,
  }
}

/** The values of a scope, which was made a text to be the key of a batch. */
const nullable = (scope: string): (string | null)[] => JSON.parse(scope)
