import type { IncomingHttpHeaders } from 'node:http'
import type { Endpoint, Target } from './endpoint.ts'

/** A received request. */
export interface FakeRequest extends Target {
  /** Counts from 1 over all requests. */
  readonly number: number
  /** The number of the requested page, from 1; the same for a repeated request. */
  readonly page: number
  readonly query: URLSearchParams
  /** The fields of the posted form; empty for any other body. */
  readonly form: URLSearchParams
  readonly headers: IncomingHttpHeaders
}

/** The number of requests to each endpoint. */
export interface RequestCounts {
  total(): number
  of(endpoint: Endpoint): number
}

/** Counts and numbers requests. */
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
    take(target, rest) {
      counts.set(target.endpoint, of(target.endpoint) + 1)
      const page = pageNumberOf(rest.query.get('pageToken') ?? undefined)
      return { ...target, ...rest, page, number: total() }
    },
  }
}

/** A position in a list as an offset; changes of the list do not move it. */
export interface PagePosition {
  /** The parameters of the list, for which alone a token is valid. */
  readonly list: string
  readonly offset: number
  /** From 1. */
  readonly page: number
}

/** Formats a position as a token. Like Google's, it contains characters that must be encoded in a query. */
export function writePageToken({ list, offset, page }: PagePosition): string {
  return `~!${Buffer.from(JSON.stringify([list, offset, page])).toString('base64')}==`
}

/** Parses a token; undefined if this fake has not made it. */
export function readPageToken(token: string): PagePosition | undefined {
  const parts = parsed(Buffer.from(token.slice(2, -2), 'base64').toString())
  if (!Array.isArray(parts)) return undefined
  const [list, offset, page]: unknown[] = parts
  if (typeof list !== 'string' || typeof offset !== 'number' || typeof page !== 'number') return undefined
  return { list, offset, page }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The page number of a token; 1 without a token. */
export function pageNumberOf(token: string | undefined): number {
  return (token === undefined ? undefined : readPageToken(token)?.page) ?? 1
}
