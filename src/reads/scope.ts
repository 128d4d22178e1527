import type { DirectoryScope } from '../directory/directory.ts'
import { isOfProduct } from '../directory/directory.ts'
import type { DirectoryReads } from '../directory/directory-store.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { SearchPosition, SearchStore } from '../directory/search-store.ts'
import { namedDirectory } from './directory-walk.ts'
import { walkTerms } from './id-walks.ts'
import type { ResourceKind, RowsOwner } from './shown-fields.ts'

/**
 * The result of a look-up in the directories of a scope.
 *
 * @throws DirectoryError `directory-not-found`, `resource-not-found`
 */
export async function foundIn<T>(store: DirectoryReads, scope: DirectoryScope, found: T | undefined): Promise<T> {
  if (found !== undefined) return found
  if (scope.directoryId !== undefined) await namedDirectory(store, scope)
  throw new DirectoryError('resource-not-found', 'There is no such resource in this scope.')
}

/** The scope in which one resource is read, and the tenant that is shown with it. */
export interface ScopeOfOne {
  readonly scope: DirectoryScope
  /** Undefined unless the scope has several tenants. */
  readonly tenant: string | undefined
}

/**
 * The scope in which a resource is read: of a product the directory that has it, which a search for the id finds.
 *
 * @throws DirectoryError `resource-not-found`
 */
export async function scopeOfOne(
  store: SearchStore,
  scope: DirectoryScope,
  kind: ResourceKind,
  id: string,
): Promise<ScopeOfOne> {
  if (!isOfProduct(scope)) return { scope, tenant: undefined }
  const walk = walkTerms(store, scope, { kind, text: id, isWhole: true })
  let from: SearchPosition | number = 0
  for (let reads = 0; reads < maxReads; reads += 1) {
    const { rows, next } = await walk.read(from, rowsPerRead)
    const owner = rows.find(({ item }) => item === id)?.owner
    if (owner !== undefined) return { scope: { ...scope, directoryId: owner.directoryId }, tenant: owner.tenant }
    if (next === undefined) break
    from = next
  }
  throw new DirectoryError('resource-not-found', 'There is no such resource in this scope.')
}

/** Others may have the id as their externalId: at most this number of them is passed. */
const [maxReads, rowsPerRead] = [10, 100]

/**
 * The directory of a group.
 *
 * @throws DirectoryError `directory-not-found`, `resource-not-found`
 */
export async function ownerOfGroup(
  store: DirectoryReads & SearchStore,
  named: DirectoryScope,
  id: string,
): Promise<RowsOwner> {
  const { scope, tenant } = await scopeOfOne(store, named, 'group', id)
  const { directory } = await foundIn(store, scope, await store.findGroupInScope(scope, id))
  return { directoryId: directory.id, tenant }
}
