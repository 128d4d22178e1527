import type { Json, JsonObject } from '../../scim/json.ts'
import { isObject, own } from '../../scim/json.ts'
import type { GoogleFailureKind } from './failure.ts'
import { GoogleFailure } from './failure.ts'
import { createHttpClient } from './http.ts'
import type { Attempt, FailedAttempt } from './pace.ts'
import type { GoogleResponse, NoResponse } from './response.ts'
import { readErrorBody } from './response.ts'

/** The maximum size of a response, in bytes; one with tokens has a few thousand. */
const maxResponseBytes = 256 * 1024

export interface TokenEndpointOptions {
  readonly tokenUrl: string
  readonly requestTimeoutMs: number
  readonly signal: AbortSignal
}

/** POSTs a form to the token endpoint, without retries. */
export type PostForm = (form: Readonly<Record<string, string>>) => Promise<GoogleResponse | NoResponse>

export function createPostForm({ tokenUrl, requestTimeoutMs, signal }: TokenEndpointOptions): PostForm {
  const send = createHttpClient({ timeoutMs: requestTimeoutMs, maxBytes: maxResponseBytes, signal })
  const headers = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }
  return (form) => send({ url: tokenUrl, method: 'POST', headers, body: new URLSearchParams(form).toString() })
}

/** The tokens from a token endpoint, in the field names of Google's libraries. */
export interface TokenSet {
  readonly access_token: string
  /** Present only after the first consent, or after a rotation. */
  readonly refresh_token?: string
  /** The granted scopes, separated by spaces in no particular order. */
  readonly scope: string
  readonly token_type: string
  /** Unix milliseconds. */
  readonly expiry_date: number
}

const defaultLifeSeconds = 3_600
const maxLifeSeconds = 366 * 24 * 3_600
const maxScopeLength = 4_000

/** Parses a successful token response (RFC 6749 §5.1); undefined if it has no access token. */
export function parseTokenSet(body: JsonObject, nowMs: number): TokenSet | undefined {
  const accessToken = tokenText(own(body, 'access_token'))
  if (accessToken === undefined) return undefined
  const refreshToken = tokenText(own(body, 'refresh_token'))
  const scope = own(body, 'scope')
  return {
    access_token: accessToken,
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    scope: typeof scope === 'string' && scope.length <= maxScopeLength ? scope : '',
    token_type: 'Bearer',
    expiry_date: nowMs + lifeSeconds(own(body, 'expires_in')) * 1_000,
  }
}

/** A token that can be sent in a header; otherwise undefined. */
function tokenText(value: Json | undefined): string | undefined {
  return typeof value === 'string' && /^[\x21-\x7e]{1,8192}$/.test(value) ? value : undefined
}

/** The lifetime of a token. The default is one hour: a token that expires earlier is rejected and then renewed. */
function lifeSeconds(expiresIn: Json | undefined): number {
  const seconds = Number(expiresIn ?? Number.NaN)
  return seconds > 0 ? Math.min(seconds, maxLifeSeconds) : defaultLifeSeconds
}

/** The credentials that a token was requested with. */
export type Grant = 'code' | 'refresh-token' | 'service-account'

type KindAndMessage = readonly [kind: GoogleFailureKind, message: string]

const sessionPolicy: KindAndMessage = [
  'needs-authorization',
  "The session length policy of the Google Workspace ended the access (invalid_rapt): trust this app in the admin console's session control, then authorize the directory again.",
]

const blocked: KindAndMessage = [
  'needs-authorization',
  "A policy of the Google Workspace blocks this app: trust it in the admin console's API controls, then authorize the directory again.",
]

const invalidGrants = {
  code: 'Google rejected the code (invalid_grant): it was already used, has expired or belongs to another authorization. Start the authorization again.',
  'refresh-token':
    'Google rejected the refresh token (invalid_grant): it was revoked or has expired. An administrator has to authorize the directory again.',
  'service-account':
    "Google rejected the service account (invalid_grant): check that its key is valid, that its subject is an active administrator and that this server's clock is right; then set extdir_service_account again.",
} satisfies Record<Grant, string>

const unauthorizedClients = {
  code: 'This OAuth client may not use this grant (unauthorized_client): authorize the directory again.',
  'refresh-token':
    'The refresh token was issued to another OAuth client (unauthorized_client): authorize the directory again.',
  'service-account':
    "The service account may not impersonate users of the Google Workspace (unauthorized_client): add its client id with all three scopes under domain-wide delegation in the admin console's API controls, then set extdir_service_account again.",
} satisfies Record<Grant, string>

/** Errors that only the operator can fix, by error code. */
const configurationErrors: ReadonlyMap<string, string> = new Map([
  [
    'invalid_client',
    'Google does not know the OAuth client, or its secret is wrong: check DSYNC_EXTDIR_CLIENT_ID and DSYNC_EXTDIR_CLIENT_SECRET.',
  ],
  ['deleted_client', 'The OAuth client was deleted in the Google project: set DSYNC_EXTDIR_CLIENT_ID to another one.'],
  ['disabled_client', 'The OAuth client is disabled in the Google project: enable it there.'],
  [
    'redirect_uri_mismatch',
    'The OAuth client does not list the redirect URI of this service: add it in the Google project, and check EXTERNAL_URL.',
  ],
  [
    'org_internal',
    'The OAuth client is limited to the organization that owns it: open it to external users in the Google project.',
  ],
])

const transientErrors = ['temporarily_unavailable', 'server_error', 'internal_failure', 'rate_limit_exceeded']

/**
 * Classifies a response of the token endpoint by its status, then by its error code. Throws errors that a retry cannot
 * fix.
 */
export function readTokenResponse(
  response: GoogleResponse | NoResponse,
  grant: Grant,
  nowMs: number,
): Attempt<TokenSet> {
  const { status } = response
  if (status === undefined) return retry(`Google did not respond (${response.reason}) to a token request.`)
  const { body, retryAfter } = response
  if (status >= 200 && status < 300) return readTokens(body, nowMs)
  const error = errorCode(body)
  if (status === 429 || status === 408 || status >= 500 || transientErrors.includes(error ?? '')) {
    return retry(`Google responded with ${status} to a token request, even after retries.`, retryAfter)
  }
  if (error === undefined) {
    return retry(
      `The response ${status} to a token request is not from Google: check DSYNC_EXTDIR_TOKEN_URL and any proxy.`,
      retryAfter,
    )
  }
  throw new GoogleFailure(...failureOf(status, error, body, grant))
}

function readTokens(body: unknown, nowMs: number): Attempt<TokenSet> {
  const value = isObject(body) ? parseTokenSet(body, nowMs) : undefined
  return value === undefined
    ? retry("Google's response to a token request could not be read.")
    : { kind: 'done', value }
}

function retry(message: string, retryAfter?: string): FailedAttempt {
  return { kind: 'retry', failure: new GoogleFailure('unavailable', message), retryAfter, isLimit: false }
}

/** Undefined if the body is neither an error of a token endpoint (RFC 6749 §5.2) nor of a Google API. */
function errorCode(body: unknown): string | undefined {
  const error = isObject(body) ? own(body, 'error') : undefined
  if (typeof error === 'string') return /^\w{1,60}$/.test(error) ? error : 'unnamed error'
  return readErrorBody(body)?.reason
}

function failureOf(status: number, error: string, body: unknown, grant: Grant): KindAndMessage {
  if (error === 'invalid_grant') {
    return isSessionPolicy(body) ? sessionPolicy : ['needs-authorization', invalidGrants[grant]]
  }
  if (error === 'unauthorized_client') return ['needs-authorization', unauthorizedClients[grant]]
  if (error === 'access_denied' || error === 'admin_policy_enforced') return blocked
  const message = configurationErrors.get(error)
  if (message !== undefined) return ['configuration', `${message} (${error})`]
  return ['refused', `Google rejected the token request (${status} ${error}).`]
}

function isSessionPolicy(body: unknown): boolean {
  const texts = isObject(body) ? [own(body, 'error_subtype'), own(body, 'error_description')] : []
  return texts.some((text) => typeof text === 'string' && /\b(invalid_rapt|rapt_required)\b/.test(text))
}
