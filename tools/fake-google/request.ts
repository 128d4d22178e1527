import type { IncomingHttpHeaders } from 'node:http'
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

/** A place in a list: so many items were before it, whatever has happened to them since. */
export interface PagePosition {
  /** What is listed, and how: a token is good for the same parameters only. */
  readonly list: string
  readonly offset: number
  /** From 1. */
  readonly page: number
  /** When the walk began, in Unix milliseconds. */
  readonly begun: number
  /** Tokens of an earlier generation have been forgotten. */
  readonly generation: number
}

/** A token for a place. It has characters that must be encoded in a query, as Google's has. */
export function writePageToken({ list, offset, page, begun, generation }: PagePosition): string {
  return `~!${Buffer.from(JSON.stringify([list, offset, page, begun, generation])).toString('base64')}==`
}

/** The place of a token; undefined when it is none of ours. */
export function readPageToken(token: string): PagePosition | undefined {
  const parts = parsed(Buffer.from(token.slice(2, -2), 'base64').toString())
  if (!Array.isArray(parts)) return undefined
  const [list, offset, page, begun, generation]: unknown[] = parts
  if (typeof list !== 'string' || typeof offset !== 'number' || typeof page !== 'number') return undefined
  if (typeof begun !== 'number' || typeof generation !== 'number') return undefined
  return { list, offset, page, begun, generation }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Which page of its walk a token asks for: the first without one. */
export function pageNumberOf(token: string | undefined): number {
  return (token === undefined ? undefined : readPageToken(token)?.page) ?? 1
}
