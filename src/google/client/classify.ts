import type { JsonObject } from '../../scim/json.ts'
import { isObject } from '../../scim/json.ts'
import type { GoogleAnswer, NoAnswer } from './answer.ts'
import type { ErrorBody } from './error-body.ts'
import { readErrorBody } from './error-body.ts'
import type { GoogleFailureKind } from './failure.ts'
import { GoogleFailure } from './failure.ts'

/** What was asked for. */
export interface Asked {
  /** In the words of a message: `the users`. */
  readonly subject: string
  /** Whether the request named a page of a list. */
  readonly hasPageToken: boolean
}

/**
 * What an answer of the Directory API means: it is there; the token has to be renewed, once; it may be there later; or
 * asking again is no use. The failure of a `renew` is for the case that the new token is refused too.
 */
export type Verdict = { readonly kind: 'answered'; readonly body: JsonObject } | FailedVerdict

export type FailedVerdict =
  | { readonly kind: 'renew' | 'failed'; readonly failure: GoogleFailure }
  | { readonly kind: 'retry'; readonly failure: GoogleFailure; readonly isLimit: boolean }

const limitReasons = ['userRateLimitExceeded', 'rateLimitExceeded', 'quotaExceeded', 'RATE_LIMIT_EXCEEDED']
const dailyReasons = ['dailyLimitExceeded', 'dailyLimitExceededUnreg']
const scopeReasons = ['insufficientPermissions', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT']
const disabledReasons = ['accessNotConfigured', 'SERVICE_DISABLED']
const preconditionReasons = ['failedPrecondition', 'FAILED_PRECONDITION']
const invalidReasons = ['invalid', 'INVALID_ARGUMENT']

/** The one place that says what an answer means: its status first, then the reason that Google gives. */
export function classify(answer: GoogleAnswer | NoAnswer, asked: Asked): Verdict {
  const { status } = answer
  if (status === undefined) return later(`Google gave no answer (${answer.reason}) when asked for ${asked.subject}.`)
  if (status >= 200 && status < 300) return isObject(answer.body) ? found(answer.body, asked) : malformed(asked)
  const error = readErrorBody(answer.body)
  if (status === 401) return { kind: 'renew', failure: refusedToken(error, asked) }
  if (status === 429 || status >= 500 || status === 408) return limitOrError(status, error, asked)
  return error === undefined ? notFromGoogle(status, asked) : refusal(status, error, asked)
}

/** A body that is not what it should be. */
export function malformed({ subject }: Asked): FailedVerdict {
  return later(`Google's answer for ${subject} could not be read: it is not what the API gives.`)
}

function found(body: JsonObject, asked: Asked): Verdict {
  return readErrorBody(body) === undefined ? { kind: 'answered', body } : malformed(asked)
}

function later(message: string, isLimit = false): FailedVerdict {
  return { kind: 'retry', failure: new GoogleFailure('unavailable', message), isLimit }
}

function failed(kind: GoogleFailureKind, message: string): Verdict {
  return { kind: 'failed', failure: new GoogleFailure(kind, message) }
}

const anyOf = (error: ErrorBody | undefined, reasons: readonly string[]) =>
  reasons.some((reason) => error?.reasons.has(reason))

/** `403 forbidden` */
const named = (status: number, error: ErrorBody | undefined) => `${status} ${error?.reason ?? ''}`.trim()

function refusedToken(error: ErrorBody | undefined, { subject }: Asked): GoogleFailure {
  if (error === undefined) {
    return new GoogleFailure('unavailable', `Something between us and Google answered 401 when asked for ${subject}.`)
  }
  return new GoogleFailure(
    'needs-authorization',
    `Google refuses the access token, also after it was renewed (${named(401, error)}): an administrator has to authorize the directory anew.`,
  )
}

function limitOrError(status: number, error: ErrorBody | undefined, { subject }: Asked): Verdict {
  const answered = `Google answered ${named(status, error)} when asked for ${subject}`
  if (anyOf(error, dailyReasons)) return daily()
  if (status === 429) return later(`${answered}: too many requests, also after waiting.`, true)
  return later(`${answered}, also after waiting; the next run starts anew.`)
}

function daily(): Verdict {
  return failed(
    'unavailable',
    "The day's quota of the Google project is used up (dailyLimitExceeded): try again tomorrow.",
  )
}

function notFromGoogle(status: number, { subject }: Asked): Verdict {
  return later(
    `The answer ${status} for ${subject} is not one of Google's API: check DSYNC_EXTDIR_API_URL and proxies.`,
  )
}

function refusal(status: number, error: ErrorBody, asked: Asked): Verdict {
  if (status === 400) return badRequest(error, asked)
  if (status === 403) return forbidden(error, asked)
  if (status === 404) return notFound(error, asked)
  return failed('refused', `Google refused to give ${asked.subject} (${named(status, error)}).`)
}

function badRequest(error: ErrorBody, { subject, hasPageToken }: Asked): Verdict {
  if (anyOf(error, preconditionReasons)) {
    return failed(
      'refused',
      `Google cannot read ${subject} for this account (${named(400, error)}): it must be an active administrator, and a service account needs one to act as.`,
    )
  }
  if (hasPageToken && anyOf(error, invalidReasons)) {
    return failed('stale-page', `Google does not know the page of ${subject} any more (${named(400, error)}).`)
  }
  return failed('refused', `Google calls the request for ${subject} wrong (${named(400, error)}).`)
}

function forbidden(error: ErrorBody, { subject }: Asked): Verdict {
  const answered = `(${named(403, error)})`
  if (anyOf(error, dailyReasons)) return daily()
  if (anyOf(error, limitReasons)) {
    return later(
      `Google's limit of requests is reached when asked for ${subject} ${answered}, also after waiting.`,
      true,
    )
  }
  if (anyOf(error, scopeReasons)) {
    return failed(
      'needs-authorization',
      `The grant does not allow to read ${subject} ${answered}: an administrator has to give a new consent to all that is asked for.`,
    )
  }
  if (anyOf(error, disabledReasons)) {
    return failed(
      'configuration',
      `The Admin SDK API is not enabled in our Google project ${answered}: enable it there.`,
    )
  }
  if (anyOf(error, ['domainCannotUseApis'])) {
    return failed(
      'refused',
      `The Google Workspace may not use APIs ${answered}: its administrator has to allow API access, or its edition lacks it.`,
    )
  }
  return failed(
    'forbidden',
    `The account may not read ${subject} ${answered}: it needs an administrator role with the right to read users and groups.`,
  )
}

function notFound(error: ErrorBody, { subject }: Asked): Verdict {
  if (error.isAboutDomain) {
    return failed(
      'configuration',
      `Google does not know the domain of the directory (${named(404, error)}): correct extdir_domain.`,
    )
  }
  return failed('not-found', `Google has no such resource (${named(404, error)}) when asked for ${subject}.`)
}
