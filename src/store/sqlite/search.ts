import type { DatabaseSync } from 'node:sqlite'
import type { SearchedType, SearchPosition, SearchStore } from '../../directory/search-store.ts'
import type { Row } from '../row.ts'
import { integer, text } from '../row.ts'
import type { FoundTerms, KeyedKind, SearchEngine, TermList, TermRange, WantedTerms } from '../search.ts'
import { createSearchStore, shownColumns } from '../search.ts'
import { sequenceBits } from './row-key.ts'
import type { RunStatement } from './sql-database.ts'

/** Searches over directories on SQLite. The place of a position is the row key of its user, group or directory. */
export function sqliteSearch(db: DatabaseSync, run: RunStatement): SearchStore {
  return createSearchStore({
    query: async (statement) => run(statement),
    lastPlace: String(Number.MAX_SAFE_INTEGER),
    findTerms: createFindTerms(db),
    findWhole: createFindWhole(db),
    findKeyed: createFindKeyed(db),
    shown: createShown(db),
  })
}

function createFindTerms(db: DatabaseSync): SearchEngine['findTerms'] {
  const numbers = db.prepare('select d.number from json_each(?) k cross join directories d where d.id = k.value')
  const range = db.prepare(`
    select term, row_key, shared from search_terms where list = ? and (term, row_key) > (?, ?) and term < ?
    order by term, row_key limit ?`)

  function findIn(
    { product, kind, number, after }: TermRange,
    { end, maxShared, examined, limit }: WantedTerms,
    directories: ReadonlySet<number> | undefined,
  ): FoundTerms {
    const found: SearchPosition[] = []
    let last: SearchPosition | undefined
    let read = 0
    for (const row of range.iterate(number, after.term, Number(after.place), end, examined)) {
      read++
      const key = integer(row, 'row_key')
      const isWanted = integer(row, 'shared') < maxShared && directories?.has(directoryNumber(key)) !== false
      if (!isWanted && read < examined) continue
      last = { product, type: kind, term: text(row, 'term'), place: String(key) }
      if (isWanted) found.push(last)
      if (found.length === limit) return { found, end: last }
    }
    return { found, end: read === examined ? last : undefined }
  }

  return async (ranges, wanted) => {
    const ids = wanted.directoryIds
    const directories = ids && new Set(numbers.all(JSON.stringify(ids)).map((row) => integer(row, 'number')))
    return ranges.map((one) => findIn(one, wanted, directories))
  }
}

const directoryNumber = (rowKey: number) => Math.floor(rowKey / 2 ** sequenceBits)

function createFindWhole(db: DatabaseSync): SearchEngine['findWhole'] {
  const named = (from: string, condition: string) =>
    db.prepare(`
      select t.row_key as place
      from ${from} t cross join directories d on d.number = t.row_key >> ${sequenceBits}
      where t.list = ?1 and t.term = ?2 and d.product = ?3 and d.deleted = 0${condition}
      order by t.row_key limit ?4`)
  const inAll = named('search_terms', '')
  const inSome = named(
    'json_each(?5) k cross join directories s on s.id = k.value cross join search_terms',
    ` and t.row_key > s.number << ${sequenceBits} and t.row_key < (s.number + 1) << ${sequenceBits}`,
  )

  function findIn(
    { product, kind, number }: TermList,
    term: string,
    ids: readonly string[] | undefined,
    limit: number,
  ) {
    const values = [number, term, product, limit] as const
    const rows = ids === undefined ? inAll.all(...values) : inSome.all(...values, JSON.stringify(ids))
    return rows.map((row): SearchPosition => ({ product, type: kind, term, place: String(integer(row, 'place')) }))
  }

  return async (lists, term, directoryIds, limit) => {
    const found: SearchPosition[] = []
    for (const list of lists) {
      if (found.length < limit) found.push(...findIn(list, term, directoryIds, limit - found.length))
    }
    return found
  }
}

function createFindKeyed(db: DatabaseSync): SearchEngine['findKeyed'] {
  const of = (table: 'users' | 'groups') => {
    const select = `
      select r.directory_id, d.product, cast(r.row_key as text) as place
      from ${table} r cross join directories d on d.id = r.directory_id`
    return {
      withId: db.prepare(`${select} where r.id = ?1 limit ?2`),
      inRange: db.prepare(`
        ${select} where r.external_id = ?1 and (r.directory_id, r.row_key) > (?2, ?3) and r.directory_id <= ?4
        order by r.directory_id, r.row_key limit ?5`),
    }
  }
  const statements = { user: of('users'), group: of('groups') } satisfies Record<KeyedKind, unknown>

  return async (kind, key, ranges, limit) => {
    const { withId, inRange } = statements[kind]
    const found: Row[] = withId.all(key, limit)
    for (const { first, after, last } of ranges) {
      if (found.length < limit) found.push(...inRange.all(key, first, Number(after), last, limit))
    }
    return found.sort(byDirectory).slice(0, limit)
  }
}

function byDirectory(a: Row, b: Row): number {
  const [first, second] = [text(a, 'directory_id'), text(b, 'directory_id')]
  return first === second ? Number(text(a, 'place')) - Number(text(b, 'place')) : first < second ? -1 : 1
}

function createShown(db: DatabaseSync): SearchEngine['shown'] {
  const of = (kind: SearchedType, from: string) =>
    db.prepare(`select ${shownColumns[kind]} from ${from} and d.deleted = 0`)
  const statements = {
    user: of('user', 'users u join directories d on d.id = u.directory_id where u.row_key = ?'),
    group: of('group', 'groups g join directories d on d.id = g.directory_id where g.row_key = ?'),
    directory: of('directory', `directories d where d.number = ? >> ${sequenceBits}`),
  } satisfies Record<SearchedType, unknown>
  return async (kind, places) => places.map((place) => statements[kind].get(Number(place)))
}
