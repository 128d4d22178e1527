import type { DatabaseSync } from 'node:sqlite'
import type { DirectoryScope } from '../../directory/directory.ts'
import type { InDirectory } from '../../directory/directory-store.ts'
import { decodeInDirectory } from '../lists.ts'
import { text } from '../row.ts'
import type { ListTable } from './lists.ts'

/**
 * Makes the read of something in the directory that a scope names, or else in the only one of its tenant and product, if there is
 * such a directory.
 */
export function inOneDirectory<P, T>(
  db: DatabaseSync,
  read: (directoryId: string, part: P) => T,
): (scope: DirectoryScope, part: P) => InDirectory<T> | undefined {
  const named = db.prepare(`
    select d.id as directory_id, d.created_at as directory_created_at from directories d
    where d.deleted = 0 and d.id = ?1 and d.tenant = coalesce(?2, d.tenant) and d.product = coalesce(?3, d.product)`)
  const only = db.prepare(`
    select min(d.id) as directory_id, min(d.created_at) as directory_created_at from (
      select id, created_at from directories where deleted = 0 and tenant = ?1 and product = ?2
      order by created_at, id limit 2
    ) d
    having count(*) = 1`)
  return ({ directoryId, tenant = null, product = null }, part) => {
    const row = directoryId === undefined ? only.get(tenant, product) : named.get(directoryId, tenant, product)
    return row && decodeInDirectory(row, () => read(text(row, 'directory_id'), part))
  }
}

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
