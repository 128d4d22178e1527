import type { DirectoryScope } from '../directory/directory.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { ListingInput, PagingInput } from '../directory/inputs.ts'
import { maxPageLimit, parseInput, ScopeInput } from '../directory/inputs.ts'
import type { ObjectSchema, Static } from '../inputs/json-schema.ts'
import { isObject } from '../scim/json.ts'

/** The requested part of a list: from an offset, or after the position in a token. */
export type PageRequest =
  | { readonly offset: number; readonly token?: undefined; readonly limit: number }
  | { readonly offset: 0; readonly token: string; readonly limit: number }

/** The requested part of a list; undefined means all of it. */
export type Paging = PageRequest | undefined

/**
 * Parses the query of a list. The numbers of a query string are texts; from the library they already are numbers.
 *
 * @throws DirectoryError `invalid-input`
 */
export function parseQuery<S extends ObjectSchema>(schema: S, query: unknown = {}): Static<S> {
  if (!isObject(query)) return parseInput(schema, query)
  const numbers = numberFields.filter((name) => name in query).map((name) => [name, numberIn(query[name])])
  return parseInput(schema, { ...query, ...Object.fromEntries(numbers) })
}

const numberFields = ['pageLimit', 'pageOffset', 'bucket', 'buckets']

function numberIn(value: unknown): unknown {
  return typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : value
}

/**
 * Parses the query of a listing, which may have more fields than its scope and paging.
 *
 * @throws DirectoryError `invalid-input`, also when it names neither a directory nor a product
 */
export function parseListing<S extends typeof ListingInput>(schema: S, query: unknown) {
  const fields: Static<S> = parseQuery(schema, query)
  return { fields, scope: scopeOf(fields), paging: pagingOf(fields) }
}

/**
 * Parses the scope of a lookup.
 *
 * @throws DirectoryError `invalid-input`, also when it names neither a directory nor a product
 */
export function parseScope(query: unknown): DirectoryScope {
  return scopeOf(parseInput(ScopeInput, query))
}

/**
 * The scope of a lookup: a directory, a tenant's directories for a product, both conditions together, or all directories of a
 * product.
 *
 * @throws DirectoryError `invalid-input` when it names neither a directory nor a product
 */
export function scopeOf({ tenant, product, directoryId }: ScopeInput): DirectoryScope {
  if (directoryId === undefined && product === undefined) {
    const message = 'Name the directories: send directoryId, tenant and product, or product alone for all its tenants.'
    throw new DirectoryError('invalid-input', message)
  }
  return { tenant, product, directoryId }
}

/** @throws DirectoryError `invalid-input` */
export function pagingOf({ pageLimit, pageOffset, pageToken: token }: PagingInput): Paging {
  if (pageLimit === undefined && pageOffset === undefined && token === undefined) return undefined
  const limit = pageLimit ?? maxPageLimit
  if (token === undefined) return { offset: pageOffset ?? 0, limit }
  if (pageOffset === undefined || pageOffset === 0) return { offset: 0, token, limit }
  throw new DirectoryError('invalid-input', 'pageOffset: leave it out when you send a pageToken.')
}

/** @throws DirectoryError `invalid-input` for an offset, which not every list supports */
export function refuseOffset(paging: Paging, instead = 'this list supports pageToken only.'): void {
  if (paging === undefined || paging.offset === 0) return
  const message = `pageOffset: ${instead}`
  throw new DirectoryError('invalid-input', message, [{ field: 'pageOffset', message }])
}
