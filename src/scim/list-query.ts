import { ScimError } from './errors.ts'
import { isObject } from './json.ts'
import { defaultCount, maxCount } from './limits.ts'
import type { Parameters } from './parameters.ts'
import { attributeNames, invalidParameter, readParameters } from './parameters.ts'

/** What a listing asks for (RFC 7644 §3.4.2). */
export interface ListQuery {
  readonly filter: string | undefined
  readonly sortBy: string | undefined
  readonly sortOrder: 'ascending' | 'descending'
  readonly page: PageQuery
  /** Names, empty for none; `parseProjection` reads them. */
  readonly attributes: readonly string[]
  readonly excludedAttributes: readonly string[]
}

/** Which page is asked for: from an index on, or the one that a cursor leads to. */
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
  /** As it was answered with the page before; empty for the first page. */
  readonly cursor: string
  /** 0 to `maxCount`. */
  readonly count: number
}

/**
 * Reads the parameters of a listing, their names in any letter case; others are ignored.
 *
 * @throws ScimError 400 `invalidFilter` for a filter without content, `invalidCursor` for a cursor that is no text,
 *   `invalidCount` for a count beside a cursor that no page can have, `invalidValue` for other values that do not fit
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
 * Reads the body of a `.search` request, which has the same parameters (RFC 7644 §3.4.3).
 *
 * @throws ScimError 400 `invalidSyntax` when it is no object; otherwise as `parseListQuery`
 */
export function parseSearchRequest(body: unknown): ListQuery {
  if (!isObject(body)) throw new ScimError(400, 'invalidSyntax', 'The body must be a JSON object: a SearchRequest.')
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

/** A count that would be cut is refused here: every page of a cursor has the same (RFC 9865 §2.1). */
function cursorCount(parameters: Parameters): number {
  const count = wholeNumber(parameters.get('count') ?? defaultCount)
  if (count !== undefined && count <= maxCount) return Math.max(count, 0)
  throw new ScimError(400, 'invalidCount', `count must be a whole number from 0 to ${maxCount}.`)
}

/** The refusal of a cursor that was not answered to this query, or was changed since (RFC 9865 §2.1). */
export function invalidCursor(): ScimError {
  const detail = 'This is no cursor of this query: begin with an empty cursor, then send each nextCursor as it is.'
  return new ScimError(400, 'invalidCursor', detail)
}

function filterOf(parameters: Parameters): string | undefined {
  const filter = parameters.get('filter')
  if (filter === undefined || (typeof filter === 'string' && filter.trim() !== '')) return filter
  throw new ScimError(
    400,
    'invalidFilter',
    'filter must hold one filter, such as userName eq "bjensen"; or leave it out.',
  )
}

function textOf(parameters: Parameters, name: string): string | undefined {
  const value = parameters.get(name.toLowerCase())
  if (value === undefined || value === '') return undefined
  if (typeof value === 'string') return value
  throw invalidParameter(name, 'a single text')
}

function sortOrderOf(parameters: Parameters): 'ascending' | 'descending' {
  const order = textOf(parameters, 'sortOrder')?.toLowerCase() ?? 'ascending'
  if (order === 'ascending' || order === 'descending') return order
  throw invalidParameter('sortOrder', 'ascending or descending')
}

/** The whole number that a parameter holds: text in a query string, a number in a body. */
function integerOf(parameters: Parameters, name: string): number | undefined {
  const value = parameters.get(name.toLowerCase())
  if (value === undefined) return undefined
  const number = wholeNumber(value)
  if (number === undefined) throw invalidParameter(name, 'a whole number')
  return number
}

function wholeNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value)) return Number(value)
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined
}

function clamp(value: number, lowest: number, highest: number): number {
  return Math.min(Math.max(value, lowest), highest)
}
