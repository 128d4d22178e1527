import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { SearchedTexts, SearchTerm } from '../../directory/search-terms.ts'
import { changedTerms } from '../../directory/search-terms.ts'
import type { TermOwner } from '../search-terms.ts'

/** The rows of search terms. Everything here runs in the transaction of the caller. */
export interface SearchTerms {
  /** Writes the terms of a new owner. */
  create(owner: TermOwner, terms: readonly SearchTerm[]): void
  /** Writes terms over those that the owner may have. */
  write(owner: TermOwner, terms: readonly SearchTerm[]): void
  remove(owner: TermOwner, terms: readonly SearchTerm[]): void
  /** Writes the difference between two versions of the owner; the first is undefined when it is new. */
  change(owner: TermOwner, before: SearchedTexts | undefined, after: SearchedTexts): void
  /** Removes the terms of a directory itself, whatever they are. */
  removeOfDirectory(directoryId: string): void
}

export function createSearchTerms(db: DatabaseSync): SearchTerms {
  const into = `into search_terms (product, kind, directory_id, resource_id, term, shared, is_whole)
    values (?, ?, ?, ?, ?, ?, ?)`
  const insert = db.prepare(`insert ${into}`)
  // Takes a third longer, even if there is nothing to replace.
  const put = db.prepare(`insert or replace ${into}`)
  const removeOne = db.prepare(`
    delete from search_terms
    where product = ? and kind = ? and directory_id = ? and resource_id = ? and term = ?`)
  const removeOwn = db.prepare(`delete from search_terms where directory_id = ? and kind = 'directory'`)

  const writeWith =
    (statement: StatementSync): SearchTerms['write'] =>
    ({ product, kind, directoryId, id }, terms) => {
      for (const { term, shared, isWhole } of terms)
        statement.run(product, kind, directoryId, id, term, shared, Number(isWhole))
    }
  const write = writeWith(put)

  function remove({ product, kind, directoryId, id }: TermOwner, terms: readonly SearchTerm[]): void {
    for (const { term } of terms) removeOne.run(product, kind, directoryId, id, term)
  }

  return {
    create: writeWith(insert),
    write,
    remove,
    change(owner, before, after) {
      const { removed, written } = changedTerms(before, after)
      remove(owner, removed)
      write(owner, written)
    },
    removeOfDirectory(directoryId) {
      removeOwn.run(directoryId)
    },
  }
}
