import type { DirectoryScope } from '../../directory/directory.ts'
import type { Row } from '../row.ts'
import type { ReadStatements } from './batched-reads.ts'
import { batchReadsOf, keysIn } from './batched-reads.ts'
import type { Database } from './database.ts'
import type { ListTable } from './lists.ts'
import { holdsNul } from './reader.ts'

/** The directories `d` of a scope, in creation order. */
const ofTenant = `
  select d.id, d.created_at from directories d
  where d.deleted = 0 and d.tenant between $1 and $1 and d.product between $2 and $2
  order by d.tenant, d.product, d.created_at, d.id limit (select 1000000000)`

const ofId = `
  select d.id, d.created_at from directories d
  where d.deleted = 0 and d.id = $1 and d.tenant = coalesce($2, d.tenant) and d.product = coalesce($3, d.product)`

/** The most ids per statement: each is looked up in every directory of the scope, of which there may be a thousand. */
const maxIds = 20

/** Makes the read of a user or group in all directories of a scope. Concurrent reads in the same scope share a statement. */
export function scopedReads(
  database: Pick<Database, 'query'>,
  table: ListTable,
): (scope: DirectoryScope, id: string) => Promise<Row | undefined> {
  const readsIn = (directories: string, parameter: string) => {
    const { one, many } = readsInScope(table, directories, parameter)
    return batchReadsOf(
      database,
      (scope, ids) =>
        ids.length === 1
          ? { text: one, values: [...nullable(scope), ids[0]] }
          : { text: many, values: [...nullable(scope), ids] },
      maxIds,
    )
  }
  const [ofDirectory, ofScope] = [readsIn(ofId, '$4'), readsIn(ofTenant, '$3')]
  return async ({ directoryId, tenant = null, product = null }, id) => {
    const scope = directoryId === undefined ? [tenant, product] : [directoryId, tenant, product]
    if (holdsNul({ values: scope })) return undefined
    return (directoryId === undefined ? ofScope : ofDirectory)(JSON.stringify(scope), id)
  }
}

/** The statements over the directories of a scope, which select the first row with an id. */
function readsInScope({ table, alias, columns }: ListTable, directories: string, parameter: string): ReadStatements {
  const found = (scope: string, id: string) => `
    select ${alias}.directory_id, d.created_at as directory_created_at, ${columns} from ${scope} d
    cross join lateral (
      select * from ${table} ${alias} where ${alias}.directory_id = d.id and ${alias}.id between ${id} and ${id}
      order by ${alias}.id limit 1
    ) ${alias}
    order by d.created_at, d.id limit 1`
  return {
    one: found(`(${directories})`, parameter),
    many: `
      with scope as materialized (${directories})
      select k.n::int4, found.* from ${keysIn(parameter)} cross join lateral (${found('scope', 'k.key')}) found`,
  }
}

/** The values of a scope, which was made a text to be the key of a batch. */
const nullable = (scope: string): (string | null)[] => JSON.parse(scope)
