import { isObject, own } from '../../scim/json.ts'
import type { GoogleAnswer, NoAnswer } from './answer.ts'
import { readErrorBody } from './error-body.ts'
import type { GoogleFailureKind } from './failure.ts'
import { GoogleFailure } from './failure.ts'
import type { Attempt, FailedAttempt } from './pace.ts'
import { parseTokenSet } from './parse-token-set.ts'
import type { TokenSet } from './token-set.ts'

/** What a token was asked with. */
export type Grant = 'code' | 'refresh-token' | 'service-account'

type Refusal = readonly [kind: GoogleFailureKind, message: string]

const sessionPolicy: Refusal = [
  'needs-authorization',
  "The session length policy of the Google Workspace (invalid_rapt) has ended the access: trust this app in the admin console's session control, then authorize the directory anew.",
]

const blocked: Refusal = [
  'needs-authorization',
  "A policy of the Google Workspace blocks this app: let it be trusted in the admin console's API controls, then authorize the directory anew.",
]

const deadGrants = {
  code: 'Google does not take the code (invalid_grant): it was used, is too old or of another authorization. Start the authorization again.',
  'refresh-token':
    'Google does not take the refresh token any more (invalid_grant): it was revoked or has expired. An administrator has to authorize the directory anew.',
  'service-account':
    'Google does not take the service account (invalid_grant): check its key, that its subject is an active administrator, and the clock of this server; then set extdir_service_account again.',
} satisfies Record<Grant, string>

const notAllowed = {
  code: 'This OAuth client may not have the grant (unauthorized_client): authorize the directory anew.',
  'refresh-token': 'The refresh token is not of this OAuth client (unauthorized_client): authorize the directory anew.',
  'service-account':
    "The service account may not act for users of the Google Workspace (unauthorized_client): add its client id with all three scopes under domain-wide delegation in the admin console's API controls, then set extdir_service_account again.",
} satisfies Record<Grant, string>

/** What is wrong with our client, by the error that says so. No customer can mend it. */
const configurationErrors: ReadonlyMap<string, string> = new Map([
  [
    'invalid_client',
    'Google does not know our OAuth client, or its secret is wrong: check DSYNC_EXTDIR_CLIENT_ID and DSYNC_EXTDIR_CLIENT_SECRET.',
  ],
  ['deleted_client', 'Our OAuth client was deleted in the Google project: set DSYNC_EXTDIR_CLIENT_ID to another.'],
  ['disabled_client', 'Our OAuth client is disabled in the Google project: enable it there.'],
  [
    'redirect_uri_mismatch',
    'Our OAuth client has not the redirect address of this service: add it in the Google project, and check EXTERNAL_URL.',
  ],
  [
    'org_internal',
    'Our OAuth client is limited to the organisation that it belongs to: open it to others in the Google project.',
  ],
])

const passingErrors = ['temporarily_unavailable', 'server_error', 'internal_failure', 'rate_limit_exceeded']

/** What an answer of the token endpoint means: its status first, then the error that it names. */
export function readTokenAnswer(answer: GoogleAnswer | NoAnswer, grant: Grant, nowMs: number): Attempt<TokenSet> {
  const { status } = answer
  if (status === undefined) return later(`Google gave no answer (${answer.reason}) when asked for a token.`)
  const { body, retryAfter } = answer
  if (status >= 200 && status < 300) return readTokens(body, nowMs)
  const error = errorWord(body)
  if (status === 429 || status === 408 || status >= 500 || passingErrors.includes(error ?? '')) {
    return later(`Google answered ${status} when asked for a token, also after waiting.`, retryAfter)
  }
  if (error === undefined) {
    return later(
      `The answer ${status} for a token is not one of Google's: check DSYNC_EXTDIR_TOKEN_URL and proxies.`,
      retryAfter,
    )
  }
  throw new GoogleFailure(...refusalOf(status, error, body, grant))
}

function readTokens(body: unknown, nowMs: number): Attempt<TokenSet> {
  const value = isObject(body) ? parseTokenSet(body, nowMs) : undefined
  return value === undefined ? later("Google's answer for a token could not be read.") : { kind: 'done', value }
}

function later(message: string, retryAfter?: string): FailedAttempt {
  return { kind: 'retry', failure: new GoogleFailure('unavailable', message), retryAfter, isLimit: false }
}

/** Undefined when the body is no error of a token endpoint (RFC 6749 §5.2), nor of Google's APIs. */
function errorWord(body: unknown): string | undefined {
  const error = isObject(body) ? own(body, 'error') : undefined
  if (typeof error === 'string') return /^\w{1,60}$/.test(error) ? error : 'an error without a name'
  return readErrorBody(body)?.reason
}

function refusalOf(status: number, error: string, body: unknown, grant: Grant): Refusal {
  if (error === 'invalid_grant')
    return isSessionPolicy(body) ? sessionPolicy : ['needs-authorization', deadGrants[grant]]
  if (error === 'unauthorized_client') return ['needs-authorization', notAllowed[grant]]
  if (error === 'access_denied' || error === 'admin_policy_enforced') return blocked
  const ours = configurationErrors.get(error)
  if (ours !== undefined) return ['configuration', `${ours} (${error})`]
  return ['refused', `Google refuses to give a token (${status} ${error}).`]
}

function isSessionPolicy(body: unknown): boolean {
  const texts = isObject(body) ? [own(body, 'error_subtype'), own(body, 'error_description')] : []
  return texts.some((text) => typeof text === 'string' && /\b(invalid_rapt|rapt_required)\b/.test(text))
}
