import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DirectoryScope } from '../directory/directory.ts'
import type { Listed, ListedDirectory, ListPart, ListPosition } from '../directory/directory-store.ts'
import { listStart } from '../directory/directory-store.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { ListingInput, TokenPagingInput as TokenPaging } from '../directory/inputs.ts'
import { maxPageLimit, PagingInput, parseInput, ScopeInput, TokenPagingInput } from '../directory/inputs.ts'
import type { Static } from '../inputs/json-schema.ts'
import { isObject } from '../scim/json.ts'
import { readPageToken, writePageToken } from './page-token.ts'

/** The requested part of a listing; undefined means all of it. */
export type Paging =
  | { readonly offset: number; readonly limit: number }
  | { readonly token: string; readonly limit: number }
  | undefined

/**
 * The scope of a lookup: a directory, a tenant's directories for a product, or both conditions together.
 *
 * @throws DirectoryError `invalid-input`
 */
export function parseScope(query: unknown): DirectoryScope {
  return scopeOf(parseInput(ScopeInput, query))
}

/** @throws DirectoryError `invalid-input` */
export function parsePaging(query: unknown): Paging {
  return pagingOf(parseInput(PagingInput, withNumbers(query)))
}

/**
 * Parses the query of a listing, which may have more fields than its scope and paging.
 *
 * @throws DirectoryError `invalid-input`
 */
export function parseListing<S extends typeof ListingInput>(schema: S, query: unknown) {
  const { fields, paging } = parseListingFields(schema, query)
  return { fields, scope: scopeOf(fields), paging }
}

/** As `parseListing`, where the caller decides which scope is enough. */
export function parseListingFields<S extends typeof ListingInput>(schema: S, query: unknown) {
  const fields: Static<S> = parseInput(schema, withNumbers(query))
  return { fields, paging: pagingOf(fields) }
}

/** @throws DirectoryError `invalid-input` when it names no directory */
export function scopeOf({ tenant, product, directoryId }: ScopeInput): DirectoryScope {
  if (directoryId === undefined && (tenant === undefined || product === undefined)) {
    throw new DirectoryError('invalid-input', 'Name the directory: send directoryId, or tenant and product.')
  }
  return { tenant, product, directoryId }
}

/** @throws DirectoryError `invalid-input` */
export function pagingOf({ pageLimit, pageOffset, pageToken }: PagingInput): Paging {
  if (pageLimit === undefined && pageOffset === undefined && pageToken === undefined) return undefined
  const limit = pageLimit ?? maxPageLimit
  if (pageToken === undefined) return { offset: pageOffset ?? 0, limit }
  if (pageOffset === undefined || pageOffset === 0) return { token: pageToken, limit }
  throw new DirectoryError('invalid-input', 'pageOffset: leave it out when you send a pageToken.')
}

/** Query strings have numbers as text, the library has numbers. */
export function withNumbers(query: unknown): unknown {
  if (!isObject(query)) return query
  return { ...query, pageLimit: numberIn(query['pageLimit']), pageOffset: numberIn(query['pageOffset']) }
}

function numberIn(value: unknown): unknown {
  return typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : value
}

/**
 * The paging of a list without offsets; undefined: the default.
 *
 * @throws DirectoryError `invalid-input`
 */
export function parseTokenPaging(query: unknown): TokenPaging {
  if (!isObject(query) || query['pageLimit'] === undefined) return parseInput(TokenPagingInput, query)
  return parseInput(TokenPagingInput, { ...query, pageLimit: numberIn(query['pageLimit']) })
}

/** The JSON text of a row; of a large one, or one that more has to be read for, how to read it: undefined when it is gone. */
export type RowText = string | (() => Promise<string | undefined>)

/** How many characters of rows that are read one by one are made before other requests are served. */
const charactersPerTurn = 100_000

/** The texts of rows; of those that are read one by one, one is in memory at a time, and other requests are served between. */
export async function* textsOf(
  rows: Iterable<RowText> | AsyncIterable<RowText>,
): AsyncGenerator<string, void, undefined> {
  let characters = 0
  for await (const row of rows) {
    if (typeof row === 'string') yield row
    else {
      const text = await row()
      if (text !== undefined) yield text
      characters += text?.length ?? 0
      if (characters < charactersPerTurn) continue
      characters = 0
      await nextTurn()
    }
  }
}

/** How one kind of row is read, directory by directory. */
export interface RowSource<T> {
  count(directoryId: string): Promise<number>
  list(directoryId: string, part: ListPart): Promise<Listed<T>[]>
}

/** A page of rows, and the token of the next one when more follow. */
export interface RowPage<T> {
  readonly rows: readonly T[]
  readonly pageToken: string | undefined
}

type ListedDirectories = AsyncIterable<ListedDirectory> | Iterable<ListedDirectory>

interface Part {
  readonly directory: ListedDirectory
  readonly from: ListPosition | number
}

/** Reads one page of the rows of directories, which are in creation order. */
export async function readRows<T>(
  directories: ListedDirectories,
  source: RowSource<T>,
  paging: Exclude<Paging, undefined>,
): Promise<RowPage<T>> {
  const found: (Listed<T> & { directory: ListedDirectory })[] = []
  for await (const { directory, from } of parts(directories, source, paging)) {
    const rows = await source.list(directory.id, { from, limit: paging.limit + 1 - found.length })
    found.push(...rows.map((row) => ({ ...row, directory })))
    if (found.length > paging.limit) break
  }
  return rowPage(found, paging.limit, ({ directory }) => directory)
}

/** A page of rows that were read from its start; more of them than its limit show that another page follows. */
export function rowPage<L extends Listed<unknown>>(
  rows: readonly L[],
  limit: number,
  directoryOf: (row: L) => ListedDirectory,
): RowPage<L['item']> {
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    rows: rows.slice(0, limit).map(({ item }) => item),
    pageToken: last && rowToken({ directory: directoryOf(last), position: last.position }),
  }
}

/** The same rows with other items, such as their JSON text. */
export function rowsOf<P, T, R>(
  rows: readonly { readonly position: P; readonly item: T }[],
  itemOf: (item: T) => R,
): { position: P; item: R }[] {
  return rows.map(({ position, item }) => ({ position, item: itemOf(item) }))
}

/** The directories that a page may include, each with the position to read from. */
async function* parts<T>(
  directories: ListedDirectories,
  source: RowSource<T>,
  paging: Exclude<Paging, undefined>,
): AsyncGenerator<Part, void, undefined> {
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

function isBefore(a: ListedDirectory, b: ListedDirectory): boolean {
  return a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id)
}

const rowsPerRead = 100

/** Every row of directories, which are in creation order, read in parts. */
export async function* allRows<T>(
  directories: ListedDirectories,
  source: RowSource<T>,
): AsyncGenerator<T, void, undefined> {
  for await (const directory of directories) {
    let from: ListPosition = listStart
    for (;;) {
      const rows = await source.list(directory.id, { from, limit: rowsPerRead })
      for (const { item } of rows) yield item
      const last = rows.at(-1)
      if (last === undefined || rows.length < rowsPerRead) break
      from = last.position
    }
  }
}

/** The position where the next page of a listing over several directories starts. */
export interface RowPosition {
  readonly directory: ListedDirectory
  readonly position: ListPosition
}

export function rowToken({ directory: { id, createdAt }, position: { sequence, id: rowId } }: RowPosition): string {
  return writePageToken([createdAt, id, sequence, rowId])
}

/** @throws DirectoryError `invalid-input` when the text is not a page token of such a listing */
export function readRowToken(text: string): RowPosition {
  const [createdAt, id, sequence, rowId] = readPageToken(text, isRowPosition)
  return { directory: { id, createdAt }, position: { sequence, id: rowId } }
}

type StoredPosition = readonly [createdAt: number, id: string, sequence: number, rowId: string]

function isRowPosition(value: unknown): value is StoredPosition {
  if (!Array.isArray(value)) return false
  const [createdAt, id, sequence, rowId]: unknown[] = value
  return isWhole(createdAt) && isId(id) && isWhole(sequence) && isId(rowId)
}

function isWhole(value: unknown): boolean {
  return Number.isSafeInteger(value)
}

/** The start of a list has an empty id. */
function isId(value: unknown): boolean {
  return typeof value === 'string' && /^[\w-]{0,100}$/.test(value)
}
