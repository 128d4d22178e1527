import type { Listing } from '../../reads/page.ts'
import { isBetween, pageTokens } from '../../reads/page.ts'
import { eachItem, wholeText } from '../../scim/json-list.ts'
import type { PolisPage } from './paging.ts'

/** A list in creation order that is shown newest first. */
export interface NewestFirst {
  /** The number of rows. */
  readonly total: number
  /** Reads a part of the list. */
  readonly read: (part: { readonly pageOffset: number; readonly pageLimit: number }) => Promise<Listing>
  /** Translates the JSON of a row. */
  readonly translate: (row: string) => string
}

/** The number of rows that are read together: Polis holds as many in memory. */
const rowsPerRead = 50

const olderTokens = pageTokens<{ readonly older: number }>({ older: isBetween(0, Number.MAX_SAFE_INTEGER) })

/**
 * A page of a list, newest first. The token of the next page is the number of rows that are older, so that new rows do not
 * move it.
 *
 * @throws DirectoryError `invalid-input`
 */
export function newestFirst(list: NewestFirst, { offset, limit, token }: PolisPage): Listing {
  const older = olderTokens.read(token)?.older ?? list.total - offset
  const first = Math.max(0, Math.min(older, list.total))
  const rest = first - limit
  return {
    rows: reversedRows(list, first, limit),
    pageToken: rest > 0 ? olderTokens.write({ older: rest }) : undefined,
  }
}

async function* reversedRows({ read, translate }: NewestFirst, first: number, limit: number) {
  const last = Math.max(0, first - limit)
  for (let before = first; before > last; before -= rowsPerRead) {
    const pageOffset = Math.max(last, before - rowsPerRead)
    const { rows } = await read({ pageOffset, pageLimit: before - pageOffset })
    const texts = await Array.fromAsync(eachItem(rows), wholeText)
    yield texts.reverse().map(translate)
  }
}
