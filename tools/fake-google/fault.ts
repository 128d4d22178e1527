import type { JsonObject } from '../../src/scim/json.ts'
import type { ApiErrorName } from './api/errors.ts'
import { apiErrorReply, apiErrors } from './api/errors.ts'
import type { TokenErrorName } from './oauth/errors.ts'
import { tokenErrorReply } from './oauth/errors.ts'
import type { Reply } from './reply.ts'
import { htmlReply } from './reply.ts'

/** Seconds, or a time to send as an HTTP date. */
export type RetryAfter = number | Date

/** The fault of one response. Unless it says otherwise, the request is not processed. */
export type Fault =
  | { readonly kind: 'error'; readonly error: ApiErrorName | TokenErrorName; readonly retryAfter?: RetryAfter }
  /** The HTML page of a proxy. */
  | { readonly kind: 'html'; readonly status: number; readonly retryAfter?: RetryAfter }
  /** Processed, but the response is truncated JSON with a success status. */
  | { readonly kind: 'invalid-json' }
  /** The connection closes: before the request is processed, or after half of the response body was sent. */
  | { readonly kind: 'cut'; readonly when: 'before' | 'in-body' }
  /** Processed as usual, after the promise is settled. */
  | { readonly kind: 'slow'; readonly until: Promise<unknown> }
  /** For lists: no items, and a token for the same page. */
  | { readonly kind: 'empty-page' }
  /** For lists: no items and no token, so the list ends early. */
  | { readonly kind: 'empty-list' }

/** The response of a fault that replaces processing. */
export function replyOfFault(fault: Fault | undefined): Reply | undefined {
  if (fault?.kind === 'error') return withRetryAfter(errorReply(fault.error), fault.retryAfter)
  if (fault?.kind !== 'html') return undefined
  return withRetryAfter(htmlReply(fault.status, `Error ${fault.status} (Server Error)`), fault.retryAfter)
}

function errorReply(name: ApiErrorName | TokenErrorName): Reply {
  return isApiError(name) ? apiErrorReply(name) : tokenErrorReply(name)
}

function isApiError(name: string): name is ApiErrorName {
  return Object.hasOwn(apiErrors, name)
}

function withRetryAfter(reply: Reply, after: RetryAfter | undefined): Reply {
  if (after === undefined) return reply
  const value = typeof after === 'number' ? String(after) : after.toUTCString()
  return { ...reply, headers: { ...reply.headers, 'retry-after': value } }
}

/** Applies a fault to the body of a response. */
export function corrupted(fault: Fault | undefined, reply: Reply): Reply {
  if (fault?.kind !== 'invalid-json') return reply
  return { ...reply, body: reply.body.slice(0, Math.ceil(reply.body.length / 2)) }
}

/** Applies a fault to a page of a list. */
export function pageUnder(
  fault: Fault | undefined,
  page: JsonObject,
  itemsName: string,
  sameAgain: string,
): JsonObject {
  if (fault?.kind !== 'empty-page' && fault?.kind !== 'empty-list') return page
  const { [itemsName]: _, nextPageToken: __, ...empty } = page
  return fault.kind === 'empty-page' ? { ...empty, nextPageToken: sameAgain } : empty
}
