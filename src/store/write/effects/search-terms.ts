import type { SearchedType } from '../../../directory/search-store.ts'
import type { SearchedTexts } from '../../../directory/search-terms.ts'
import { changedTerms, termsOf } from '../../../directory/search-terms.ts'
import { listNumber } from '../../search-terms.ts'
import type { Position } from '../numbers.ts'
import { rowKeyValue } from '../numbers.ts'
import { searchTerms } from '../tables.ts'
import type { WriteCollection } from '../writes.ts'
import type { UserEffect } from './effect.ts'

/** The texts of a user or group before and after a change; undefined where it does not exist. */
export interface ChangedTexts {
  readonly before: SearchedTexts | undefined
  readonly after: SearchedTexts | undefined
}

/** Whether a change of texts writes terms, for which the position of the resource must be known. */
export function changesTerms({ before, after }: Required<ChangedTexts>): boolean {
  if (before === undefined || after === undefined) return true
  const { removed, written } = changedTerms(before, after)
  return removed.length + written.length > 0
}

/** Writes how the terms by which a user or group is found differ. */
export function writeTerms(
  writes: WriteCollection,
  list: { readonly product: string; readonly kind: SearchedType },
  position: Position | undefined,
  { before, after }: ChangedTexts,
): void {
  const { removed, written } =
    after === undefined ? { removed: termsOf(before ?? noTexts), written: [] } : changedTerms(before, after)
  if (position === undefined || removed.length + written.length === 0) return
  const key = { list: listNumber(list.product, list.kind), row_key: rowKeyValue(position) }
  for (const { term } of removed) writes.write('remove', searchTerms, { ...key, term })
  for (const { term, shared } of written) {
    const row = { ...key, term, shared }
    writes.write(before === undefined ? 'insert' : 'put', searchTerms, row)
  }
}

const noTexts: SearchedTexts = { values: [], names: [] }

/** Writes the terms by which searches find users. */
export const searchUsers: UserEffect = (changes, { directory: { product } }, writes) => {
  for (const { before, after, position } of changes) {
    writeTerms(writes, { product, kind: 'user' }, position, { before: before?.searched, after: after?.searched })
  }
}
