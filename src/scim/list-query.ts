import { ScimError } from './errors.ts'
import { isObject } from './json.ts'
import { defaultCount, maxCount } from './limits.ts'
import { messageUrns, requireMessage } from './messages.ts'
import type { Parameters } from './parameters.ts'
import { attributeNames, invalidParameter, readParameters } from './parameters.ts'
import type { ScimProfile } from './schema/resource-type.ts'

/** A parsed listing request (RFC 7644 §3.4.2). */
export interface ListQuery {
  readonly filter: string | undefined
  readonly sortBy: string | undefined
  readonly sortOrder: 'ascending' | 'descending'
  readonly page: PageQuery
  /** Names for `parseProjection`; empty for none. */
  readonly attributes: readonly string[]
  readonly excludedAttributes: readonly string[]
}

/** The requested page: from a start index, or from a cursor. */
export type PageQuery = IndexPage | CursorPage

/** Pagination by index (RFC 7644 §3.4.2.4), which is the default. */
export interface IndexPage {
  readonly kind: 'index'
  /** 1 or more. */
  readonly startIndex: number
  /** 0 to `maxCount`. */
  readonly count: number
}

/** Pagination by cursor (RFC 9865 §2). */
export interface CursorPage {
  readonly kind: 'cursor'
  /** From the response with the previous page; empty for the first page. */
  readonly cursor: string
  /** 0 to `maxCount`. */
  readonly count: number
}

/**
 * Parses the parameters of a listing. Names are case-insensitive; unknown parameters are ignored.
 *
 * @throws ScimError 400 `invalidFilter` for an empty filter, `invalidCursor` for a cursor that is not a string,
 *   `invalidCount` for a count that is not allowed with a cursor, `invalidValue` for any other invalid value
 */
export function parseListQuery(query: Readonly<Record<string, unknown>>): ListQuery {
  const parameters = readParameters(query)
  return {
    filter: filterOf(parameters),
    sortBy: textOf(parameters, 'sortBy'),
    sortOrder: sortOrderOf(parameters),
    page: pageOf(parameters),
    attributes: attributeNames(parameters, 'attributes'),
    excludedAttributes: attributeNames(parameters, 'excludedAttributes'),
  }
}

/**
 * Parses the body of a `.search` request, which has the same parameters (RFC 7644 §3.4.3).
 *
 * @throws ScimError 400 `invalidSyntax` when it is not an object, or in the strict profile without its `schemas`; otherwise as `parseListQuery`
 */
export function parseSearchRequest(body: unknown, profile: ScimProfile = 'tolerant'): ListQuery {
  if (!isObject(body)) throw new ScimError(400, 'invalidSyntax', 'The body must be a JSON object: a SearchRequest.')
  requireMessage(body, messageUrns.searchRequest, profile)
  return parseListQuery(body)
}

function pageOf(parameters: Parameters): PageQuery {
  const cursor = parameters.get('cursor')
  if (cursor !== undefined) return cursorPage(parameters, cursor)
  return {
    kind: 'index',
    startIndex: clamp(integerOf(parameters, 'startIndex') ?? 1, 1, Number.MAX_SAFE_INTEGER),
    count: clamp(integerOf(parameters, 'count') ?? defaultCount, 0, maxCount),
  }
}

function cursorPage(parameters: Parameters, cursor: unknown): CursorPage {
  if (typeof cursor !== 'string') throw invalidCursor()
  if (parameters.get('startindex') !== undefined) {
    throw new ScimError(400, 'invalidValue', 'Use either startIndex or cursor, not both.')
  }
  return { kind: 'cursor', cursor, count: cursorCount(parameters) }
}

/**
 * The count of a page. With a cursor, a count above the limit is rejected rather than reduced: all pages have the same
 * size (RFC 9865 §2.1).
 */
function cursorCount(parameters: Parameters): number {
  const count = parseInteger(parameters.get('count') ?? defaultCount)
  if (count !== undefined && count <= maxCount) return Math.max(count, 0)
  throw new ScimError(400, 'invalidCount', `count must be an integer from 0 to ${maxCount}.`)
}

/** The error for a cursor that was not issued for this query or was modified (RFC 9865 §2.1). */
export function invalidCursor(): ScimError {
  const detail =
    'The cursor does not belong to this query: start with an empty cursor, then send each nextCursor unchanged.'
  return new ScimError(400, 'invalidCursor', detail)
}

function filterOf(parameters: Parameters): string | undefined {
  const filter = parameters.get('filter')
  if (filter === undefined || (typeof filter === 'string' && filter.trim() !== '')) return filter
  throw new ScimError(
    400,
    'invalidFilter',
    'filter must not be empty: send a filter such as userName eq "bjensen", or leave it out.',
  )
}

function textOf(parameters: Parameters, name: string): string | undefined {
  const value = parameters.get(name.toLowerCase())
  if (value === undefined || value === '') return undefined
  if (typeof value === 'string') return value
  throw invalidParameter(name, 'a single string')
}

function sortOrderOf(parameters: Parameters): 'ascending' | 'descending' {
  const order = textOf(parameters, 'sortOrder')?.toLowerCase() ?? 'ascending'
  if (order === 'ascending' || order === 'descending') return order
  throw invalidParameter('sortOrder', 'ascending or descending')
}

/** An integer parameter: a string in a query, a number in a body. */
function integerOf(parameters: Parameters, name: string): number | undefined {
  const value = parameters.get(name.toLowerCase())
  if (value === undefined) return undefined
  const number = parseInteger(value)
  if (number === undefined) throw invalidParameter(name, 'an integer')
  return number
}

function parseInteger(value: unknown): number | undefined {
  if (typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value)) return Number(value)
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined
}

function clamp(value: number, lowest: number, highest: number): number {
  return Math.min(Math.max(value, lowest), highest)
}
