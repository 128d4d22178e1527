import { Type } from 'typebox'
import { DirectoryError } from '../directory/errors.ts'
import { maxPageLimit, PagingInput, parseInput } from '../directory/inputs.ts'
import { isObject } from '../scim/json.ts'
import type { ListPosition } from './store.ts'

const usualLimit = 100

/** Which page of a listing to answer: the first, or the one that the token of the page before leads to. */
export const AdminPagingInput = Type.Object({
  pageLimit: Type.Optional(
    Type.Integer({
      description: `pageLimit: a whole number from 1 to ${maxPageLimit}; ${usualLimit} when it is left out.`,
      minimum: 1,
      maximum: maxPageLimit,
    }),
  ),
  pageToken: PagingInput.properties.pageToken,
})

/** A page of a listing, and the token of the next one when more follow. */
export interface AdminPage<T> {
  readonly rows: readonly T[]
  readonly pageToken: string | undefined
}

/**
 * The limit and the place of a page.
 *
 * @throws DirectoryError `invalid-input`, also for a token that holds no such place
 */
export function parseAdminPaging<P>(query: unknown, isPlace: (value: unknown) => value is P) {
  const { pageLimit: limit = usualLimit, pageToken } = parseInput(AdminPagingInput, withNumber(query ?? {}))
  if (pageToken === undefined) return { limit, place: undefined }
  const place = parse(Buffer.from(pageToken, 'base64url').toString())
  if (isPlace(place)) return { limit, place }
  const problem = { field: 'pageToken', message: 'pageToken: send the token of the answer before, unchanged.' }
  throw new DirectoryError('invalid-input', problem.message, [problem])
}

/** Reads one row more than the page has, to know whether more follow; the token holds the place of the last one. */
export async function readAdminPage<T>(
  limit: number,
  read: (limit: number) => Promise<readonly T[]>,
  placeOf: (row: T) => unknown,
): Promise<AdminPage<T>> {
  const found = await read(limit + 1)
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const hasMore = found.length > limit && last !== undefined
  return { rows, pageToken: hasMore ? writeToken(placeOf(last)) : undefined }
}

function writeToken(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** Numbers come as text in a query string. */
function withNumber(query: unknown): unknown {
  if (!isObject(query)) return query
  const { pageLimit } = query
  const isText = typeof pageLimit === 'string' && /^\d{1,6}$/.test(pageLimit)
  return isText ? { ...query, pageLimit: Number(pageLimit) } : query
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Place = Exclude<ListPosition['after'], undefined>

/** A place in a list in the order of creation, as a page token holds it. */
export function placeText({ createdAt, id }: Place): readonly [number, string] {
  return [createdAt, id]
}

/** Whether a page token holds such a place. */
export function isPlaceText(value: unknown): value is readonly [number, string] {
  if (!Array.isArray(value) || value.length !== 2) return false
  const [createdAt, id] = value as unknown[]
  return Number.isSafeInteger(createdAt) && typeof id === 'string' && /^[\w-]{1,100}$/.test(id)
}

/** The part of the list behind such a place, or its beginning. */
export function partBehind(place: readonly [number, string] | undefined, limit: number): ListPosition {
  return place === undefined ? { limit } : { after: { createdAt: place[0], id: place[1] }, limit }
}
