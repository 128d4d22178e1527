import type { Fault } from '../fault.ts'
import type { Knobs } from '../knobs.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { FakeRequest } from '../request.ts'
import { ApiError } from './errors.ts'

/** The state of the API endpoints. */
export interface ApiContext {
  readonly state: WorkspaceState
  readonly knobs: Knobs
  readonly now: () => number
  /** The generation of page tokens; tokens of earlier ones are invalid. */
  readonly generation: () => number
  /** Returns a unique number, for values that change with every response. */
  readonly nextMark: () => number
  /** Returns a sorted list, which is cached until something changes. */
  readonly ordered: <T>(key: string, make: () => T[]) => readonly T[]
  /** Invalidates all page tokens. */
  forgetPageTokens(): void
}

export function createApiContext({ state, knobs, now }: Pick<ApiContext, 'state' | 'knobs' | 'now'>): ApiContext {
  let generation = 0
  let mark = 0
  return {
    state,
    knobs,
    now,
    generation: () => generation,
    nextMark: () => ++mark,
    ordered: createOrderedLists(state),
    forgetPageTokens() {
      generation += 1
    },
  }
}

/** A request to the API with a valid token. */
export interface ApiCall {
  readonly request: FakeRequest
  readonly fault: Fault | undefined
}

/** Caches sorted lists until something changes. */
function createOrderedLists(state: Pick<WorkspaceState, 'changes'>): ApiContext['ordered'] {
  const lists = new Map<string, { readonly changes: number; readonly items: readonly unknown[] }>()
  return <T>(key: string, make: () => T[]) => {
    const known = lists.get(key)
    if (known?.changes === state.changes) return known.items as readonly T[]
    const items = make()
    lists.set(key, { changes: state.changes, items })
    return items
  }
}

/** The parameters that every endpoint accepts. */
const common = ['fields', 'prettyPrint', 'quotaUser', 'alt', 'key', 'access_token', '$.xgafv']

/**
 * Rejects unknown parameters.
 *
 * @throws ApiError
 */
export function checkNames(query: URLSearchParams, own: readonly string[]): void {
  for (const name of query.keys()) {
    if (own.includes(name) || common.includes(name)) continue
    const message = `Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter.`
    throw new ApiError('bad-request', message)
  }
}

/**
 * The value of an enumerated parameter; undefined if it is absent.
 *
 * @throws ApiError
 */
export function oneOf<T extends string>(query: URLSearchParams, name: string, allowed: readonly T[]): T | undefined {
  const value = query.get(name)
  if (value === null) return undefined
  const found = allowed.find((text) => text.toLowerCase() === value.toLowerCase())
  if (found === undefined) throw new ApiError('invalid-input', `Invalid Input: ${name}`)
  return found
}

/** The default and the maximum page size, and what happens to a larger one. */
export interface PageSizes {
  readonly usual: number
  readonly most: number
  readonly tooMany: 'refused' | 'clamped'
}

/**
 * Parses the requested page size.
 *
 * @throws ApiError
 */
export function readMaxResults(query: URLSearchParams, { usual, most, tooMany }: PageSizes): number {
  const text = query.get('maxResults')
  if (text === null) return usual
  const requested = Number(text)
  const isTooMany = requested > most && tooMany === 'refused'
  if (!/^\d+$/.test(text) || requested < 1 || isTooMany)
    throw new ApiError('invalid-input', 'Invalid Input: maxResults')
  return Math.min(requested, most)
}

/**
 * Checks the `customer` or `domain` of a list.
 *
 * @throws ApiError if both are missing, or for another customer or an unknown domain
 */
export function checkScope({ customerId, domains }: WorkspaceState, query: URLSearchParams): void {
  const customer = query.get('customer')
  const domain = query.get('domain')
  if (customer === null && domain === null) throw new ApiError('bad-request')
  if (customer !== null && customer !== 'my_customer' && customer !== customerId) throw new ApiError('forbidden')
  if (domain !== null && !domains.has(domain.toLowerCase())) throw new ApiError('domain-not-found')
}

/** A key of the parameters that determine the content of a list. */
export function listKey(endpoint: string, query: URLSearchParams): string {
  const parts = [...query].filter(([name]) => name !== 'pageToken' && name !== 'maxResults' && name !== 'fields')
  return JSON.stringify([endpoint, ...parts.sort(([a], [b]) => (a < b ? -1 : 1))])
}

/** Sorts by code units, ascending or descending. */
export function sortByText<T>(items: readonly T[], textOf: (item: T) => string, descending: boolean): T[] {
  const keyed = items.map((item) => ({ item, text: textOf(item) }))
  keyed.sort((a, b) => (a.text === b.text ? 0 : a.text < b.text ? -1 : 1))
  const sorted = keyed.map(({ item }) => item)
  return descending ? sorted.reverse() : sorted
}
