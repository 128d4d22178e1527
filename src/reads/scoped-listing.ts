import type { DirectoryScope } from '../directory/directory.ts'
import type {
  DirectoryReads,
  InDirectory,
  Listed,
  ListedDirectory,
  ListPart,
  NamedDirectory,
  ViewPage,
} from '../directory/directory-store.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { Paging, RowPage, RowSource, RowText } from './listing.ts'
import { allRows, readRows, readRowToken, rowPage, rowsOf, rowToken, textsOf } from './listing.ts'

/** A page of rows in one JSON text, separated by commas. */
export interface TextPage extends Pick<RowPage<never>, 'pageToken'> {
  readonly text: string
}

/** A listing: one page, in one text or row by row, or all rows one after the other, as JSON text. */
export type Listing = TextPage | RowPage<RowText> | AsyncIterable<string>

/** Whether a listing is a page in one text. */
export function isTextPage(listing: Listing): listing is TextPage {
  return 'text' in listing
}

/** Whether a listing is a page of rows. */
export function isPage(listing: Listing): listing is RowPage<RowText> {
  return 'rows' in listing
}

/** Which rows of which directories are wanted. */
export interface RequestedPart {
  readonly scope: DirectoryScope
  readonly paging: Paging
}

/**
 * The rows of a source in the directories of a scope.
 *
 * @throws DirectoryError `directory-not-found` when the scope names a directory that it does not contain, `invalid-input`
 */
export async function list(
  store: DirectoryReads,
  { scope, paging }: RequestedPart,
  source: RowSource<RowText>,
): Promise<Listing> {
  const directories = await directoriesIn(store, scope)
  return paging === undefined ? textsOf(allRows(directories, source)) : readRows(directories, source, paging)
}

/** Reads a list of a directory that the scope names; undefined when there is no such directory. */
type ReadNamed<T> = (scope: NamedDirectory, part: ListPart) => Promise<InDirectory<Listed<T>[]> | undefined>

/** The text of a row in a directory. */
type TextIn<T> = (directoryId: string) => (item: T) => RowText

/** How a list of one directory, which the scope names, is read. */
export interface NamedSource<T> extends Pick<RowSource<T>, 'count'> {
  /** A page as text, of the only directory of a scope; undefined when there is none, or when there are several. */
  readonly page: (scope: DirectoryScope, part: ListPart) => Promise<InDirectory<ViewPage> | undefined>
  readonly read: ReadNamed<T>
  readonly textIn: TextIn<T>
}

/** As `list`. Pages within one directory, which are what products mostly ask for, take a single read. */
export async function listNamed<T>(
  store: DirectoryReads,
  { scope, paging }: RequestedPart,
  source: NamedSource<T>,
): Promise<Listing> {
  const { count, read, textIn } = source
  const page = paging && (await pageOf(scope, paging, source))
  if (page !== undefined) return page
  const rowsIn = async (id: string, part: ListPart) => (await read({ directoryId: id }, part))?.found ?? []
  return list(store, { scope, paging }, { count, list: async (id, part) => rowsOf(await rowsIn(id, part), textIn(id)) })
}

/**
 * A page within one directory, in one text unless a row is too large for a list; undefined when there is no such directory, or
 * the page may contain rows of others.
 */
async function pageOf<T>(
  scope: DirectoryScope,
  paging: Exclude<Paging, undefined>,
  { page, read, textIn }: NamedSource<T>,
): Promise<TextPage | RowPage<RowText> | undefined> {
  const { limit } = paging
  const start = startOf(scope, paging)
  const found = start && (await page(start.scope, { from: start.from, limit }))
  if (start === undefined || found === undefined) return undefined
  const { directory } = found
  const { text, last } = found.found
  if (last === undefined && start.othersMayFollow) return undefined
  if (text !== undefined) return { text, pageToken: last && rowToken({ directory, position: last }) }
  const rows = await read({ ...scope, directoryId: directory.id }, { from: start.from, limit: limit + 1 })
  return rows && rowPage(rowsOf(rows.found, textIn(directory.id)), limit, () => directory)
}

interface PageStart {
  readonly scope: DirectoryScope
  readonly from: ListPart['from']
  /** Whether rows of other directories may follow those of this one. */
  readonly othersMayFollow: boolean
}

/** Where a page starts; undefined when that is in another directory than the scope names. */
function startOf(scope: DirectoryScope, paging: Exclude<Paging, undefined>): PageStart | undefined {
  if (!('token' in paging)) return { scope, from: paging.offset, othersMayFollow: false }
  const { directory, position } = readRowToken(paging.token)
  const { directoryId = directory.id } = scope
  if (directoryId !== directory.id) return undefined
  return { scope: { ...scope, directoryId }, from: position, othersMayFollow: scope.directoryId === undefined }
}

/**
 * The directories of a scope in creation order.
 *
 * @throws DirectoryError `directory-not-found` when the scope names a directory that it does not contain
 */
async function directoriesIn(
  store: DirectoryReads,
  scope: DirectoryScope,
): Promise<AsyncIterable<ListedDirectory> | readonly ListedDirectory[]> {
  if (scope.directoryId === undefined) return directoriesOfTenant(store, scope)
  const directories = await store.listDirectoriesInScope(scope, { limit: 1 })
  if (directories.length > 0) return directories
  throw new DirectoryError('directory-not-found', 'There is no such directory.')
}

const directoriesPerRead = 100

async function* directoriesOfTenant(store: DirectoryReads, scope: DirectoryScope): AsyncGenerator<ListedDirectory> {
  let after: ListedDirectory | undefined
  do {
    const part: ListedDirectory[] = await store.listDirectoriesInScope(scope, { after, limit: directoriesPerRead })
    yield* part
    after = part[directoriesPerRead - 1]
  } while (after !== undefined)
}

interface SearchFields {
  readonly email?: string
  readonly user_name?: string
  readonly name?: string
}

/**
 * The directory to search in.
 *
 * @throws DirectoryError `invalid-input` when none is named, or when the query has another condition; `directory-not-found`
 */
export async function searchedDirectory(
  store: DirectoryReads,
  { scope }: RequestedPart,
  fields: SearchFields,
): Promise<string> {
  const others = [fields.email, fields.user_name, fields.name].some((value) => value !== undefined)
  if (scope.directoryId === undefined || others) {
    throw new DirectoryError('invalid-input', 'search: send it with directoryId, and without another condition.')
  }
  await directoriesIn(store, scope)
  return scope.directoryId
}

/**
 * What was looked up in the directories of a scope.
 *
 * @throws DirectoryError `directory-not-found`, `resource-not-found`
 */
export async function foundIn<T>(store: DirectoryReads, scope: DirectoryScope, found: T | undefined): Promise<T> {
  if (found !== undefined) return found
  await directoriesIn(store, scope)
  throw new DirectoryError('resource-not-found', 'There is no such resource in this scope.')
}
