import type { Listing } from '../../reads/page.ts'
import { isBetween, pageTokens } from '../../reads/page.ts'
import { eachItem, wholeText } from '../../scim/json-list.ts'

/** The fields of a body, a query or a row. */
export type Fields = Readonly<Record<string, unknown>>

/** The requested part of a list: of rows counted from the newest one. */
export interface PolisPage {
  readonly offset: number
  readonly limit: number
  readonly token: string | undefined
}

const defaultLimit = 50
const maxLimit = 1000
const maxOffset = 1_000_000_000

/** The page that a query asks for. Whatever is no number is the default, as in Polis. */
export function polisPage(query: Fields): PolisPage {
  const { pageOffset = query['offset'], pageLimit = query['limit'], pageToken } = query
  const [offset, limit] = [Number(pageOffset), Number(pageLimit)]
  const isToken = typeof pageToken === 'string' && !['', 'undefined', 'null'].includes(pageToken)
  return {
    offset: offset > 0 ? Math.min(Math.floor(offset), maxOffset) : 0,
    limit: limit >= 1 ? Math.min(Math.floor(limit), maxLimit) : defaultLimit,
    token: isToken ? pageToken : undefined,
  }
}

/** The names of the parameters of a page. */
export const pageParameters: ReadonlySet<string> = new Set([
  ...['pageOffset', 'pageLimit', 'pageToken', 'offset', 'limit'],
])

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
