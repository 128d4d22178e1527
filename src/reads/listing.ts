import type { DirectoryScope } from '../directory/directory.ts'
import type { DirectoryPosition, DirectoryReads, InDirectory, ListedDirectory } from '../directory/directory-store.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { ListPart, ListRow } from '../directory/list.ts'
import { listStart } from '../directory/list.ts'
import type { JsonBody, JsonItems } from '../scim/json-list.ts'
import { concatItems } from '../scim/json-list.ts'
import { readRowToken, rowToken } from './page-token.ts'
import type { Paging } from './paging.ts'
import type { RowsOwner } from './shown-fields.ts'

/** A list on its way to the caller: its rows as JSON, and the token of the next page, if any. */
export interface Listing {
  readonly rows: JsonItems
  readonly pageToken?: string | undefined
  /** The number of rows, if known. */
  readonly count?: number
}

/** A page of rows, and the token of the next one when more follow. */
export interface Page<T> {
  readonly rows: readonly T[]
  readonly pageToken: string | undefined
}

/** Reads one kind of rows for lists. */
export interface ListingSource<T> {
  /**
   * A part of the list in the directory of the scope, or in the only one of its tenant and product; the same read
   * checks the scope. Undefined when there is no such directory, or when there are several.
   */
  inScope?(scope: DirectoryScope, part: ListPart): Promise<InDirectory<readonly ListRow<T>[]> | undefined>
  list(directoryId: string, part: ListPart): Promise<readonly ListRow<T>[]>
  count(directoryId: string): Promise<number>
  /** Rows as JSON. */
  jsonOf(owner: RowsOwner, rows: readonly T[]): JsonItems
}

/** The requested directories and rows. */
export interface RequestedPart {
  readonly scope: DirectoryScope
  readonly paging: Paging
}

/**
 * The rows in the directories of a scope: a page, or all of them.
 *
 * @throws DirectoryError `directory-not-found` when the scope names a directory that it does not contain,
 * `invalid-input`
 */
export async function listRows<T>(
  store: DirectoryReads,
  { scope, paging }: RequestedPart,
  source: ListingSource<T>,
): Promise<Listing> {
  if (paging === undefined) return { rows: everyRow(await directoriesIn(store, scope), source) }
  const page = await pageInOneDirectory(scope, paging, source)
  return page ?? pageOfDirectories(await directoriesIn(store, scope), paging, source)
}

type PageRequest = Exclude<Paging, undefined>

/** The rows of a page that are in one directory. */
interface RowsInDirectory<T> {
  readonly directory: DirectoryPosition
  readonly rows: readonly ListRow<T>[]
}

/** A page within one directory; undefined when there is no such directory, or the page may contain rows of others. */
async function pageInOneDirectory<T>(
  scope: DirectoryScope,
  paging: PageRequest,
  source: ListingSource<T>,
): Promise<Listing | undefined> {
  const start = startIn(scope, paging)
  const found = start && (await source.inScope?.(start.scope, { from: start.from, limit: paging.limit + 1 }))
  if (start === undefined || found === undefined) return undefined
  const { directory, found: rows } = found
  if (rows.length <= paging.limit && start.othersMayFollow) return undefined
  return pageOf([{ directory, rows }], paging.limit, source)
}

interface PageStart {
  readonly scope: DirectoryScope
  readonly from: ListPart['from']
  /** Whether rows of other directories may follow those of this one. */
  readonly othersMayFollow: boolean
}

/** The start of a page; undefined when it is in another directory than that of the scope. */
function startIn(scope: DirectoryScope, paging: PageRequest): PageStart | undefined {
  if (!('token' in paging)) return { scope, from: paging.offset, othersMayFollow: false }
  const { directory, position } = readRowToken(paging.token)
  const { directoryId = directory.id } = scope
  if (directoryId !== directory.id) return undefined
  return { scope: { ...scope, directoryId }, from: position, othersMayFollow: scope.directoryId === undefined }
}

/** A page of the rows of several directories, which follow each other in creation order. */
async function pageOfDirectories<T>(
  directories: DirectoryPositions,
  paging: PageRequest,
  source: ListingSource<T>,
): Promise<Listing> {
  const parts: RowsInDirectory<T>[] = []
  let left = paging.limit + 1
  for await (const { directory, from } of startsOf(directories, paging, source)) {
    const rows = await source.list(directory.id, { from, limit: left })
    parts.push({ directory, rows })
    left -= rows.length
    if (left === 0) break
  }
  return pageOf(parts, paging.limit, source)
}

/** The page of rows that were read with one more than the limit, which shows whether another page follows. */
function pageOf<T>(parts: readonly RowsInDirectory<T>[], limit: number, source: ListingSource<T>): Listing {
  const shown: RowsInDirectory<T>[] = []
  let left = limit
  for (const { directory, rows } of parts) {
    if (left > 0 && rows.length > 0) shown.push({ directory, rows: rows.slice(0, left) })
    left -= rows.length
  }
  const end = left < 0 ? shown.at(-1) : undefined
  const last = end?.rows.at(-1)
  return {
    rows: concatItems(shown.map(({ directory, rows }) => source.jsonOf(ownerOf(directory), rows.map(itemOf)))),
    count: Math.min(limit, limit - left),
    pageToken: end && last && rowToken({ directory: end.directory, position: last.position }),
  }
}

/** The directories that a page may include, each with the position to read from. */
async function* startsOf<T>(
  directories: DirectoryPositions,
  paging: PageRequest,
  source: ListingSource<T>,
): AsyncGenerator<{ readonly directory: DirectoryPosition; readonly from: ListPart['from'] }, void, undefined> {
  const token = 'token' in paging ? readRowToken(paging.token) : undefined
  let skip = 'offset' in paging ? paging.offset : 0
  for await (const directory of directories) {
    if (token !== undefined && isBefore(directory, token.directory)) continue
    if (directory.id === token?.directory.id) yield { directory, from: token.position }
    else if (skip === 0) yield { directory, from: listStart }
    else {
      const count = await source.count(directory.id)
      if (skip < count) yield { directory, from: skip }
      skip = Math.max(0, skip - count)
    }
  }
}

function isBefore(a: DirectoryPosition, b: DirectoryPosition): boolean {
  return a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id)
}

const rowsPerRead = 100

/** Every row of directories, read in parts. */
async function* everyRow<T>(
  directories: DirectoryPositions,
  source: ListingSource<T>,
): AsyncGenerator<readonly JsonBody[], void, undefined> {
  for await (const directory of directories) {
    let from = listStart
    for (;;) {
      const rows = await source.list(directory.id, { from, limit: rowsPerRead })
      const json = source.jsonOf(ownerOf(directory), rows.map(itemOf))
      if ('length' in json) yield json
      else yield* json
      const last = rows.at(-1)
      if (last === undefined || rows.length < rowsPerRead) break
      from = last.position
    }
  }
}

const itemOf = <T>({ item }: ListRow<T>): T => item

/** These lists are of one tenant, which their rows do not name. */
const ownerOf = ({ id }: DirectoryPosition): RowsOwner => ({ directoryId: id, tenant: undefined })

/** Directories in creation order. */
type DirectoryPositions = AsyncIterable<ListedDirectory> | Iterable<ListedDirectory>

/**
 * The directories of a scope in creation order.
 *
 * @throws DirectoryError `directory-not-found` when the scope names a directory that it does not contain
 */
export async function directoriesIn(
  store: Pick<DirectoryReads, 'listDirectoriesInScope'>,
  scope: DirectoryScope,
): Promise<DirectoryPositions> {
  if (scope.directoryId === undefined) return directoriesOf(store, scope)
  const directories = await store.listDirectoriesInScope(scope, { limit: 1 })
  if (directories.length > 0) return directories
  throw new DirectoryError('directory-not-found', 'There is no such directory.')
}

const directoriesPerRead = 100

/** The directories of a scope in creation order, after one of them. */
export async function* directoriesOf(
  store: Pick<DirectoryReads, 'listDirectoriesInScope'>,
  scope: DirectoryScope,
  after?: DirectoryPosition,
): AsyncGenerator<ListedDirectory> {
  do {
    const part: ListedDirectory[] = await store.listDirectoriesInScope(scope, { after, limit: directoriesPerRead })
    yield* part
    after = part[directoriesPerRead - 1]
  } while (after !== undefined)
}

/**
 * The result of a look-up in the directories of a scope.
 *
 * @throws DirectoryError `directory-not-found`, `resource-not-found`
 */
export async function foundIn<T>(store: DirectoryReads, scope: DirectoryScope, found: T | undefined): Promise<T> {
  if (found !== undefined) return found
  await directoriesIn(store, scope)
  throw new DirectoryError('resource-not-found', 'There is no such resource in this scope.')
}
