import type { DatabaseSync } from 'node:sqlite'
import type { SearchedType } from '../../directory/search-store.ts'
import type { SearchTerm } from '../../directory/search-terms.ts'
import { listNumber, sequenceBits } from '../search-terms.ts'
import { rowKey } from './row-key.ts'

/** A user, group or directory that has terms. */
export interface TermOwner {
  readonly product: string
  readonly kind: SearchedType
  /** Its row key; of a directory the one with the sequence number 0. */
  readonly rowKey: number
}

/** The rows of search terms. Everything here runs in the transaction of the caller. */
export interface SearchTerms {
  /** Writes the terms of a new owner. */
  create(owner: TermOwner, terms: readonly SearchTerm[]): void
  /** Removes the terms of the directory with a number itself, whatever they are. */
  removeOfDirectory(number: number): void
}

export function createSearchTerms(db: DatabaseSync): SearchTerms {
  const insert = db.prepare('insert into search_terms (list, row_key, term, shared) values (?, ?, ?, ?)')
  const removeOwn = db.prepare(`delete from search_terms where row_key = ? and row_key % ${2 ** sequenceBits} = 0`)
  return {
    create({ product, kind, rowKey: key }, terms) {
      const list = listNumber(product, kind)
      for (const { term, shared } of terms) insert.run(list, key, term, shared)
    },
    removeOfDirectory(number) {
      removeOwn.run(rowKey(number, 0))
    },
  }
}
