import type { DirectoryScope } from '../directory/directory.ts'
import type {
  NamedResource,
  SearchedType,
  SearchHit,
  SearchPart,
  SearchPosition,
  SearchStore,
} from '../directory/search-store.ts'
import { directoryOfKey, isOfKey, keyTerm, searchedTypes } from '../directory/search-store.ts'
import { endOfPrefix, searchText } from '../directory/search-terms.ts'
import type { Row } from './row.ts'
import { boolean, optionalText, text } from './row.ts'
import { listNumber } from './search-terms.ts'
import type { Statement } from './sql-database.ts'

/** The terms of one kind of resources in a product. */
export interface TermList {
  readonly product: string
  readonly kind: SearchedType
  /** Its `listNumber`. */
  readonly number: number
}

/** The terms of a list after a position. */
export interface TermRange extends TermList {
  readonly after: Pick<SearchPosition, 'term' | 'place'>
}

/** The terms that are wanted from each of several ranges. */
export interface WantedTerms {
  /** The first text after the ranges. */
  readonly end: string
  /** Terms that share this much or more with a preceding one are left out. */
  readonly maxShared: number
  /** The directories to search; undefined: all. */
  readonly directoryIds: readonly string[] | undefined
  /** How many terms are examined at most. */
  readonly examined: number
  readonly limit: number
}

/** What was found in a range. */
export interface FoundTerms {
  readonly found: readonly SearchPosition[]
  /** Where reading ended before the end of the range; undefined at the end. */
  readonly end: SearchPosition | undefined
}

/** The directories, in the order of their ids, in which a key is looked up. */
export interface KeyRange {
  readonly first: string
  /** The place in the first directory after which reading begins. */
  readonly after: string
  readonly last: string
}

/** The kinds that are also found by their keys: the id, and the externalId. */
export type KeyedKind = NamedResource['type']

/** The reads of a search that the two engines write differently. */
export interface SearchEngine {
  query(statement: Statement): Promise<Row[]>
  /** The place after all others; the one before them is 0. */
  readonly lastPlace: string
  findTerms(ranges: readonly TermRange[], wanted: WantedTerms): Promise<readonly FoundTerms[]>
  /** At most `limit` whole terms that are a text. */
  findWhole(
    lists: readonly TermList[],
    term: string,
    directoryIds: readonly string[] | undefined,
    limit: number,
  ): Promise<readonly SearchPosition[]>
  /**
   * The first `limit` resources in the order of directories that have a key as their externalId, in ranges, or as their id, anywhere; as
   * rows of `directory_id`, `product` and `place`.
   */
  findKeyed(kind: KeyedKind, key: string, ranges: readonly KeyRange[], limit: number): Promise<Row[]>
  /** The resource at each place, as a row of `shownColumns`; undefined where it or its directory is deleted. */
  shown(kind: SearchedType, places: readonly string[]): Promise<(Row | undefined)[]>
}

/** How many terms a search examines at most, over all lists, and in a list at least. */
const maxExamined = 9_000
const minExamined = 200

/** How many resources of each kind with a key are read at once, of the scope or not. */
const maxKeyed = 1_000

/** Searches over directories, on either engine. */
export function createSearchStore(engine: SearchEngine): SearchStore {
  const { query } = engine

  /** At most `limit` resources with a key, however many others have it. */
  async function allKeyed(searched: Searched, key: string, limit: number): Promise<SearchPosition[]> {
    const found: SearchPosition[] = []
    let after: SearchPosition | undefined
    do {
      const { page, next } = await keyedPage(engine, searched, key, { types: keyedKinds, after, limit })
      found.push(...page)
      after = next
    } while (after !== undefined && found.length < limit)
    return found
  }

  return {
    async search(scope, asked, { types, after, limit }) {
      const prefix = searchText(asked)
      const searched = await searchedIn(query, scope)
      const lists = listsOf(searched.products, types)
      if (lists.length === 0) return { hits: [], next: undefined }
      const isAtKeys = after === undefined || isOfKey(after)
      const [keyed, found] = await Promise.all([
        isAtKeys ? keyedPage(engine, searched, asked, { types, after, limit }) : nothing,
        prefix === ''
          ? []
          : engine.findTerms(rangesAfter(engine, lists, prefix, isAtKeys ? undefined : after), {
              end: endOfPrefix(prefix),
              maxShared: prefix.length,
              directoryIds: searched.directoryIds,
              examined: Math.max(minExamined, Math.floor(maxExamined / lists.length)),
              limit: limit + 1,
            }),
      ])
      const first = await hitsOf(engine, keyed.page)
      const next = keyed.next ?? (keyed.page.length === limit ? keyed.page.at(-1) : undefined)
      if (next !== undefined) return { hits: first, next }
      const rest = mergePage(found, limit - keyed.page.length)
      return { hits: [...first, ...(await hitsOf(engine, rest.page, asked))], next: rest.next }
    },
    async findNamed(scope, asked, limit) {
      const [key, term] = [asked.trim(), searchText(asked)]
      const searched = await searchedIn(query, scope)
      const lists = listsOf(searched.products, keyedKinds)
      if (lists.length === 0 || term === '') return []
      const [keyed, whole] = await Promise.all([
        allKeyed(searched, key, limit),
        engine.findWhole(lists, term, searched.directoryIds, limit),
      ])
      const hits = await Promise.all([hitsOf(engine, keyed), hitsOf(engine, whole, key)])
      return hits.flat().slice(0, limit).flatMap(namedResource)
    },
  }
}

const keyedKinds = ['group', 'user'] as const satisfies readonly KeyedKind[]

interface FoundPage {
  readonly page: readonly SearchPosition[]
  readonly next: SearchPosition | undefined
}

const nothing: FoundPage = { page: [], next: undefined }

/** A page of what has a key, after a position: groups, then users, each in the order of directories. */
async function keyedPage(
  { findKeyed }: SearchEngine,
  { products, directoryIds }: Searched,
  key: string,
  { types, after, limit }: SearchPart,
): Promise<FoundPage> {
  const scope = new Set(directoryIds ?? products)
  const column = directoryIds === undefined ? 'product' : 'directory_id'
  const known: SearchPosition[] = []
  let end: SearchPosition | undefined
  for (const kind of keyedKinds) {
    if (!types.includes(kind) || (after !== undefined && kind < after.type)) continue
    const from = after?.type === kind ? after : undefined
    const rows = await findKeyed(kind, key, keyRanges(directoryIds, from), maxKeyed)
    const inScope = rows.filter((row) => scope.has(text(row, column))).map((row) => keyPosition(kind, row))
    // A resource whose id is its externalId is found twice.
    const byPlace = new Map(inScope.map((position) => [position.place, position]))
    known.push(...byPlace.values().filter((position) => from === undefined || compareKeys(position, from) > 0))
    const last = rows.length < maxKeyed ? undefined : rows.at(-1)
    end = last && keyPosition(kind, last)
    if (end !== undefined) break
  }
  const page = known.slice(0, limit)
  return { page, next: known.length > limit ? page.at(-1) : end }
}

function keyPosition(type: KeyedKind, row: Row): SearchPosition {
  return { term: keyTerm(text(row, 'directory_id')), product: text(row, 'product'), type, place: text(row, 'place') }
}

function keyRanges(directoryIds: readonly string[] | undefined, from: SearchPosition | undefined): KeyRange[] {
  const [directoryId, after] = from === undefined ? ['', '0'] : [directoryOfKey(from), from.place]
  if (directoryIds === undefined) return [{ first: directoryId, after, last: endOfPrefix('') }]
  return directoryIds
    .filter((id) => compareBytes(id, directoryId) >= 0)
    .sort(compareBytes)
    .map((id) => ({ first: id, after: id === directoryId ? after : '0', last: id }))
}

function compareKeys(a: SearchPosition, b: SearchPosition): number {
  return compareBytes(a.term, b.term) || Number(BigInt(a.place) - BigInt(b.place))
}

/** The products that a search reads, and the directories in them if these are not all. */
interface Searched {
  readonly products: readonly string[]
  readonly directoryIds: readonly string[] | undefined
}

/** Looks for the next product by the index on products: there may be many directories of each. */
const allProducts = `
  with recursive p (product) as (
    select min(d.product) from directories d where d.deleted = 0
    union all
    select (select min(d.product) from directories d where d.deleted = 0 and d.product > p.product)
    from p where p.product is not null
  )
  select product from p where product is not null`

async function searchedIn(query: SearchEngine['query'], scope: DirectoryScope): Promise<Searched> {
  const { tenant, directoryId, product } = scope
  if (tenant === undefined && directoryId === undefined) {
    if (product !== undefined) return { products: [product], directoryIds: undefined }
    const rows = await query({ text: allProducts, values: [] })
    return { products: rows.map((row) => text(row, 'product')), directoryIds: undefined }
  }
  const { conditions, values } = conditionsOf(scope)
  const rows = await query({
    text: `select d.id, d.product from directories d where ${conditions}`,
    values,
  })
  return {
    products: [...new Set(rows.map((row) => text(row, 'product')))],
    directoryIds: rows.map((row) => text(row, 'id')),
  }
}

const scopeColumns = { tenant: 'd.tenant', product: 'd.product', directoryId: 'd.id' } as const

/** The conditions that find the directories `d` of a scope, for which PostgreSQL has one index. */
function conditionsOf(scope: DirectoryScope): { readonly conditions: string; readonly values: readonly string[] } {
  const given = (['tenant', 'product', 'directoryId'] as const).flatMap((part) => {
    const value = scope[part]
    return value === undefined ? [] : [{ column: scopeColumns[part], value }]
  })
  const isInScope = given.map(({ column }, index) => ` and ${column} = $${index + 1}`).join('')
  const ranges = given.map(({ column }, index) => ` and ${column} between $${index + 1} and $${index + 1}`).join('')
  const order = given.map(({ column }) => column).join(', ')
  return {
    conditions:
      scope.directoryId === undefined ? `d.deleted = 0${ranges} order by ${order}` : `d.deleted <> 1${isInScope}`,
    values: given.map(({ value }) => value),
  }
}

function listsOf(products: readonly string[], kinds: readonly SearchedType[]): TermList[] {
  return products.flatMap((product) => kinds.map((kind) => ({ product, kind, number: listNumber(product, kind) })))
}

/** The ranges of the terms that begin with a prefix and follow a position. */
function rangesAfter(
  { lastPlace }: SearchEngine,
  lists: readonly TermList[],
  prefix: string,
  after: SearchPosition | undefined,
): TermRange[] {
  if (after === undefined || compareBytes(after.term, prefix) < 0) {
    return lists.map((list) => ({ ...list, after: { term: prefix, place: '0' } }))
  }
  const { term } = after
  return lists.map((list) => {
    const order = compareBytes(list.product, after.product) || compareBytes(list.kind, after.type)
    if (order === 0) return { ...list, after }
    return { ...list, after: { term, place: order < 0 ? lastPlace : '0' } }
  })
}

/** Merges what was found in all ranges, up to the first place where the reading of one of them ended. */
function mergePage(found: readonly FoundTerms[], limit: number) {
  const ends = found.flatMap(({ end }) => end ?? []).sort(comparePositions)
  const [end] = ends
  const known = found
    .flatMap((range) => range.found)
    .filter((position) => end === undefined || comparePositions(position, end) <= 0)
    .sort(comparePositions)
  const page = known.slice(0, limit)
  return { page, next: known.length > limit ? page.at(-1) : end }
}

/** The positions of one list and term are equal, and stay in the order in which they were read. */
function comparePositions(a: SearchPosition, b: SearchPosition): number {
  return compareBytes(a.term, b.term) || compareBytes(a.product, b.product) || compareBytes(a.type, b.type)
}

/** Both databases compare the bytes of UTF-8, which differs from the order of JavaScript. */
function compareBytes(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b))
}

const directoryColumns = 'd.name as directory_name, d.tenant, d.product'

/** Names are cut: a page shows many. */
const start = (column: string) => `substr(${column}, 1, 256) as ${column.slice(2)}`

/** The columns of a user `u`, a group `g` and a directory that a hit needs, beside the directory `d`. */
export const shownColumns: Readonly<Record<SearchedType, string>> = {
  user: `u.id, u.external_id, d.id as directory_id, u.user_name, u.email, u.active, ${start('u.display_name')},
    ${start('u.first_name')}, ${start('u.last_name')}, ${directoryColumns}`,
  group: `g.id, g.external_id, d.id as directory_id, g.name, ${directoryColumns}`,
  directory: `d.id, null as external_id, d.id as directory_id, d.name, ${directoryColumns}`,
}

/** The hits of a page, without the users and groups that a key finds before, if one is given. */
async function hitsOf({ shown }: SearchEngine, page: readonly SearchPosition[], key?: string): Promise<SearchHit[]> {
  const hits = new Map<SearchPosition, SearchHit>()
  const ofEachType = searchedTypes.map(async (type) => {
    const positions = page.filter((position) => position.type === type)
    if (positions.length === 0) return
    const rows = await shown(
      type,
      positions.map(({ place }) => place),
    )
    for (const [index, position] of positions.entries()) {
      const row = rows[index]
      if (row !== undefined && text(row, 'product') === position.product && !(type !== 'directory' && hasKey(row, key)))
        hits.set(position, decodeHit(type, row, position))
    }
  })
  await Promise.all(ofEachType)
  return page.flatMap((position) => hits.get(position) ?? [])
}

function hasKey(row: Row, key: string | undefined): boolean {
  return key !== undefined && (text(row, 'id') === key || optionalText(row, 'external_id') === key)
}

function decodeHit(type: SearchedType, row: Row, position: SearchPosition): SearchHit {
  return {
    ...{ type, id: text(row, 'id') },
    ...(type === 'user' ? userFields(row) : { name: text(row, 'name'), ...noUserFields }),
    directoryId: text(row, 'directory_id'),
    directoryName: text(row, 'directory_name'),
    tenant: text(row, 'tenant'),
    product: text(row, 'product'),
    position,
  }
}

const noUserFields = { email: undefined, userName: undefined, active: undefined }

/** A user's name is as in lists: the full name, or else the displayName, or else the email. */
function userFields(row: Row): Pick<SearchHit, 'name' | 'email' | 'userName' | 'active'> {
  const [email, userName, displayName] = [text(row, 'email'), text(row, 'user_name'), text(row, 'display_name')]
  const fullName = `${text(row, 'first_name')} ${text(row, 'last_name')}`.trim()
  const name = fullName || (displayName === userName ? '' : displayName) || email
  return { name, email, userName, active: boolean(row, 'active') }
}

function namedResource({ type, id, directoryId }: SearchHit): NamedResource[] {
  return type === 'directory' ? [] : [{ type, id, directoryId }]
}
