import type { NamedResource, SearchedType, SearchPosition } from '../../directory/search-store.ts'
import { keyTerm } from '../../directory/search-store.ts'
import type { Row } from '../row.ts'
import { text } from '../row.ts'
import { sequenceBits } from '../search-terms.ts'
import type { Dialect, SqlDatabase } from '../sql-database.ts'

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

/** The part of a search that differs between the engines. */
export interface SearchEngine {
  findTerms(ranges: readonly TermRange[], wanted: WantedTerms): Promise<readonly FoundTerms[]>
}

/** The condition that `d` is the directory of a row key. */
function isDirectoryOf({ equals }: Dialect, rowKey: string): string {
  return `${equals('d.number', `(${rowKey} >> ${sequenceBits})`)} and d.deleted <> 1`
}

/** Makes the read of at most `limit` whole terms that are a text. */
export function createFindWhole({ readEach, dialect }: SqlDatabase) {
  const terms = (list: string, product: string, condition: string) => `
    select cast(t.row_key as text) as place from search_terms t
    where t.list = ${list} and t.term = $1${condition} and (
      select d.product from directories d where ${isDirectoryOf(dialect, 't.row_key')}
      order by d.number limit 1
    ) = ${product}
    order by t.list, t.term, t.row_key limit $2`
  const input = { list: 'int8', product: 'text' } as const
  const inAll = readEach({ shared: 2, limit: 2, input, rowsOf: ({ list, product }) => terms(list, product, '') })
  const inSome = readEach({
    ...{ shared: 2, limit: 2, input: { ...input, directory: 'text' } },
    rowsOf({ list, product, directory }) {
      const number = `(select s.number from directories s where ${dialect.equals('s.id', directory)} order by s.id limit 1)`
      const first = `(${number} << ${sequenceBits})`
      return terms(list, product, ` and t.row_key between ${first} and ${first} + ${2 ** sequenceBits - 1}`)
    },
  })
  return async (
    lists: readonly TermList[],
    term: string,
    directoryIds: readonly string[] | undefined,
    limit: number,
  ): Promise<SearchPosition[]> => {
    const inputs = lists.map((list) => ({ ...list, list: list.number }))
    const ofDirectories = (directoryIds ?? []).flatMap((directory) => inputs.map((list) => ({ ...list, directory })))
    const [searched, found] =
      directoryIds === undefined
        ? [inputs, await inAll([term, limit], inputs)]
        : [ofDirectories, await inSome([term, limit], ofDirectories)]
    return searched.flatMap(({ product, kind }, index) =>
      (found[index] ?? []).map((row) => ({ product, type: kind, term, place: text(row, 'place') })),
    )
  }
}

/**
 * Reads the first `limit` resources in the order of directories that have a key as their externalId, in ranges, or as their id,
 * anywhere.
 */
export type FindKeyed = (
  kind: KeyedKind,
  key: string,
  ranges: readonly KeyRange[],
  limit: number,
) => Promise<SearchPosition[]>

export function createFindKeyed({ readEach, dialect }: SqlDatabase): FindKeyed {
  const { equals, apart } = dialect
  const ofDirectory = (column: string) => `(select d.${column} from directories d where d.id = r.directory_id)`
  // Rows are compared, which only the indexes of these columns answer.
  const readOf = (table: 'users' | 'groups') =>
    readEach({
      ...{ shared: 2, limit: 2, input: { id: 'text', first: 'text', after: 'int8', last: 'text' } },
      rowsOf: ({ id, first, after, last }) => `
        select r.directory_id, ${ofDirectory('product')} as product,
          cast((${ofDirectory('number')} << ${sequenceBits}) + r.sequence as text) as place
        from (
          select * from (
            select r.directory_id, r.sequence from ${table} r where ${equals(apart('r.id'), id)}
            order by ${apart('r.id')} limit $2
          ) with_id
          union all
          select * from (
            select r.directory_id, r.sequence from ${table} r
            where (r.external_id, r.directory_id, r.sequence) > ($1, ${first}, ${after} & ${2 ** sequenceBits - 1})
              and (r.external_id, r.directory_id) <= ($1, ${last}) and r.external_id is not null
            order by r.external_id, r.directory_id, r.sequence limit $2
          ) in_range
        ) r`,
    })
  const reads = { user: readOf('users'), group: readOf('groups') } satisfies Record<KeyedKind, unknown>
  return async (kind, key, ranges, limit) => {
    // The id is looked up with the first range only, as no id is empty. What it finds must not leave out the first of the ranges.
    const inputs = ranges.map((range, index) => ({ ...range, id: index === 0 ? key : '' }))
    const found = await reads[kind]([key, 2 * limit], inputs)
    const positions = found.flat().map((row) => keyPosition(kind, row))
    return positions.sort(compareKeys).slice(0, limit)
  }
}

const directoryColumns = 'd.name as directory_name, d.tenant, d.product'

/** Names are cut: a page shows many. */
const start = (column: string) => `substr(${column}, 1, 256) as ${column.slice(2)}`

/** The columns of a user `u`, a group `g` and a directory that a hit needs, beside the directory `d`. */
const shownColumns: Readonly<Record<SearchedType, string>> = {
  user: `u.id, u.external_id, d.id as directory_id, u.user_name, u.email, u.active, ${start('u.display_name')},
    ${start('u.first_name')}, ${start('u.last_name')}, ${directoryColumns}`,
  group: `g.id, g.external_id, d.id as directory_id, g.name, ${directoryColumns}`,
  directory: `d.id, null as external_id, d.id as directory_id, d.name, ${directoryColumns}`,
}

/** Reads the resource at each place, as a row of `shownColumns`; undefined where it or its directory is deleted. */
export type ReadShown = (kind: SearchedType, places: readonly string[]) => Promise<(Row | undefined)[]>

export function createShown({ readEach, dialect }: SqlDatabase): ReadShown {
  const readOf = (kind: SearchedType, resource: (sequence: string) => string) =>
    readEach({
      ...{ shared: 0, input: { place: 'int8' } },
      rowsOf: ({ place }) => `
        select ${shownColumns[kind]} from (
          select d.id, d.name, d.tenant, d.product from directories d
          where ${isDirectoryOf(dialect, place)} order by d.number limit 1
        ) d ${resource(`(${place} & ${2 ** sequenceBits - 1})`)}`,
    })
  const reads = {
    user: readOf('user', (sequence) => dialect.rowBy('users', 'u', 'sequence', sequence, '*', 'd.id')),
    group: readOf('group', (sequence) => dialect.rowBy('groups', 'g', 'sequence', sequence, '*', 'd.id')),
    directory: readOf('directory', () => ''),
  } satisfies Record<SearchedType, unknown>
  return async (kind, places) => {
    const rows = await reads[kind](
      [],
      places.map((place) => ({ place })),
    )
    return rows.map(([row]) => row)
  }
}

/** The position of a resource that a key finds. */
function keyPosition(type: KeyedKind, row: Row): SearchPosition {
  return { term: keyTerm(text(row, 'directory_id')), product: text(row, 'product'), type, place: text(row, 'place') }
}

/** Compares such positions. */
export function compareKeys(a: SearchPosition, b: SearchPosition): number {
  return compareBytes(a.term, b.term) || Number(BigInt(a.place) - BigInt(b.place))
}

/** Both databases compare the bytes of UTF-8, which differs from the order of JavaScript. */
export function compareBytes(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b))
}
