import type { DatabaseSync } from 'node:sqlite'
import type { SearchedType, SearchPosition, SearchStore } from '../../directory/search-store.ts'
import { integer, text } from '../row.ts'
import type { FoundTerms, TermList, TermRange, WantedTerms } from '../search.ts'
import { createSearchStore, decodePosition, shownColumns } from '../search.ts'
import type { RunStatement } from './sql-database.ts'

/** Searches over directories on SQLite. */
export function sqliteSearch(db: DatabaseSync, run: RunStatement): SearchStore {
  return createSearchStore({
    query: async (statement) => run(statement),
    findTerms: createFindTerms(db),
    findWhole: createFindWhole(db),
    shown: createShown(db),
  })
}

function createFindTerms(db: DatabaseSync) {
  const range = db.prepare(`
    select term, directory_id, resource_id, shared from search_terms
    where product = ? and kind = ? and (term, directory_id, resource_id) > (?, ?, ?) and term < ?
    order by term, directory_id, resource_id limit ?`)

  function findIn(list: TermRange, { end, maxShared, directoryIds, examined, limit }: WantedTerms): FoundTerms {
    const { term, directoryId, id } = list.after
    const wanted = directoryIds && new Set(directoryIds)
    const found: SearchPosition[] = []
    let last: SearchPosition | undefined
    let read = 0
    for (const row of range.iterate(list.product, list.kind, term, directoryId, id, end, examined)) {
      read++
      const isWanted = integer(row, 'shared') < maxShared && wanted?.has(text(row, 'directory_id')) !== false
      if (!isWanted && read < examined) continue
      last = decodePosition(list, row)
      if (isWanted) found.push(last)
      if (found.length === limit) return { found, end: last }
    }
    return { found, end: read === examined ? last : undefined }
  }

  return async (ranges: readonly TermRange[], wanted: WantedTerms) => ranges.map((range) => findIn(range, wanted))
}

function createFindWhole(db: DatabaseSync) {
  const whole = db.prepare(`
    select t.kind, t.directory_id, t.resource_id from search_terms t join directories d on d.id = t.directory_id
    where t.product = ? and t.kind = ? and t.term = ? and t.is_whole = 1 and d.deleted = 0
    order by t.directory_id, t.resource_id limit ?`)
  const wholeIn = db.prepare(`
    select t.kind, t.directory_id, t.resource_id from json_each(?) k cross join search_terms t
    where t.product = ? and t.kind = ? and t.term = ? and t.directory_id = k.value and t.is_whole = 1 limit ?`)
  return async (lists: readonly TermList[], term: string, directoryIds: readonly string[] | undefined, limit: number) =>
    lists.flatMap(({ product, kind }) =>
      directoryIds === undefined
        ? whole.all(product, kind, term, limit)
        : wholeIn.all(JSON.stringify(directoryIds), product, kind, term, limit),
    )
}

function createShown(db: DatabaseSync) {
  const of = (kind: SearchedType, from: string) =>
    db.prepare(`select ${shownColumns[kind]} ${from} where d.deleted = 0 and d.id = ?1`)
  const statements = {
    user: of('user', 'from directories d join users u on u.directory_id = d.id and u.id = ?2'),
    group: of('group', 'from directories d join groups g on g.directory_id = d.id and g.id = ?2'),
    directory: of('directory', 'from directories d'),
  } satisfies Record<SearchedType, unknown>
  return async (kind: SearchedType, keys: readonly Pick<SearchPosition, 'directoryId' | 'id'>[]) =>
    keys.flatMap(({ directoryId, id }) => statements[kind].all(directoryId, ...(kind === 'directory' ? [] : [id])))
}
