import type { JsonObject } from '../../src/scim/json.ts'
import type { ApiErrorName } from './api/errors.ts'
import { apiErrorReply, apiErrors } from './api/errors.ts'
import type { TokenErrorName } from './oauth/errors.ts'
import { tokenErrorReply } from './oauth/errors.ts'
import type { Reply } from './reply.ts'
import { htmlReply } from './reply.ts'

/** Seconds, or a time that is sent as an HTTP date. */
export type RetryAfter = number | Date

/** What goes wrong with one answer. What was asked for is done only where the fault says so. */
export type Fault =
  | { readonly kind: 'error'; readonly error: ApiErrorName | TokenErrorName; readonly retryAfter?: RetryAfter }
  /** A page of a proxy. */
  | { readonly kind: 'html'; readonly status: number; readonly retryAfter?: RetryAfter }
  /** Done, and the answer is broken off JSON with the status of success. */
  | { readonly kind: 'invalid-json' }
  /** The connection ends: before anything is done, or after it was done and half of the body was sent. */
  | { readonly kind: 'cut'; readonly when: 'before' | 'in-body' }
  /** HandledRequest as usual, but not before this is settled. */
  | { readonly kind: 'slow'; readonly until: Promise<unknown> }
  /** No items, and a token for the page that this would have been. Lists only. */
  | { readonly kind: 'empty-page' }
  /** No items, and no token: the list ends here. Lists only. */
  | { readonly kind: 'empty-list' }

/** The answer that a fault is, when nothing is done. */
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

/** The answer after a fault has spoilt it. */
export function corrupted(fault: Fault | undefined, reply: Reply): Reply {
  if (fault?.kind !== 'invalid-json') return reply
  return { ...reply, body: reply.body.slice(0, Math.ceil(reply.body.length / 2)) }
}

/** The page of a list as a fault makes it. */
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
