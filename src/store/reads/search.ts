import type { DirectoryScope } from '../../directory/directory.ts'
import type {
  NamedResource,
  SearchedType,
  SearchHit,
  SearchPart,
  SearchPosition,
  SearchStore,
} from '../../directory/search-store.ts'
import { directoryOfKey, isOfKey, searchedTypes } from '../../directory/search-store.ts'
import { endOfPrefix, searchText } from '../../directory/search-terms.ts'
import type { Row } from '../row.ts'
import { boolean, optionalText, text } from '../row.ts'
import { listNumber } from '../search-terms.ts'
import type { SqlDatabase } from '../sql-database.ts'
import type {
  FindKeyed,
  FoundTerms,
  KeyedKind,
  KeyRange,
  ReadShown,
  SearchEngine,
  TermList,
  TermRange,
} from './search-reads.ts'
import { compareBytes, compareKeys, createFindKeyed, createFindWhole, createShown } from './search-reads.ts'

/** How many terms a search examines at most, over all lists, and in a list at least. */
const maxExamined = 9_000
const minExamined = 200

/** How many resources of each kind with a key are read at once, of the scope or not. */
const maxKeyed = 1_000

/** Searches over directories. The place of a position is the row key of its user, group or directory. */
export function createSearchStore(database: SqlDatabase, { findTerms }: SearchEngine): SearchStore {
  const { query } = database
  const findWhole = createFindWhole(database)
  const findKeyed = createFindKeyed(database)
  const shown = createShown(database)

  /** At most `limit` resources with a key, however many others have it. */
  async function allKeyed(searched: Searched, key: string, limit: number): Promise<SearchPosition[]> {
    const found: SearchPosition[] = []
    let after: SearchPosition | undefined
    do {
      const { page, next } = await keyedPage(findKeyed, searched, key, { types: keyedKinds, after, limit })
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
        isAtKeys ? keyedPage(findKeyed, searched, asked, { types, after, limit }) : nothing,
        prefix === ''
          ? []
          : findTerms(rangesAfter(lists, prefix, isAtKeys ? undefined : after), {
              end: endOfPrefix(prefix),
              maxShared: prefix.length,
              directoryIds: searched.directoryIds,
              examined: Math.max(minExamined, Math.floor(maxExamined / lists.length)),
              limit: limit + 1,
            }),
      ])
      const first = await hitsOf(shown, keyed.page)
      const next = keyed.next ?? (keyed.page.length === limit ? keyed.page.at(-1) : undefined)
      if (next !== undefined) return { hits: first, next }
      const rest = mergePage(found, limit - keyed.page.length)
      return { hits: [...first, ...(await hitsOf(shown, rest.page, asked))], next: rest.next }
    },
    async findNamed(scope, asked, limit) {
      const [key, term] = [asked.trim(), searchText(asked)]
      const searched = await searchedIn(query, scope)
      const lists = listsOf(searched.products, keyedKinds)
      if (lists.length === 0 || term === '') return []
      const [keyed, whole] = await Promise.all([
        allKeyed(searched, key, limit),
        findWhole(lists, term, searched.directoryIds, limit),
      ])
      const hits = await Promise.all([hitsOf(shown, keyed), hitsOf(shown, whole, key)])
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
  findKeyed: FindKeyed,
  { products, directoryIds }: Searched,
  key: string,
  { types, after, limit }: SearchPart,
): Promise<FoundPage> {
  const scope = new Set(directoryIds ?? products)
  const scopeOf = (position: SearchPosition) =>
    directoryIds === undefined ? position.product : directoryOfKey(position)
  const known: SearchPosition[] = []
  let end: SearchPosition | undefined
  for (const kind of keyedKinds) {
    if (!types.includes(kind) || (after !== undefined && kind < after.type)) continue
    const from = after?.type === kind ? after : undefined
    const found = await findKeyed(kind, key, keyRanges(directoryIds, from), maxKeyed)
    const inScope = found.filter((position) => scope.has(scopeOf(position)))
    // A resource whose id is its externalId is found twice.
    const byPlace = new Map(inScope.map((position) => [position.place, position]))
    known.push(...byPlace.values().filter((position) => from === undefined || compareKeys(position, from) > 0))
    end = found.length < maxKeyed ? undefined : found.at(-1)
    if (end !== undefined) break
  }
  const page = known.slice(0, limit)
  return { page, next: known.length > limit ? page.at(-1) : end }
}

function keyRanges(directoryIds: readonly string[] | undefined, from: SearchPosition | undefined): KeyRange[] {
  const [directoryId, after] = from === undefined ? ['', '0'] : [directoryOfKey(from), from.place]
  if (directoryIds === undefined) return [{ first: directoryId, after, last: endOfPrefix('') }]
  return directoryIds
    .filter((id) => compareBytes(id, directoryId) >= 0)
    .sort(compareBytes)
    .map((id) => ({ first: id, after: id === directoryId ? after : '0', last: id }))
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

async function searchedIn(query: SqlDatabase['query'], scope: DirectoryScope): Promise<Searched> {
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

/** The place after all others; the one before them is 0. */
const lastPlace = String(2n ** 63n - 1n)

/** The ranges of the terms that begin with a prefix and follow a position. */
function rangesAfter(lists: readonly TermList[], prefix: string, after: SearchPosition | undefined): TermRange[] {
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

/** The hits of a page, without the users and groups that a key finds before, if one is given. */
async function hitsOf(shown: ReadShown, page: readonly SearchPosition[], key?: string): Promise<SearchHit[]> {
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
