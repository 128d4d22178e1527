import type { JsonObject } from '../../../src/scim/json.ts'
import type { Reply } from '../reply.ts'
import { htmlReply, jsonReply } from '../reply.ts'

/** An error of the Directory API. Without a reason, the response is the HTML page of a proxy. */
export interface ApiErrorRow {
  readonly status: number
  readonly reason?: string
  readonly domain?: 'global' | 'usageLimits'
  readonly message: string
}

const global = 'global'
const usageLimits = 'usageLimits'

/** All errors of the Directory API. */
export const apiErrors = {
  'bad-request': { status: 400, reason: 'badRequest', domain: global, message: 'Bad Request' },
  'invalid-input': { status: 400, reason: 'invalid', domain: global, message: 'Invalid Input: pageToken' },
  'failed-precondition': {
    status: 400,
    reason: 'failedPrecondition',
    domain: global,
    message: 'Precondition check failed.',
  },
  'auth-error': { status: 401, reason: 'authError', domain: global, message: 'Invalid Credentials' },
  forbidden: {
    status: 403,
    reason: 'forbidden',
    domain: global,
    message: 'Not Authorized to access this resource/api',
  },
  'insufficient-permissions': {
    status: 403,
    reason: 'insufficientPermissions',
    domain: global,
    message: 'Request had insufficient authentication scopes.',
  },
  'domain-cannot-use-apis': {
    status: 403,
    reason: 'domainCannotUseApis',
    domain: global,
    message: 'Domain cannot use apis.',
  },
  'access-not-configured': {
    status: 403,
    reason: 'accessNotConfigured',
    domain: usageLimits,
    message: 'Admin SDK API has not been used in this project before or it is disabled.',
  },
  'user-rate-limit': {
    status: 403,
    reason: 'userRateLimitExceeded',
    domain: usageLimits,
    message: 'User Rate Limit Exceeded. Rate of requests for user exceed configured project quota.',
  },
  'quota-exceeded': {
    status: 403,
    reason: 'quotaExceeded',
    domain: usageLimits,
    message: 'Quota exceeded for concurrent requests.',
  },
  'daily-limit': { status: 403, reason: 'dailyLimitExceeded', domain: usageLimits, message: 'Daily Limit Exceeded' },
  'group-not-found': { status: 404, reason: 'notFound', domain: global, message: 'Resource Not Found: groupKey' },
  'user-not-found': { status: 404, reason: 'notFound', domain: global, message: 'Resource Not Found: userKey' },
  'domain-not-found': { status: 404, reason: 'notFound', domain: global, message: 'Resource Not Found: domain' },
  'rate-limit': { status: 429, reason: 'rateLimitExceeded', domain: usageLimits, message: 'Rate Limit Exceeded' },
  'backend-error': { status: 500, reason: 'backendError', domain: global, message: 'Internal Error' },
  'internal-error': { status: 500, reason: 'internalError', domain: global, message: 'Internal Error' },
  'service-unavailable': {
    status: 503,
    reason: 'backendError',
    domain: global,
    message: 'Service unavailable. Please try again',
  },
  'bad-gateway': { status: 502, message: 'Error 502 (Server Error)' },
  'gateway-timeout': { status: 504, message: 'Error 504 (Server Error)' },
} as const satisfies Record<string, ApiErrorRow>

export type ApiErrorName = keyof typeof apiErrors

/** The response for an error, with its default message or another one. */
export function apiErrorReply(name: ApiErrorName, ownMessage?: string): Reply {
  const { status, reason, domain, message: usual }: ApiErrorRow = apiErrors[name]
  if (reason === undefined || domain === undefined) return htmlReply(status, usual)
  const message = ownMessage ?? usual
  const error: JsonObject = { code: status, message, errors: [{ message, domain, reason }] }
  return jsonReply(status, { error }, challengeOf(name))
}

function challengeOf(name: ApiErrorName): Record<string, string> {
  const challenge = (error: string) => ({ 'www-authenticate': `Bearer realm="fake-google", error="${error}"` })
  if (name === 'insufficient-permissions') return challenge('insufficient_scope')
  return name === 'auth-error' ? challenge('invalid_token') : {}
}

/** An error response of the Directory API. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly reply: Reply

  constructor(error: ApiErrorName, message?: string) {
    super(message ?? error)
    this.reply = apiErrorReply(error, message)
  }
}
