import type { SearchPosition } from '../../directory/search-store.ts'
import type { FoundTerms, SearchEngine, TermRange } from '../reads/search-reads.ts'
import type { Row } from '../row.ts'
import { boolean, text } from '../row.ts'
import { sequenceBits } from '../search-terms.ts'
import type { SqlDatabase } from '../sql-database.ts'

/**
 * The wanted terms of a range, and the last one that was examined. The range and its parts are read in the order of the index, which
 * ends as soon as enough is found.
 */
const termsOf = (list: string, term: string, rowKey: string, inDirectories: string) => `
  select t.term, t.row_key::text as place, (t.place = $3)::int4 as is_last,
    (t.shared < $2::int4${inDirectories})::int4 as is_wanted
  from (
    select t.*, row_number() over (order by t.term, t.row_key) as place
    from (
      select t.term, t.row_key, t.shared from search_terms t
      where t.list = ${list} and t.term < $1 and (t.term, t.row_key) > (${term}, ${rowKey})
      order by t.list, t.term, t.row_key limit $3
    ) t
  ) t
  where t.place = $3 or (t.shared < $2::int4${inDirectories})
  order by t.term, t.row_key limit $4`

const isInSome = ` and t.row_key >> ${sequenceBits} = any(array(
  select s.number from unnest((select $5::text[])) as i (id) cross join lateral (
    select * from directories s where s.id between i.id and i.id order by s.id limit 1
  ) s))`

/** The searches of terms on PostgreSQL: in all ranges in one round trip. */
export function searchEngine({ readEach }: SqlDatabase): SearchEngine {
  const readIn = (shared: number, inDirectories: string) =>
    readEach({
      ...{ shared, input: { list: 'int8', term: 'text', row_key: 'int8' } },
      rowsOf: ({ list, term, row_key }) => termsOf(list, term, row_key, inDirectories),
    })
  const [inAll, inSome] = [readIn(4, ''), readIn(5, isInSome)]
  return {
    async findTerms(ranges, { end, maxShared, directoryIds, examined, limit }) {
      const inputs = ranges.map(({ number, after }) => ({ list: number, term: after.term, row_key: after.place }))
      const values = [end, maxShared, examined, limit]
      const found = await (directoryIds === undefined
        ? inAll(values, inputs)
        : inSome([...values, directoryIds], inputs))
      return ranges.map((range, index) => decodeRange(range, found[index] ?? [], limit))
    },
  }
}

function decodeRange(range: TermRange, rows: readonly Row[], limit: number): FoundTerms {
  const last = rows.at(-1)
  const isCut = last !== undefined && (rows.length === limit || boolean(last, 'is_last'))
  return {
    found: rows.filter((row) => boolean(row, 'is_wanted')).map((row) => decodePosition(range, row)),
    end: isCut ? decodePosition(range, last) : undefined,
  }
}

function decodePosition({ product, kind }: TermRange, row: Row): SearchPosition {
  return { product, type: kind, term: text(row, 'term'), place: text(row, 'place') }
}
