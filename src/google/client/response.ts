import type { JsonObject } from '../../scim/json.ts'
import { isObject, own } from '../../scim/json.ts'

/** A response of a Google server, or of something in front of it; nothing is checked yet. */
export interface GoogleResponse {
  readonly status: number
  /** The unparsed `Retry-After` header. */
  readonly retryAfter: string | undefined
  /** Parsed if it was JSON, otherwise text. */
  readonly body: unknown
}

/** The connection failed before a complete response arrived. The reason is a short code such as `ECONNRESET`. */
export interface NoResponse {
  readonly status: undefined
  readonly reason: string
}

/** Picks what we need from a response of Google's libraries, whose `headers` have more than one type. */
export function readResponse(response: { status: number; headers: unknown; data: unknown }): GoogleResponse {
  return { status: response.status, retryAfter: headerOf(response.headers, 'retry-after'), body: response.data }
}

function headerOf(headers: unknown, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined
  const value: unknown =
    'get' in headers && typeof headers.get === 'function' ? headers.get(name) : Reflect.get(headers, name)
  return typeof value === 'string' ? value : undefined
}

/**
 * Reads a connection failure from an error of Google's libraries; undefined for any other error. The error itself is
 * dropped because it contains the request and therefore tokens.
 */
export function readNoResponse(error: unknown): NoResponse | undefined {
  if (!(error instanceof Error) || !('config' in error)) return undefined
  const codes = [codeOf(error), codeOf(error.cause), codeOf(Reflect.get(error, 'error'))]
  return { status: undefined, reason: codes.find((code) => code !== undefined) ?? 'cut' }
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : undefined
}

/** The codes in an error of a Google API. Its texts are not kept: they may contain email addresses. */
export interface GoogleErrorBody {
  /** The first of `reasons`; empty if there is none. */
  readonly reason: string
  /** From `errors`, then from `details`, then the `status`: newer Google servers put the specific reason in `details`. */
  readonly reasons: ReadonlySet<string>
  /** Whether the domain was not found (`Resource Not Found: domain`). */
  readonly isAboutDomain: boolean
}

/** Reads the error from a body; undefined if it does not have the form of a Google API error, such as a proxy's page. */
export function readErrorBody(body: unknown): GoogleErrorBody | undefined {
  const error = isObject(body) ? own(body, 'error') : undefined
  if (!isObject(error)) return undefined
  const reasons = [...reasonsIn(error, 'errors'), ...reasonsIn(error, 'details'), ...wordOf(own(error, 'status'))]
  const message = own(error, 'message')
  const isAboutDomain = typeof message === 'string' && /^(Resource Not Found: domain|Domain not found)\b/i.test(message)
  return { reason: reasons[0] ?? '', reasons: new Set(reasons), isAboutDomain }
}

function reasonsIn(error: JsonObject, name: string): string[] {
  const list = own(error, name)
  if (!Array.isArray(list)) return []
  return list.slice(0, 20).flatMap((item) => (isObject(item) ? wordOf(own(item, 'reason')) : []))
}

function wordOf(value: unknown): string[] {
  return typeof value === 'string' && /^\w{1,60}$/.test(value) ? [value] : []
}
