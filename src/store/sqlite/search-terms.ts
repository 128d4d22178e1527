import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { SearchedType } from '../../directory/search-store.ts'
import type { SearchedTexts, SearchTerm } from '../../directory/search-terms.ts'
import { changedTerms } from '../../directory/search-terms.ts'
import { listNumber } from '../search-terms.ts'
import { rowKey, sequenceBits } from './row-key.ts'

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
  remove(owner: TermOwner, terms: readonly SearchTerm[]): void
  /** Writes the difference between two versions of an owner, which is looked up if there is one. */
  change(findOwner: () => TermOwner, before: SearchedTexts, after: SearchedTexts): void
  /** Removes the terms of the directory with a number itself, whatever they are. */
  removeOfDirectory(number: number): void
}

export function createSearchTerms(db: DatabaseSync): SearchTerms {
  const into = 'into search_terms (list, row_key, term, shared) values (?, ?, ?, ?)'
  const insert = db.prepare(`insert ${into}`)
  // Takes a third longer, even if there is nothing to replace.
  const put = db.prepare(`insert or replace ${into}`)
  const removeOne = db.prepare('delete from search_terms where list = ? and row_key = ? and term = ?')
  const removeOwn = db.prepare(`delete from search_terms where row_key = ? and row_key % ${2 ** sequenceBits} = 0`)

  const writeWith =
    (statement: StatementSync): SearchTerms['create'] =>
    (owner, terms) => {
      const list = listNumber(owner.product, owner.kind)
      for (const { term, shared } of terms) statement.run(list, owner.rowKey, term, shared)
    }
  const write = writeWith(put)

  function remove(owner: TermOwner, terms: readonly SearchTerm[]): void {
    const list = listNumber(owner.product, owner.kind)
    for (const { term } of terms) removeOne.run(list, owner.rowKey, term)
  }

  return {
    create: writeWith(insert),
    remove,
    change(findOwner, before, after) {
      const { removed, written } = changedTerms(before, after)
      if (removed.length === 0 && written.length === 0) return
      const owner = findOwner()
      remove(owner, removed)
      write(owner, written)
    },
    removeOfDirectory(number) {
      removeOwn.run(rowKey(number, 0))
    },
  }
}
