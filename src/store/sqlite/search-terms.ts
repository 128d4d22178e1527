import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Directory } from '../../directory/directory.ts'
import type { SearchedType } from '../../directory/search-store.ts'
import type { SearchedTexts, SearchTerm } from '../../directory/search-terms.ts'
import { changedTerms, directoryTexts, termsOf } from '../../directory/search-terms.ts'
import { integer, text } from '../row.ts'
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
  /** Writes terms over those that the owner may have. */
  write(owner: TermOwner, terms: readonly SearchTerm[]): void
  remove(owner: TermOwner, terms: readonly SearchTerm[]): void
  /** Writes the difference between two versions of an owner, which is looked up if there is one. */
  change(findOwner: () => TermOwner, before: SearchedTexts, after: SearchedTexts): void
}

export function createSearchTerms(db: DatabaseSync): SearchTerms {
  const into = 'into search_terms (list, row_key, term, shared, is_whole) values (?, ?, ?, ?, ?)'
  const insert = db.prepare(`insert ${into}`)
  // Takes a third longer, even if there is nothing to replace.
  const put = db.prepare(`insert or replace ${into}`)
  const removeOne = db.prepare('delete from search_terms where list = ? and row_key = ? and term = ?')
  const findList = createFindList(db)
  const insertList = db.prepare('insert into search_lists (product, kind) values (?, ?)')

  const listOf = ({ product, kind }: TermOwner): number =>
    findList(product, kind) ?? Number(insertList.run(product, kind).lastInsertRowid)

  const writeWith =
    (statement: StatementSync): SearchTerms['write'] =>
    (owner, terms) => {
      const list = listOf(owner)
      for (const { term, shared, isWhole } of terms) {
        statement.run(list, owner.rowKey, term, shared, Number(isWhole))
      }
    }
  const write = writeWith(put)

  function remove(owner: TermOwner, terms: readonly SearchTerm[]): void {
    const list = listOf(owner)
    for (const { term } of terms) removeOne.run(list, owner.rowKey, term)
  }

  return {
    create: writeWith(insert),
    write,
    remove,
    change(findOwner, before, after) {
      const { removed, written } = changedTerms(before, after)
      if (removed.length === 0 && written.length === 0) return
      const owner = findOwner()
      remove(owner, removed)
      write(owner, written)
    },
  }
}

/** The terms of directories themselves. Everything here runs in the transaction of the caller. */
export interface DirectoryTerms {
  create(number: number, directory: Directory): void
  /** Must be called before the new version of the directory is stored. */
  change(directory: Directory): void
  /** Does nothing for a directory that does not exist or is deleted. */
  remove(directoryId: string): void
}

export function createDirectoryTerms(db: DatabaseSync): DirectoryTerms {
  const { create, change, remove } = createSearchTerms(db)
  const stored = db.prepare('select number, id, name, tenant, product from directories where id = ? and deleted = 0')
  const ownerOf = (number: number, product: string): TermOwner => {
    return { product, kind: 'directory', rowKey: rowKey(number, 0) }
  }

  function find(id: string) {
    const row = stored.get(id)
    if (row === undefined) return undefined
    const texts = directoryTexts({ id, name: text(row, 'name'), tenant: text(row, 'tenant') })
    return { owner: ownerOf(integer(row, 'number'), text(row, 'product')), texts }
  }

  return {
    create: (number, directory) => create(ownerOf(number, directory.product), termsOf(directoryTexts(directory))),
    change(directory) {
      const found = find(directory.id)
      if (found !== undefined) change(() => found.owner, found.texts, directoryTexts(directory))
    },
    remove(directoryId) {
      const found = find(directoryId)
      if (found !== undefined) remove(found.owner, termsOf(found.texts))
    },
  }
}

/** Finds the number of the list that has the terms of a kind in a product; undefined when there have been none. */
export function createFindList(db: DatabaseSync) {
  const find = db.prepare('select number from search_lists where product = ? and kind = ?')
  return (product: string, kind: SearchedType): number | undefined => {
    const row = find.get(product, kind)
    return row && integer(row, 'number')
  }
}
