type Fields = Readonly<Record<string, unknown>>

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
