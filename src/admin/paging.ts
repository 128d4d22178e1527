import { maxPageLimit, PagingInput, parseInput } from '../directory/inputs.ts'
import type { Static } from '../inputs/json-schema.ts'
import { Type } from '../inputs/json-schema.ts'
import type { Page } from '../reads/listing.ts'
import { readPageToken, writePageToken } from '../reads/page-token.ts'
import { isObject } from '../scim/json.ts'
import type { ListRange } from './admin-store.ts'

const defaultLimit = 100

export const AdminPagingInput = Type.Object({
  pageLimit: Type.Optional(
    Type.Integer({
      description: `pageLimit: a whole number from 1 to ${maxPageLimit}; ${defaultLimit} if omitted.`,
      minimum: 1,
      maximum: maxPageLimit,
    }),
  ),
  pageToken: PagingInput.properties.pageToken,
})

/**
 * The limit of a page and the position that its token contains.
 *
 * @throws DirectoryError `invalid-input`, also for a token without such a position
 */
export function parseAdminPaging<P>(query: unknown, isPosition: (value: unknown) => value is P) {
  return adminPagingOf(parseAdminListing(AdminPagingInput, query), isPosition)
}

/**
 * Parses the query of a listing, which may have more fields than its paging.
 *
 * @throws DirectoryError `invalid-input`
 */
export function parseAdminListing<S extends typeof AdminPagingInput>(schema: S, query: unknown): Static<S> {
  return parseInput(schema, parseLimit(query ?? {}))
}

/** Like `parseAdminPaging`, for a parsed query. */
export function adminPagingOf<P>(
  { pageLimit: limit = defaultLimit, pageToken }: Static<typeof AdminPagingInput>,
  isPosition: (value: unknown) => value is P,
) {
  if (pageToken === undefined) return { limit, position: undefined }
  return { limit, position: readPageToken(pageToken, isPosition) }
}

/** Reads one row more than the page has, to find out whether there is a next page. */
export async function readAdminPage<T>(
  limit: number,
  read: (limit: number) => Promise<readonly T[]>,
  positionOf: (row: T) => unknown,
): Promise<Page<T>> {
  const found = await read(limit + 1)
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const hasMore = found.length > limit && last !== undefined
  return { rows, pageToken: hasMore ? writePageToken(positionOf(last)) : undefined }
}

/** Query parameters are texts: a `pageLimit` that looks like a number becomes one. */
function parseLimit(query: unknown): unknown {
  if (!isObject(query)) return query
  const { pageLimit } = query
  const isText = typeof pageLimit === 'string' && /^\d{1,6}$/.test(pageLimit)
  return isText ? { ...query, pageLimit: Number(pageLimit) } : query
}

type CreationPosition = readonly [createdAt: number, id: string]

/** The position of a row in a list in creation order, as a page token contains it. */
export function creationPosition({ createdAt, id }: NonNullable<ListRange['after']>): CreationPosition {
  return [createdAt, id]
}

export function isCreationPosition(value: unknown): value is CreationPosition {
  if (!Array.isArray(value) || value.length !== 2) return false
  const [createdAt, id]: unknown[] = value
  return Number.isSafeInteger(createdAt) && typeof id === 'string' && /^[\w-]{1,100}$/.test(id)
}

/** The part of a list after a position, or its beginning. */
export function listRange(position: CreationPosition | undefined, limit: number): ListRange {
  return position === undefined ? { limit } : { after: { createdAt: position[0], id: position[1] }, limit }
}
