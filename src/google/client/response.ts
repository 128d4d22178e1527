import type { JsonObject } from '../../scim/json.ts'
import { isObject, own } from '../../scim/json.ts'

/** An unchecked response of a Google server, or of something in front of it. */
export interface GoogleResponse {
  readonly status: number
  /** The unparsed `Retry-After` header. */
  readonly retryAfter: string | undefined
  /** Parsed if it was JSON, otherwise text. */
  readonly body: unknown
}

/**
 * The connection failed before a complete response arrived. The reason is a short code such as `ECONNRESET`, `timeout`
 * or `cut`, or `unsendable` if the request itself was invalid.
 */
export interface NoResponse {
  readonly status: undefined
  readonly reason: string
}

/** The codes in an error of a Google API. Its texts are not kept: they may contain email addresses. */
export interface GoogleErrorBody {
  /** The first of `reasons`; empty if there is none. */
  readonly reason: string
  /**
   * From `errors`, then from `details`, then the `status`: newer Google servers put the specific reason in `details`.
   */
  readonly reasons: ReadonlySet<string>
  /** Whether the domain was not found (`Resource Not Found: domain`). */
  readonly isAboutDomain: boolean
}

/**
 * Reads the error from a body; undefined if it does not have the form of a Google API error, such as a proxy's page.
 */
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
