import type { WorkspaceState } from '../model/state.ts'
import { ApiRefusal } from './errors.ts'

/**
 * Checks whose items are asked for, by `customer` or `domain`.
 *
 * @throws ApiRefusal for neither, another customer, or a domain that the customer does not have
 */
export function checkWhose({ customerId, domains }: WorkspaceState, query: URLSearchParams): void {
  const customer = query.get('customer')
  const domain = query.get('domain')
  if (customer === null && domain === null) throw new ApiRefusal('bad-request')
  if (customer !== null && customer !== 'my_customer' && customer !== customerId) throw new ApiRefusal('forbidden')
  if (domain !== null && !domains.has(domain.toLowerCase())) throw new ApiRefusal('domain-not-found')
}

/** Everything of a query that makes a list another list. */
export function listKey(endpoint: string, query: URLSearchParams): string {
  const parts = [...query].filter(([name]) => name !== 'pageToken' && name !== 'maxResults' && name !== 'fields')
  return JSON.stringify([endpoint, ...parts.sort(([a], [b]) => (a < b ? -1 : 1))])
}

/** Orders by a text in the order of code units, and by the opposite of it. */
export function inOrder<T>(items: readonly T[], textOf: (item: T) => string, descending: boolean): T[] {
  const keyed = items.map((item) => ({ item, text: textOf(item) }))
  keyed.sort((a, b) => (a.text === b.text ? 0 : a.text < b.text ? -1 : 1))
  const sorted = keyed.map(({ item }) => item)
  return descending ? sorted.reverse() : sorted
}
