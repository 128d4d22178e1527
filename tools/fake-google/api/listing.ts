import type { JsonObject } from '../../../src/scim/json.ts'
import { pageUnder } from '../fault.ts'
import type { PagePosition } from '../request.ts'
import { readPageToken, writePageToken } from '../request.ts'
import type { ApiCall, ApiContext } from './context.ts'
import { ApiError } from './errors.ts'

/** A list and its paging. */
export interface Listing<T> {
  readonly kind: `admin#directory#${string}`
  readonly itemsName: string
  /** The parameters of the list, the same for all pages. */
  readonly list: string
  readonly items: readonly T[]
  readonly show: (item: T) => JsonObject
  readonly pageSize: number
}

/**
 * Returns the requested page. Offsets count from the beginning of the current list, so an item may appear twice or not at
 * all if earlier ones are added or removed. As at Google, an empty list has no property for its items.
 *
 * @throws ApiError if the token belongs to another list
 */
export function pageView<T>(context: ApiContext, { request, fault }: ApiCall, listing: Listing<T>): JsonObject {
  const { itemsName, items, pageSize } = listing
  const place = positionOf(request.query.get('pageToken'), listing.list)
  const size = Math.min(pageSize, Math.max(1, context.knobs.pageSizeCap))
  const shown = items.slice(place.offset, place.offset + size).map(listing.show)
  const hasMore = place.offset + size < items.length && showsToken(request.query.get('fields'))
  const next = writePageToken({ ...place, offset: place.offset + size, page: place.page + 1 })
  const page: JsonObject = {
    kind: listing.kind,
    etag: etagOf(context),
    ...(shown.length > 0 && { [itemsName]: shown }),
    ...(hasMore && { nextPageToken: next }),
  }
  return pageUnder(fault, page, itemsName, writePageToken({ ...place, page: place.page + 1 }))
}

/** A unique etag. */
export function etagOf(context: ApiContext): string {
  return `"fake/${context.nextMark().toString(36)}"`
}

function positionOf(token: string | null, list: string): PagePosition {
  if (token === null) return { list, offset: 0, page: 1 }
  const place = readPageToken(token)
  if (place?.list !== list) throw new ApiError('invalid-input', 'Invalid Input: pageToken')
  return place
}

/** A partial response contains the token only if it was requested. */
function showsToken(fields: string | null): boolean {
  return fields === null || fields === '*' || fields.includes('nextPageToken')
}
