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
  /** Returns a unique number, for values that change with every response. */
  readonly nextMark: () => number
  /** Returns a sorted list, which is cached until something changes. */
  readonly ordered: <T>(key: string, make: () => T[]) => readonly T[]
}

export function createApiContext({ state, knobs, now }: Pick<ApiContext, 'state' | 'knobs' | 'now'>): ApiContext {
  let mark = 0
  return {
    state,
    knobs,
    now,
    nextMark: () => ++mark,
    ordered: createOrderedLists(state),
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
const common = ['fields', 'alt', 'prettyPrint']

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

/** The maximum page size, and what happens to a larger one. */
export interface PageSizes {
  readonly most: number
  readonly tooMany: 'refused' | 'clamped'
}

/**
 * Parses the requested page size.
 *
 * @throws ApiError
 */
export function readMaxResults(query: URLSearchParams, { most, tooMany }: PageSizes): number {
  const requested = Number(query.get('maxResults') ?? 100)
  if (requested >= 1 && (requested <= most || tooMany === 'clamped')) return Math.min(requested, most)
  throw new ApiError('invalid-input', 'Invalid Input: maxResults')
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

/** Sorts by code units. */
export function sortByText<T>(items: readonly T[], textOf: (item: T) => string): T[] {
  const keyed = items.map((item) => ({ item, text: textOf(item) }))
  keyed.sort((a, b) => (a.text === b.text ? 0 : a.text < b.text ? -1 : 1))
  return keyed.map(({ item }) => item)
}
