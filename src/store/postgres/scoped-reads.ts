import type { DirectoryScope } from '../../directory/directory.ts'
import type { Statement } from './database.ts'
import type { ListTable } from './lists.ts'

/** The directories `d` of a scope, in creation order. `$1` is the id of the resource. */
const ofTenant = `
  select d.id, d.created_at from directories d
  where d.deleted = 0 and d.tenant between $2 and $2 and d.product between $3 and $3
  order by d.tenant, d.product, d.created_at, d.id limit (select 1000000000)`

const ofId = `
  select d.id, d.created_at from directories d
  where d.deleted = 0 and d.id = $2 and d.tenant = coalesce($3, d.tenant) and d.product = coalesce($4, d.product)`

/** Makes the statement that looks a user or group up in all directories of a scope. */
export function scopedRead({ table, alias, columns }: ListTable): (scope: DirectoryScope, id: string) => Statement {
  const lookup = (directories: string) => `
    select ${alias}.directory_id, d.created_at as directory_created_at, ${columns} from (${directories}) d
    cross join lateral (
      select * from ${table} ${alias} where ${alias}.directory_id = d.id and ${alias}.id between $1 and $1
      order by ${alias}.id limit 1
    ) ${alias}
    order by d.created_at, d.id limit 1`
  const [inDirectory, inScope] = [lookup(ofId), lookup(ofTenant)]
  return ({ directoryId, tenant = null, product = null }, id) =>
    directoryId === undefined
      ? { text: inScope, values: [id, tenant, product] }
      : { text: inDirectory, values: [id, directoryId, tenant, product] }
}
