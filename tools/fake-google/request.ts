import type { IncomingHttpHeaders } from 'node:http'
import { pageNumberOf } from './api/page-token.ts'
import type { Endpoint, Target } from './endpoint.ts'

/** A call as it came in. */
export interface FakeRequest extends Target {
  /** From 1, over all calls. */
  readonly number: number
  /** From 1, over the calls of this endpoint. */
  readonly numberOfEndpoint: number
  /** From 1, within the walk of a list; a page that is asked for again has the same number. */
  readonly page: number
  readonly query: URLSearchParams
  /** The fields of a posted form; empty when it was no form. */
  readonly form: URLSearchParams
  readonly headers: IncomingHttpHeaders
}

/** How often each endpoint was called. */
export interface RequestCounts {
  total(): number
  of(endpoint: Endpoint): number
  /** Counts from nothing again. */
  reset(): void
}

/** Counts calls, and numbers them. */
export interface RequestCounter extends RequestCounts {
  take(target: Target, rest: Pick<FakeRequest, 'query' | 'form' | 'headers'>): FakeRequest
}

export function createRequestCounter(): RequestCounter {
  const counts = new Map<Endpoint, number>()
  const of = (endpoint: Endpoint) => counts.get(endpoint) ?? 0
  const total = () => [...counts.values()].reduce((sum, count) => sum + count, 0)
  return {
    total,
    of,
    reset: () => counts.clear(),
    take(target, rest) {
      counts.set(target.endpoint, of(target.endpoint) + 1)
      const page = pageNumberOf(rest.query.get('pageToken') ?? undefined)
      return { ...target, ...rest, page, number: total(), numberOfEndpoint: of(target.endpoint) }
    },
  }
}
