import type { Fault } from '../fault.ts'
import type { Knobs } from '../knobs.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { FakeRequest } from '../request.ts'
import { ApiError } from './errors.ts'

/** What the endpoints of the API work with. */
export interface ApiContext {
  readonly state: WorkspaceState
  readonly knobs: Knobs
  readonly now: () => number
  /** Of page tokens; those of an earlier one are not known any more. */
  readonly generation: () => number
  /** A number that nothing else has had: what is volatile is made of it. */
  readonly nextMark: () => number
  /** A list that is put in order once, and again after a change. */
  readonly ordered: <T>(key: string, make: () => T[]) => readonly T[]
  /** Begins the next generation of page tokens. */
  forgetPageTokens(): void
}

/** Makes what the endpoints work with; it has counters of its own. */
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

/** A call of the API whose token is good. */
export interface ApiCall {
  readonly request: FakeRequest
  readonly fault: Fault | undefined
}

/** Keeps lists in order until something changes. */
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

/** What every endpoint takes beside its own. */
const common = ['fields', 'prettyPrint', 'quotaUser', 'alt', 'key', 'access_token', '$.xgafv']

/**
 * Refuses a parameter that the endpoint does not have.
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
 * The value of a parameter that must be one of a few; undefined when it was not sent.
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

/** The most items of a page that can be asked for, and what happens to a greater number. */
export interface PageSizes {
  readonly usual: number
  readonly most: number
  readonly tooMany: 'refused' | 'clamped'
}

/**
 * How many items a page is to have.
 *
 * @throws ApiError
 */
export function readMaxResults(query: URLSearchParams, { usual, most, tooMany }: PageSizes): number {
  const text = query.get('maxResults')
  if (text === null) return usual
  const asked = Number(text)
  const isTooMany = asked > most && tooMany === 'refused'
  if (!/^\d+$/.test(text) || asked < 1 || isTooMany) throw new ApiError('invalid-input', 'Invalid Input: maxResults')
  return Math.min(asked, most)
}

/**
 * Checks whose items are asked for, by `customer` or `domain`.
 *
 * @throws ApiError for neither, another customer, or a domain that the customer does not have
 */
export function checkScope({ customerId, domains }: WorkspaceState, query: URLSearchParams): void {
  const customer = query.get('customer')
  const domain = query.get('domain')
  if (customer === null && domain === null) throw new ApiError('bad-request')
  if (customer !== null && customer !== 'my_customer' && customer !== customerId) throw new ApiError('forbidden')
  if (domain !== null && !domains.has(domain.toLowerCase())) throw new ApiError('domain-not-found')
}

/** Everything of a query that makes a list another list. */
export function listKey(endpoint: string, query: URLSearchParams): string {
  const parts = [...query].filter(([name]) => name !== 'pageToken' && name !== 'maxResults' && name !== 'fields')
  return JSON.stringify([endpoint, ...parts.sort(([a], [b]) => (a < b ? -1 : 1))])
}

/** Orders by a text in the order of code units, and by the opposite of it. */
export function sortByText<T>(items: readonly T[], textOf: (item: T) => string, descending: boolean): T[] {
  const keyed = items.map((item) => ({ item, text: textOf(item) }))
  keyed.sort((a, b) => (a.text === b.text ? 0 : a.text < b.text ? -1 : 1))
  const sorted = keyed.map(({ item }) => item)
  return descending ? sorted.reverse() : sorted
}
