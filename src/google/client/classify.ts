import type { JsonObject } from '../../scim/json.ts'
import { isObject } from '../../scim/json.ts'
import type { GoogleFailureKind } from './failure.ts'
import { GoogleFailure } from './failure.ts'
import type { GoogleErrorBody, GoogleResponse, NoResponse } from './response.ts'
import { readErrorBody } from './response.ts'

/** The resource that a request reads. */
export interface RequestTarget {
  /** The name in messages: `the users`. */
  readonly subject: string
  /** Whether the request named a page of a list. */
  readonly hasPageToken: boolean
}

/**
 * The next step after a response of the Directory API: use it, renew the token once, retry later, or give up. The
 * failure of a `renew` applies if the renewed token is rejected too.
 */
export type Verdict = { readonly kind: 'ok'; readonly body: JsonObject } | FailedVerdict

export type FailedVerdict =
  | { readonly kind: 'renew' | 'failed'; readonly failure: GoogleFailure }
  | { readonly kind: 'retry'; readonly failure: GoogleFailure; readonly isLimit: boolean }

const limitReasons = ['userRateLimitExceeded', 'rateLimitExceeded', 'quotaExceeded', 'RATE_LIMIT_EXCEEDED']
const dailyReasons = ['dailyLimitExceeded', 'dailyLimitExceededUnreg']
const scopeReasons = ['insufficientPermissions', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT']
const disabledReasons = ['accessNotConfigured', 'SERVICE_DISABLED']
const preconditionReasons = ['failedPrecondition', 'FAILED_PRECONDITION']
const invalidReasons = ['invalid', 'INVALID_ARGUMENT']

/** Classifies a response by its status, then by the reason that Google gives. */
export function classify(response: GoogleResponse | NoResponse, target: RequestTarget): Verdict {
  const { status } = response
  if (status === undefined) return retry(`Google did not respond (${response.reason}) when reading ${target.subject}.`)
  if (status >= 200 && status < 300) return isObject(response.body) ? success(response.body, target) : malformed(target)
  const error = readErrorBody(response.body)
  if (status === 401) return { kind: 'renew', failure: rejectedToken(error, target) }
  if (status === 429 || status >= 500 || status === 408) return limitOrServerError(status, error, target)
  return error === undefined ? notFromGoogle(status, target) : clientError(status, error, target)
}

/** The verdict on a successful response with an invalid body. */
export function malformed({ subject }: RequestTarget): FailedVerdict {
  return retry(`Google's response for ${subject} could not be read: it does not have the form of the Directory API.`)
}

function success(body: JsonObject, target: RequestTarget): Verdict {
  return readErrorBody(body) === undefined ? { kind: 'ok', body } : malformed(target)
}

function retry(message: string, isLimit = false): FailedVerdict {
  return { kind: 'retry', failure: new GoogleFailure('unavailable', message), isLimit }
}

function failed(kind: GoogleFailureKind, message: string): Verdict {
  return { kind: 'failed', failure: new GoogleFailure(kind, message) }
}

const hasAny = (error: GoogleErrorBody | undefined, reasons: readonly string[]) =>
  reasons.some((reason) => error?.reasons.has(reason))

/** `403 forbidden` */
const statusAndReason = (status: number, error: GoogleErrorBody | undefined) =>
  `${status} ${error?.reason ?? ''}`.trim()

function rejectedToken(error: GoogleErrorBody | undefined, { subject }: RequestTarget): GoogleFailure {
  if (error === undefined) {
    return new GoogleFailure('unavailable', `A server that is not Google responded with 401 when reading ${subject}.`)
  }
  return new GoogleFailure(
    'needs-authorization',
    `Google rejected the access token even after it was renewed (${statusAndReason(401, error)}): an administrator has to authorize the directory again.`,
  )
}

function limitOrServerError(status: number, error: GoogleErrorBody | undefined, { subject }: RequestTarget): Verdict {
  if (hasAny(error, dailyReasons)) return dailyQuotaUsed()
  const response = `Google responded with ${statusAndReason(status, error)} when reading ${subject}`
  if (status === 429) return retry(`${response}: too many requests, even after retries.`, true)
  return retry(`${response}, even after retries; the next run starts over.`)
}

function dailyQuotaUsed(): Verdict {
  return failed(
    'unavailable',
    'The daily quota of the Google project is used up (dailyLimitExceeded): try again tomorrow.',
  )
}

function notFromGoogle(status: number, { subject }: RequestTarget): Verdict {
  return retry(
    `The response ${status} for ${subject} is not from Google's API: check DSYNC_EXTDIR_API_URL and any proxy.`,
  )
}

function clientError(status: number, error: GoogleErrorBody, target: RequestTarget): Verdict {
  if (status === 400) return badRequest(error, target)
  if (status === 403) return forbidden(error, target)
  if (status === 404) return notFound(error, target)
  return failed('refused', `Google rejected the request for ${target.subject} (${statusAndReason(status, error)}).`)
}

function badRequest(error: GoogleErrorBody, { subject, hasPageToken }: RequestTarget): Verdict {
  const response = `(${statusAndReason(400, error)})`
  if (hasAny(error, preconditionReasons)) {
    return failed(
      'refused',
      `Google cannot read ${subject} for this account ${response}: it must be an active administrator, and a service account must impersonate one.`,
    )
  }
  if (hasPageToken && hasAny(error, invalidReasons)) {
    return failed('stale-page', `Google no longer accepts the page token of ${subject} ${response}.`)
  }
  return failed('refused', `Google rejected the request for ${subject} as invalid ${response}.`)
}

function forbidden(error: GoogleErrorBody, { subject }: RequestTarget): Verdict {
  const response = `(${statusAndReason(403, error)})`
  if (hasAny(error, dailyReasons)) return dailyQuotaUsed()
  if (hasAny(error, limitReasons)) {
    return retry(`Google's rate limit was exceeded when reading ${subject} ${response}, even after retries.`, true)
  }
  if (hasAny(error, scopeReasons)) {
    return failed(
      'needs-authorization',
      `The grant does not include access to ${subject} ${response}: an administrator has to consent again to all requested access.`,
    )
  }
  if (hasAny(error, disabledReasons)) {
    return failed(
      'configuration',
      `The Admin SDK API is not enabled in the operator's Google project ${response}: enable it there.`,
    )
  }
  if (hasAny(error, ['domainCannotUseApis'])) {
    return failed(
      'refused',
      `This Google Workspace cannot use APIs ${response}: its administrator has to allow API access, or its edition does not include it.`,
    )
  }
  return failed(
    'forbidden',
    `The account may not read ${subject} ${response}: it needs an administrator role with the right to read users and groups.`,
  )
}

function notFound(error: GoogleErrorBody, { subject }: RequestTarget): Verdict {
  const response = `(${statusAndReason(404, error)})`
  if (error.isAboutDomain) {
    return failed('configuration', `Google does not know the directory's domain ${response}: correct extdir_domain.`)
  }
  return failed('not-found', `Google did not find the resource ${response} when reading ${subject}.`)
}
