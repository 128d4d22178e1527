import type { DirectoryScope } from '../directory/directory.ts'
import { isOfProduct } from '../directory/directory.ts'
import type { DirectoryPosition, DirectoryReads, FilledDirectory, UpdatePart } from '../directory/directory-store.ts'
import type { ListPosition, ListRow } from '../directory/list.ts'
import { listStart } from '../directory/list.ts'
import type { SearchHit, SearchPosition, SearchStore } from '../directory/search-store.ts'
import { searchText } from '../directory/search-terms.ts'
import { directoriesIn } from './listing.ts'
import { isSearchPosition } from './search.ts'
import type { RowsOwner } from './shown-fields.ts'
import type { Walk, WalkedRow } from './walk.ts'

/** The kinds of resources that are listed. */
export type ResourceKind = 'user' | 'group'

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)
const isText = (value: unknown): value is string => typeof value === 'string' && !value.includes('\0')

/** How many directories are read at once, and how often one part of a walk does so at most: they may have no rows. */
const [directoriesPerRead, maxReads] = [100, 10]

type InDirectory = readonly [createdAt: number, id: string, sequence: number, rowId: string]

/** Reads rows of a directory in the order of their creation. */
export type ListRows<T> = (
  directoryId: string,
  part: { readonly from: ListPosition; readonly limit: number },
) => Promise<readonly ListRow<T>[]>

/** The rows of all directories of a scope, in the order in which the directories, and their rows, were created. */
export function walkDirectories<T>(
  store: Pick<DirectoryReads, 'filledDirectories' | 'listDirectoriesInScope'>,
  scope: DirectoryScope,
  kind: ResourceKind,
  list: ListRows<T>,
): Walk<T, InDirectory> {
  const directoriesFrom = (from: DirectoryPosition) =>
    isOfProduct(scope)
      ? store.filledDirectories(scope.product, kind, from, directoriesPerRead)
      : directoriesOfTenant(store, scope, from)
  return {
    isPosition: (value): value is InDirectory =>
      Array.isArray(value) && isWhole(value[0]) && isText(value[1]) && isWhole(value[2]) && isText(value[3]),
    async read(after = [0, '', 0, ''], limit) {
      const rows: WalkedRow<T, InDirectory>[] = []
      let place: InDirectory = after
      for (let reads = 0; reads < maxReads; reads += 1) {
        const [createdAt, id] = place
        const directories = await directoriesFrom({ createdAt, id })
        for (const directory of directories) {
          const { id: directoryId, tenant } = directory
          const [, , sequence, rowId] = place
          const from = directoryId === place[1] ? { sequence, id: rowId } : listStart
          if (directory.isEmpty || from.sequence === Number.MAX_SAFE_INTEGER) continue
          for (const { item, position } of await list(directoryId, { from, limit: limit - rows.length })) {
            place = [directory.createdAt, directoryId, position.sequence, position.id]
            rows.push({ owner: ownerFor(scope, directoryId, tenant), item, position: place })
          }
          if (rows.length === limit) return { rows, next: place }
        }
        const last = directories.at(-1)
        if (last === undefined || directories.length < directoriesPerRead) return { rows, next: undefined }
        place = [last.createdAt, last.id, Number.MAX_SAFE_INTEGER, '']
      }
      return { rows, next: place }
    },
  }
}

/** The first directories of a tenant from a position on. */
async function directoriesOfTenant(
  store: Pick<DirectoryReads, 'listDirectoriesInScope'>,
  scope: DirectoryScope,
  from: DirectoryPosition,
): Promise<FilledDirectory[]> {
  const directories: FilledDirectory[] = []
  for await (const directory of await directoriesIn(store, scope)) {
    if (directory.createdAt < from.createdAt || (directory.createdAt === from.createdAt && directory.id < from.id))
      continue
    directories.push({ ...directory, isEmpty: false })
    if (directories.length === directoriesPerRead) break
  }
  return directories
}

/** The tenant is shown if the scope may have several. */
function ownerFor(scope: DirectoryScope, directoryId: string, tenant: string): RowsOwner {
  return { directoryId, tenant: isOfProduct(scope) ? tenant : undefined }
}

/** Reads resources of a directory by their ids. */
type ReadByIds<T> = (directoryId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, T>>

/** The terms by which resources are found. */
export interface WalkedTerms {
  readonly kind: ResourceKind
  readonly text: string
  /** Whether only the resources are found that have the text itself as a term, and not those with a longer one. */
  readonly isWhole: boolean
}

/** The resources of a scope that have a term, or one that begins with a text, in the order of terms. */
export function walkTerms<T>(
  store: SearchStore,
  scope: DirectoryScope,
  { kind, text, isWhole: isWholeTerm }: WalkedTerms,
  readByIds: ReadByIds<T>,
): Walk<T, SearchPosition> {
  const wanted = searchText(text)
  return {
    isPosition: isSearchPosition,
    async read(after, limit) {
      if (wanted === '') return { rows: [], next: undefined }
      const { hits, next } = await store.search(scope, wanted, { types: [kind], after, limit })
      const found = isWholeTerm ? hits.filter(({ position }) => position.term === wanted) : hits
      const isPassed = isWholeTerm && (next === undefined || next.term !== wanted)
      return { rows: await readHits(scope, found, readByIds), next: isPassed ? undefined : next }
    },
  }
}

async function readHits<T>(
  scope: DirectoryScope,
  hits: readonly SearchHit[],
  readByIds: ReadByIds<T>,
): Promise<WalkedRow<T, SearchPosition>[]> {
  const ofDirectories = Map.groupBy(hits, ({ directoryId }) => directoryId)
  const items = new Map<string, T>()
  for (const [directoryId, some] of ofDirectories) {
    const found = await readByIds(
      directoryId,
      some.map(({ id }) => id),
    )
    for (const [id, item] of found) items.set(`${directoryId} ${id}`, item)
  }
  return hits.flatMap(({ id, directoryId, tenant, position }) => {
    const item = items.get(`${directoryId} ${id}`)
    return item === undefined ? [] : [{ owner: ownerFor(scope, directoryId, tenant), item, position }]
  })
}

type Member = readonly [sequence: number, id: string]

/** The users in a group, in the order in which they became members. */
export function walkMembers<T>(
  store: Pick<DirectoryReads, 'listMemberIds'>,
  owner: RowsOwner,
  groupId: string,
  readByIds: ReadByIds<T>,
): Walk<T, Member> {
  const { directoryId } = owner
  return {
    isPosition: (value): value is Member => Array.isArray(value) && isWhole(value[0]) && isText(value[1]),
    async read(after = [0, ''], limit) {
      const from = { sequence: after[0], id: after[1] }
      const { found = [] } = (await store.listMemberIds({ directoryId }, groupId, { from, limit })) ?? {}
      const users = found.filter(({ item }) => item.memberType === 'User')
      const items = await readByIds(
        directoryId,
        users.map(({ item }) => item.id),
      )
      const rows = users.flatMap(({ item, position: { sequence, id } }) => {
        const user = items.get(item.id)
        return user === undefined ? [] : [{ owner, item: user, position: [sequence, id] as const }]
      })
      const last = found.at(-1)?.position
      return { rows, next: last === undefined || found.length < limit ? undefined : [last.sequence, last.id] }
    },
  }
}

type Updated = readonly [minute: number, directoryId: string, updatedAt: number, sequence: number]

/** Reads rows of a directory in the order of their last changes. */
type ListUpdated<T extends { readonly updatedAt: number }> = (
  directoryId: string,
  part: UpdatePart,
) => Promise<readonly ListRow<T>[]>

/**
 * The resources of a scope that have changed since a time, in Unix milliseconds. Those of a directory are in the order of their
 * last changes; the directories of a product as well. What changes while the list is read comes again.
 */
export function walkUpdates<T extends { readonly updatedAt: number }>(
  store: Pick<DirectoryReads, 'changedDirectories' | 'listDirectoriesInScope'>,
  scope: DirectoryScope,
  since: number,
  list: ListUpdated<T>,
): Walk<T, Updated> {
  const firstMinute = Math.floor(since / 60_000)
  const start: Updated = [firstMinute, '', since - 1, Number.MAX_SAFE_INTEGER]
  return {
    isPosition: (value): value is Updated =>
      Array.isArray(value) && [0, 2, 3].every((index) => isWhole(value[index])) && isText(value[1]),
    async read(after = start, limit) {
      const rows: WalkedRow<T, Updated>[] = []
      const [minute, id, updatedAt, sequence] = after
      const current = id === '' ? undefined : await ownerOf(store, scope, id)
      /** Reads a directory; true when the part is full. */
      const readOne = async ({ minute, owner }: Moved, from: UpdatePart['after']): Promise<boolean> => {
        const found = await list(owner.directoryId, { after: from, limit: limit - rows.length })
        for (const { item, position } of found)
          rows.push({ owner, item, position: [minute, owner.directoryId, item.updatedAt, position.sequence] })
        return rows.length === limit
      }
      const from = { updatedAt: Math.max(updatedAt, since - 1), sequence }
      if (current !== undefined && (await readOne({ minute, owner: current }, from)))
        return { rows, next: rows.at(-1)?.position }
      const others = await nextDirectories(store, scope, { minute, id })
      for (const one of others) {
        if (await readOne(one, { updatedAt: since - 1, sequence: Number.MAX_SAFE_INTEGER }))
          return { rows, next: rows.at(-1)?.position }
      }
      const last = others.at(-1)
      if (last === undefined || others.length < directoriesPerRead) return { rows, next: undefined }
      return { rows, next: [last.minute, last.owner.directoryId, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] }
    },
  }
}

/** A directory in the order in which a walk of updates reads them. */
interface Moved {
  readonly minute: number
  readonly owner: RowsOwner
}

type UpdateStore = Pick<DirectoryReads, 'changedDirectories' | 'listDirectoriesInScope'>

/** The next directories after one: of a product, those with changes; of a tenant, which has few, all in creation order. */
async function nextDirectories(
  store: UpdateStore,
  scope: DirectoryScope,
  after: { readonly minute: number; readonly id: string },
): Promise<Moved[]> {
  if (isOfProduct(scope)) {
    const found = await store.changedDirectories(scope.product, after, directoriesPerRead)
    return found.map(({ id, tenant, minute }) => ({ minute, owner: { directoryId: id, tenant } }))
  }
  if (scope.directoryId !== undefined && after.id !== '') return []
  const directories: DirectoryPosition[] = []
  let isAfter = after.id === ''
  for await (const directory of await directoriesIn(store, scope)) {
    if (isAfter) directories.push(directory)
    isAfter ||= directory.id === after.id
    if (directories.length === directoriesPerRead) break
  }
  return directories.map(({ id }) => ({ minute: after.minute, owner: { directoryId: id, tenant: undefined } }))
}

/** The directory of a position, if it is still in the scope. */
async function ownerOf(store: UpdateStore, scope: DirectoryScope, directoryId: string): Promise<RowsOwner | undefined> {
  const [found] = await store.listDirectoriesInScope({ ...scope, directoryId }, { limit: 1 })
  return found && ownerFor(scope, directoryId, found.tenant)
}
