import type { SearchedType, SearchPosition, SearchStore } from '../../directory/search-store.ts'
import type { Row } from '../row.ts'
import { boolean, integer, text } from '../row.ts'
import type { FoundTerms, KeyedKind, KeyRange, TermList, TermRange, WantedTerms } from '../search.ts'
import { createSearchStore, shownColumns } from '../search.ts'
import type { Statement } from './database.ts'
import type { Reader } from './reader.ts'
import { sequenceBits } from './search-terms.ts'
import { rowBy } from './sql.ts'

/** Searches over directories on PostgreSQL. The place of a position is the row key of its user, group or directory. */
export function postgresSearch({ rows }: Reader): SearchStore {
  return createSearchStore({
    query: rows,
    lastPlace: String(2n ** 63n - 1n),
    async findTerms(ranges, wanted) {
      const found = await rows(rangesStatement(ranges, wanted))
      return decodeRanges(ranges, found, wanted.limit)
    },
    async findWhole(lists, term, directoryIds, limit) {
      const found = await rows(wholeStatement(lists, term, directoryIds, limit))
      return found.map((row) => decodePosition(lists[integer(row, 'n') - 1], row))
    },
    findKeyed: (kind, key, keyRanges, limit) => rows(keyedStatement(kind, key, keyRanges, limit)),
    async shown(kind, places) {
      const found = await rows({ text: shown[kind], values: [places] })
      const byPlace = new Map(found.map((row) => [text(row, 'place'), row]))
      return places.map((place) => byPlace.get(place))
    },
  })
}

/** The directories with these ids, as `s`. */
const someDirectories = (ids: string) => `
  unnest((select ${ids}::text[])) as i (id) cross join lateral (
    select * from directories s where s.id between i.id and i.id order by s.id limit 1
  ) s`

/**
 * The wanted terms of each range, and the last one that was examined. The ranges and their parts are read in the order of the
 * index, which ends as soon as enough is found.
 */
const ranges = (inDirectories: string) => `
  select r.n::int4, t.* from unnest((select $1::int8[]), (select $2::text[]), (select $3::int8[]))
    with ordinality as r (list, term, row_key, n)
  cross join lateral (
    select t.term, t.row_key::text as place, (t.place = $6)::int4 as is_last,
      (t.shared < $5::int4${inDirectories})::int4 as is_wanted
    from (
      select t.*, row_number() over (order by t.term, t.row_key) as place
      from (
        select t.term, t.row_key, t.shared from search_terms t
        where t.list = r.list and t.term < $4 and (t.term, t.row_key) > (r.term, r.row_key)
        order by t.list, t.term, t.row_key limit $6
      ) t
    ) t
    where t.place = $6 or (t.shared < $5::int4${inDirectories})
    order by t.term, t.row_key limit $7
  ) t`

const rangesInAll = ranges('')
const rangesInSome = ranges(`
        and t.row_key >> ${sequenceBits} = any(array(select s.number from ${someDirectories('$8')}))`)

function rangesStatement(all: readonly TermRange[], wanted: WantedTerms): Statement {
  const { end, maxShared, directoryIds, examined, limit } = wanted
  const columns = [
    all.map(({ number }) => number),
    all.map(({ after }) => after.term),
    all.map(({ after }) => after.place),
  ]
  const values = [...columns, end, maxShared, examined, limit]
  if (directoryIds === undefined) return { text: rangesInAll, values }
  return { text: rangesInSome, values: [...values, directoryIds] }
}

function decodeRanges(all: readonly TermRange[], found: readonly Row[], limit: number): FoundTerms[] {
  const rowsOf = Map.groupBy(found, (row) => integer(row, 'n') - 1)
  return all.map((range, index) => {
    const rows = rowsOf.get(index) ?? []
    const last = rows.at(-1)
    const isCut = last !== undefined && (rows.length === limit || boolean(last, 'is_last'))
    return {
      found: rows.filter((row) => boolean(row, 'is_wanted')).map((row) => decodePosition(range, row)),
      end: isCut ? decodePosition(range, last) : undefined,
    }
  })
}

function decodePosition(list: TermList | undefined, row: Row): SearchPosition {
  if (list === undefined) throw new Error('A term is in none of the lists that were read.')
  return { product: list.product, type: list.kind, term: text(row, 'term'), place: text(row, 'place') }
}

/** The range leaves one index to choose: see `oneRow`. */
const isNumberOf = (rowKey: string) => `d.number between ${rowKey} >> ${sequenceBits} and ${rowKey} >> ${sequenceBits}`

/** The directory `d` of a row key, and the row of a user or group in it. */
const directoryOf = (rowKey: string) => `
  cross join lateral (
    select * from directories d where ${isNumberOf(rowKey)} and d.deleted <> 1 order by d.number limit 1
  ) d`
const sequenceOf = (rowKey: string) => `${rowKey} & ${2 ** sequenceBits - 1}`
const userOf = (rowKey: string) => rowBy('users', 'u', 'sequence', sequenceOf(rowKey), '*', 'd.id')
const groupOf = (rowKey: string) => rowBy('groups', 'g', 'sequence', sequenceOf(rowKey), '*', 'd.id')

const whole = (from: string, inDirectory: string) => `
  select l.n::int4, t.row_key::text as place, $3 as term
  from unnest((select $1::int8[]), (select $2::text[])) with ordinality as l (list, product, n)
  cross join ${from}
  cross join lateral (
    select t.row_key from search_terms t
    where t.list = l.list and t.term = $3${inDirectory}
      and (
        select d.product from directories d where ${isNumberOf('t.row_key')} and d.deleted <> 1 order by d.number limit 1
      ) = l.product
    order by t.list, t.term, t.row_key limit $4
  ) t
  limit $4`

const wholeInAll = whole('(select) all_directories', '')
const wholeInSome = whole(
  someDirectories('$5'),
  `
      and t.row_key between s.number << ${sequenceBits} and (s.number << ${sequenceBits}) + ${2 ** sequenceBits - 1}`,
)

function wholeStatement(
  lists: readonly TermList[],
  term: string,
  directoryIds: readonly string[] | undefined,
  limit: number,
): Statement {
  const values = [lists.map(({ number }) => number), lists.map(({ product }) => product), term, limit]
  if (directoryIds === undefined) return { text: wholeInAll, values }
  return { text: wholeInSome, values: [...values, directoryIds] }
}

/** Rows are compared, which only the indexes of these columns answer. */
const keyed = (table: 'users' | 'groups') => `
  select r.directory_id, d.product, ((d.number << ${sequenceBits}) + r.sequence)::text as place
  from (
    (
      select r.directory_id, r.sequence
      from unnest((select $2::text[]), (select $3::int8[]), (select $4::text[])) as k (first, after, last)
      cross join lateral (
        select r.directory_id, r.sequence from ${table} r
        where (r.external_id, r.directory_id, r.sequence) > ($1, k.first, ${sequenceOf('k.after')})
          and (r.external_id, r.directory_id) <= ($1, k.last) and r.external_id is not null
        order by r.external_id, r.directory_id, r.sequence limit $5
      ) r
      limit $5
    )
    union all
    (select r.directory_id, r.sequence from ${table} r where r.id || '' between $1 and $1 order by r.id || '' limit $5)
  ) r
  cross join lateral (select * from directories d where d.id between r.directory_id and r.directory_id order by d.id limit 1) d
  order by r.directory_id, r.sequence limit $5`

const keyedIn = { user: keyed('users'), group: keyed('groups') } satisfies Record<KeyedKind, string>

function keyedStatement(kind: KeyedKind, key: string, keyRanges: readonly KeyRange[], limit: number): Statement {
  const columns = (['first', 'after', 'last'] as const).map((column) => keyRanges.map((range) => range[column]))
  return { text: keyedIn[kind], values: [key, ...columns, limit] }
}

const keys = 'unnest((select $1::text[])) as p (place) cross join lateral (select p.place::int8 as row_key) k'

const shown = {
  user: `select p.place, ${shownColumns.user} from ${keys} ${directoryOf('k.row_key')} ${userOf('k.row_key')}`,
  group: `select p.place, ${shownColumns.group} from ${keys} ${directoryOf('k.row_key')} ${groupOf('k.row_key')}`,
  directory: `select p.place, ${shownColumns.directory} from ${keys} ${directoryOf('k.row_key')}`,
} satisfies Record<SearchedType, string>
