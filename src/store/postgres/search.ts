import type { SearchedType, SearchPosition, SearchStore } from '../../directory/search-store.ts'
import type { Row } from '../row.ts'
import { boolean, integer, text } from '../row.ts'
import type { FoundTerms, TermList, TermRange, WantedTerms } from '../search.ts'
import { createSearchStore, shownColumns } from '../search.ts'
import type { Statement } from './database.ts'
import type { Reader } from './reader.ts'
import { oneRow } from './sql.ts'

/** Searches over directories on PostgreSQL. The place of a position is the directory's id, a blank, and the resource's id. */
export function postgresSearch({ rows }: Reader): SearchStore {
  return createSearchStore({
    query: rows,
    lastPlace: '\u{10ffff}',
    async findTerms(ranges, wanted) {
      const found = await rows(rangesStatement(ranges, wanted))
      return decodeRanges(ranges, found, wanted.limit)
    },
    findWhole: (lists, term, directoryIds, limit) => rows(wholeStatement(lists, term, directoryIds, limit)),
    async shown(kind, places) {
      const found = await rows({ text: shown[kind], values: keysOf(places) })
      const byPlace = new Map(found.map((row) => [placeOf(text(row, 'directory_id'), text(row, 'id')), row]))
      return places.map((place) => byPlace.get(place))
    },
  })
}

const placeOf = (directoryId: string, id: string) => `${directoryId} ${id}`

/** The ids of the directories of places, and those of the resources. */
function keysOf(places: readonly string[]): [directoryIds: string[], ids: string[]] {
  const keys = places.map((place) => place.split(' '))
  return [keys.map(([directoryId = '']) => directoryId), keys.map(([, ...id]) => id.join(' '))]
}

function decodePosition({ product, kind }: TermList, row: Row): SearchPosition {
  const place = placeOf(text(row, 'directory_id'), text(row, 'resource_id'))
  return { product, type: kind, term: text(row, 'term'), place }
}

/**
 * The wanted terms of each range, and the last one that was examined. The ranges and their parts are read in the order of the
 * index, which ends as soon as enough is found.
 */
const ranges = (inDirectories: string) => `
  select r.n::int4, t.* from unnest((select $1::text[]), (select $2::text[]), (select $3::text[]), (select $4::text[]),
    (select $5::text[])) with ordinality as r (product, kind, term, directory_id, resource_id, n)
  cross join lateral (
    select t.term, t.directory_id, t.resource_id, (t.place = $8)::int4 as is_last,
      (t.shared < $7::int4${inDirectories})::int4 as is_wanted
    from (
      select t.*, row_number() over (order by t.term, t.directory_id, t.resource_id) as place
      from (
        select t.term, t.directory_id, t.resource_id, t.shared from search_terms t
        where t.product = r.product and t.kind = r.kind and t.term < $6
          and (t.term, t.directory_id, t.resource_id) > (r.term, r.directory_id, r.resource_id)
        order by t.product, t.kind, t.term, t.directory_id, t.resource_id limit $8
      ) t
    ) t
    where t.place = $8 or (t.shared < $7::int4${inDirectories})
    order by t.term, t.directory_id, t.resource_id limit $9
  ) t`

const rangesInAll = ranges('')
const rangesInSome = ranges(' and t.directory_id = any((select $10::text[])::text[])')

function rangesStatement(all: readonly TermRange[], wanted: WantedTerms): Statement {
  const { end, maxShared, directoryIds, examined, limit } = wanted
  const columns = [
    all.map(({ product }) => product),
    all.map(({ kind }) => kind),
    all.map(({ after }) => after.term),
    ...keysOf(all.map(({ after }) => after.place)),
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

const whole = (inDirectories: string) => `
  select t.kind, t.directory_id, t.resource_id
  from unnest((select $1::text[]), (select $2::text[])) with ordinality as l (product, kind, n)
  cross join lateral (
    select t.kind, t.directory_id, t.resource_id from search_terms t
    where t.product = l.product and t.kind = l.kind and t.term = $3 and t.is_whole = 1${inDirectories}
    order by t.product, t.kind, t.term, t.directory_id, t.resource_id limit $4
  ) t`

const wholeInAll = whole(`
      and exists (select from directories d where d.id = t.directory_id and d.deleted = 0)`)
const wholeInSome = whole(' and t.directory_id = any((select $5::text[])::text[])')

function wholeStatement(
  lists: readonly TermList[],
  term: string,
  directoryIds: readonly string[] | undefined,
  limit: number,
): Statement {
  const values = [lists.map(({ product }) => product), lists.map(({ kind }) => kind), term, limit]
  if (directoryIds === undefined) return { text: wholeInAll, values }
  return { text: wholeInSome, values: [...values, directoryIds] }
}

const keys = 'unnest((select $1::text[]), (select $2::text[])) as k (directory_id, id)'
const directory =
  'cross join lateral (select * from directories d where d.id = k.directory_id and d.deleted = 0 limit 1) d'

const shown = {
  user: `
    select ${shownColumns.user} from ${keys}
    cross join lateral (${oneRow('users', 'u', 'id', 'k.id', '*', 'k.directory_id')}) u ${directory}`,
  group: `
    select ${shownColumns.group} from ${keys}
    cross join lateral (${oneRow('groups', 'g', 'id', 'k.id', '*', 'k.directory_id')}) g ${directory}`,
  directory: `select ${shownColumns.directory} from ${keys} ${directory}`,
} satisfies Record<SearchedType, string>
