import { ScimError } from './errors.ts'
import { isObject } from './json.ts'
import type { Parameters } from './parameters.ts'
import { invalidParameter, namesOf, parametersOf } from './parameters.ts'

/** How many resources a page holds unless the query says. */
export const defaultCount = 100

/** How many resources a page holds at most; who asks for more gets these (RFC 7644 §3.4.2.4). */
export const maxCount = 1000

/** What a listing asks for (RFC 7644 §3.4.2). */
export interface ListQuery {
  readonly filter: string | undefined
  readonly sortBy: string | undefined
  readonly sortOrder: 'ascending' | 'descending'
  /** 1 or more. */
  readonly startIndex: number
  /** 0 to `maxCount`. */
  readonly count: number
  /** Names, empty for none; `parseProjection` reads them. */
  readonly attributes: readonly string[]
  readonly excludedAttributes: readonly string[]
}

/**
 * Reads the parameters of a listing, their names in any letter case; others are ignored.
 *
 * @throws ScimError 400 `invalidFilter` for a filter without content, `invalidValue` for other values that do not fit
 */
export function parseListQuery(query: Readonly<Record<string, unknown>>): ListQuery {
  const parameters = parametersOf(query)
  return {
    filter: filterOf(parameters),
    sortBy: textOf(parameters, 'sortBy'),
    sortOrder: sortOrderOf(parameters),
    startIndex: clamp(integerOf(parameters, 'startIndex') ?? 1, 1, Number.MAX_SAFE_INTEGER),
    count: clamp(integerOf(parameters, 'count') ?? defaultCount, 0, maxCount),
    attributes: namesOf(parameters, 'attributes'),
    excludedAttributes: namesOf(parameters, 'excludedAttributes'),
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
  if (typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value)) return Number(value)
  if (typeof value === 'number' && Number.isInteger(value)) return value
  throw invalidParameter(name, 'a whole number')
}

function clamp(value: number, lowest: number, highest: number): number {
  return Math.min(Math.max(value, lowest), highest)
}
