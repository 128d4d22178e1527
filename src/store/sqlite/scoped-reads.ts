import type { DatabaseSync } from 'node:sqlite'
import type { DirectoryScope } from '../../directory/directory.ts'
import type { InDirectory } from '../../directory/directory-store.ts'
import { decodeInDirectory } from '../lists.ts'
import type { ListTable } from './lists.ts'

/** Reads a user or group that is in any directory of a scope. */
export function createScopedRead<T>(db: DatabaseSync, { table, columns, decode }: ListTable<T>) {
  const alias = table.slice(-1)
  const prepare = (scope: string) =>
    db.prepare(`
      select ${alias}.directory_id, d.created_at as directory_created_at, ${columns}
      from directories d cross join ${table} on ${alias}.directory_id = d.id and ${alias}.id = ?1
      where d.deleted = 0 and ${scope} order by d.created_at, d.id limit 1`)
  const inScope = prepare('d.tenant = ?2 and d.product = ?3')
  const inDirectory = prepare('d.id = ?2 and d.tenant = coalesce(?3, d.tenant) and d.product = coalesce(?4, d.product)')
  return (scope: DirectoryScope, id: string): InDirectory<T> | undefined => {
    const { directoryId } = scope
    const [tenant, product] = [scope.tenant ?? null, scope.product ?? null]
    const row =
      directoryId === undefined ? inScope.get(id, tenant, product) : inDirectory.get(id, directoryId, tenant, product)
    return row && decodeInDirectory(row, decode)
  }
}
