import type { SearchedType } from '../../../directory/search-store.ts'
import type { SearchedTexts } from '../../../directory/search-terms.ts'
import { changedTerms, termsOf } from '../../../directory/search-terms.ts'
import { listNumber } from '../../search-terms.ts'
import type { Position } from '../numbers.ts'
import { rowKeyValue } from '../numbers.ts'
import { searchTerms } from '../tables.ts'
import type { WriteCollection } from '../writes.ts'
import type { Effect } from './effect.ts'

/** The texts of a user or group before and after a change; undefined where it does not exist. */
export interface ChangedTexts {
  readonly before: SearchedTexts | undefined
  readonly after: SearchedTexts | undefined
}

/** Returns whether a change of texts writes terms. */
function changesTerms(before: SearchedTexts, after: SearchedTexts): boolean {
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

/** Writes the terms by which searches find users; for those that change, the position of the user must be known. */
export const searchUsers: Effect = {
  request(changes) {
    const replaced = changes.flatMap(({ before, after }) => {
      const isChanged = before && after && changesTerms(before.searched, after.searched)
      return isChanged ? [before.id] : []
    })
    return replaced.length === 0 ? undefined : { users: replaced }
  },
  write(changes, { directory: { product } }, writes) {
    for (const { before, after, position } of changes) {
      writeTerms(writes, { product, kind: 'user' }, position, { before: before?.searched, after: after?.searched })
    }
  },
}
