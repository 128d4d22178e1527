import type { DirectoryScope } from '../directory/directory.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { ListingInput, TokenPagingInput as TokenPaging } from '../directory/inputs.ts'
import { maxPageLimit, PagingInput, parseInput, ScopeInput, TokenPagingInput } from '../directory/inputs.ts'
import type { Static } from '../inputs/json-schema.ts'
import { isObject } from '../scim/json.ts'

/** The requested part of a listing; undefined means all of it. */
export type Paging =
  | { readonly offset: number; readonly limit: number }
  | { readonly token: string; readonly limit: number }
  | undefined

/**
 * The scope of a lookup: a directory, a tenant's directories for a product, both conditions together, or all directories of a
 * product.
 *
 * @throws DirectoryError `invalid-input`
 */
export function parseScope(query: unknown): DirectoryScope {
  return scopeOf(parseInput(ScopeInput, query))
}

/** @throws DirectoryError `invalid-input` */
export function parsePaging(query: unknown): Paging {
  return pagingOf(parseInput(PagingInput, withNumbers(query)))
}

/**
 * Parses the query of a listing, which may have more fields than its scope and paging.
 *
 * @throws DirectoryError `invalid-input`
 */
export function parseListing<S extends typeof ListingInput>(schema: S, query: unknown) {
  const { fields, paging } = parseListingFields(schema, query)
  return { fields, scope: scopeOf(fields), paging }
}

/** Like `parseListing`, without a check of the scope, which is up to the caller. */
export function parseListingFields<S extends typeof ListingInput>(schema: S, query: unknown) {
  const fields: Static<S> = parseInput(schema, withNumbers(query))
  return { fields, paging: pagingOf(fields) }
}

/** @throws DirectoryError `invalid-input` when it names neither a directory nor a product */
export function scopeOf({ tenant, product, directoryId }: ScopeInput): DirectoryScope {
  if (directoryId === undefined && product === undefined) {
    const message = 'Name the directories: send directoryId, tenant and product, or product alone for all its tenants.'
    throw new DirectoryError('invalid-input', message)
  }
  return { tenant, product, directoryId }
}

/** @throws DirectoryError `invalid-input` */
export function pagingOf({ pageLimit, pageOffset, pageToken }: PagingInput): Paging {
  if (pageLimit === undefined && pageOffset === undefined && pageToken === undefined) return undefined
  const limit = pageLimit ?? maxPageLimit
  if (pageToken === undefined) return { offset: pageOffset ?? 0, limit }
  if (pageOffset === undefined || pageOffset === 0) return { token: pageToken, limit }
  throw new DirectoryError('invalid-input', 'pageOffset: leave it out when you send a pageToken.')
}

/** Converts the numbers of a query string; from the library they already are numbers. */
export function withNumbers(query: unknown): unknown {
  if (!isObject(query)) return query
  return { ...query, pageLimit: numberIn(query['pageLimit']), pageOffset: numberIn(query['pageOffset']) }
}

function numberIn(value: unknown): unknown {
  return typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : value
}

/**
 * The paging of a list without offsets; undefined: the default.
 *
 * @throws DirectoryError `invalid-input`
 */
export function parseTokenPaging(query: unknown): TokenPaging {
  if (!isObject(query) || query['pageLimit'] === undefined) return parseInput(TokenPagingInput, query)
  return parseInput(TokenPagingInput, { ...query, pageLimit: numberIn(query['pageLimit']) })
}
