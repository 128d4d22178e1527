import type { DatabaseSync } from 'node:sqlite'
import type { SearchPosition } from '../../directory/search-store.ts'
import type { FoundTerms, SearchEngine, TermRange, WantedTerms } from '../reads/search-reads.ts'
import { integer, text } from '../row.ts'
import { sequenceBits } from '../search-terms.ts'

/**
 * The searches of terms on SQLite, which end at the last term that is wanted: PostgreSQL counts the examined ones in SQL, in one
 * round trip for all ranges, for which SQLite would read all that it may examine.
 */
export function searchEngine(db: DatabaseSync): SearchEngine {
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
    for (const row of range.iterate(number, after.term, BigInt(after.place), end, examined)) {
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

  return {
    async findTerms(ranges, wanted) {
      const ids = wanted.directoryIds
      const directories = ids && new Set(numbers.all(JSON.stringify(ids)).map((row) => integer(row, 'number')))
      return ranges.map((one) => findIn(one, wanted, directories))
    },
  }
}

const directoryNumber = (rowKey: number) => Math.floor(rowKey / 2 ** sequenceBits)
