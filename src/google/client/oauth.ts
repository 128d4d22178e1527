import { createPrivateKey } from 'node:crypto'
import type { ServiceAccount } from '../../directory/directory.ts'
import { GoogleFailure } from './failure.ts'
import type { PaceOptions } from './pace.ts'
import { createPace } from './pace.ts'
import type { Grant, TokenSet } from './token-endpoint.ts'
import { createPostForm, readTokenResponse } from './token-endpoint.ts'

/** The scopes that a sync needs, all read-only. These are names, not URLs to request. */
export const googleScopes = [
  'https://www.googleapis.com/auth/admin.directory.user.readonly',
  'https://www.googleapis.com/auth/admin.directory.group.readonly',
  'https://www.googleapis.com/auth/admin.directory.group.member.readonly',
] as const

export type GoogleScope = (typeof googleScopes)[number]

/** The required scopes missing from the granted ones, which are separated by spaces in any order. */
export function missingScopes(scope: string): GoogleScope[] {
  const granted = new Set<string>(scope.split(/\s+/))
  return googleScopes.filter((name) => !granted.has(name))
}

/** The parts of Google's OAuth that directories need. Every call may throw GoogleFailure. */
export interface GoogleOAuth {
  /** The page on which an administrator of the customer consents. `domain` narrows the accounts that Google offers. */
  authorizationUrl(request: {
    readonly redirectUri: string
    readonly state: string
    /** S256 (RFC 7636). */
    readonly codeChallenge: string
    readonly domain: string | undefined
  }): string
  exchange(grant: {
    readonly code: string
    readonly redirectUri: string
    readonly codeVerifier: string
  }): Promise<TokenSet>
  refresh(refreshToken: string): Promise<TokenSet>
  /** Gets a token for a service account that impersonates an administrator (domain-wide delegation). */
  impersonate(account: ServiceAccount): Promise<TokenSet>
}

/** The access tokens of one directory. */
export interface TokenSource {
  /** A token that is valid for some minutes, renewed if necessary. */
  token(): Promise<string>
  /** A token other than the one that Google has just rejected; throws GoogleFailure if there is none. */
  renewed(rejected: string): Promise<string>
}

export interface GoogleOAuthOptions extends Pick<PaceOptions, 'now' | 'sleep' | 'random'> {
  /** The OAuth client in the operator's Google project; service accounts do not need it. */
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  /** The page where administrators consent. */
  readonly authUrl: string
  /** The only address that codes, refresh tokens and assertions are sent to. */
  readonly tokenUrl: string
  /** Default: 30 s. */
  readonly requestTimeoutMs?: number
  /** Aborts all requests. */
  readonly signal?: AbortSignal
}

/** Fails sooner than a sync, because a person may be waiting for the response. */
const tries = { maxConcurrent: 1, maxTries: 3, maxRetryAfterMs: 10_000 } as const

/** Creates a client of Google's OAuth endpoints. */
export function createGoogleOAuth(options: GoogleOAuthOptions): GoogleOAuth {
  const { tokenUrl, now, sleep, random, requestTimeoutMs = 30_000 } = options
  const signal = options.signal ?? new AbortController().signal
  const post = createPostForm({ tokenUrl, requestTimeoutMs, signal })

  /** Requests a token. The form is created for each try because an assertion contains the time. */
  function requestToken(grant: Grant, form: () => Readonly<Record<string, string>> | Promise<Record<string, string>>) {
    const pace = createPace({ now, sleep, random, ...tries })
    return pace.run(async () => readTokenResponse(await post(await form()), grant, now()), signal)
  }

  return {
    authorizationUrl: (request) => authorizationUrl(options.authUrl, credentialsOf(options).client_id, request),
    async exchange({ code, redirectUri, codeVerifier }) {
      const form = { ...credentialsOf(options), grant_type: 'authorization_code', code, redirect_uri: redirectUri }
      const tokens = await requestToken('code', () => ({ ...form, code_verifier: codeVerifier }))
      return { ...tokens, scope: tokens.scope || googleScopes.join(' ') }
    },
    async refresh(refreshToken) {
      const form = { ...credentialsOf(options), grant_type: 'refresh_token', refresh_token: refreshToken }
      return requestToken('refresh-token', () => form)
    },
    impersonate: (account) =>
      requestToken('service-account', async () => ({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: await signAssertion(account, tokenUrl, now()),
      })),
  }
}

function credentialsOf({ clientId, clientSecret }: Pick<GoogleOAuthOptions, 'clientId' | 'clientSecret'>) {
  if (clientId !== undefined && clientSecret !== undefined) return { client_id: clientId, client_secret: clientSecret }
  const names = 'DSYNC_EXTDIR_CLIENT_ID and DSYNC_EXTDIR_CLIENT_SECRET'
  throw new GoogleFailure('configuration', `There is no OAuth client for Google: the operator must set ${names}.`)
}

function authorizationUrl(
  authUrl: string,
  clientId: string,
  { redirectUri, state, codeChallenge, domain }: Parameters<GoogleOAuth['authorizationUrl']>[0],
): string {
  const url = new URL(authUrl)
  const parameters = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: googleScopes.join(' '),
    access_type: 'offline',
    prompt: 'consent',
    state,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    ...(domain === undefined ? {} : { hd: domain }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

const assertionLifeSeconds = 3_600

/**
 * Signs the assertion with which a service account requests a token as an administrator (RFC 7523, RS256).
 *
 * @throws GoogleFailure `needs-authorization` if the key is invalid
 */
async function signAssertion(account: ServiceAccount, audience: string, nowMs: number): Promise<string> {
  const { clientEmail, privateKey, privateKeyId, subject } = account
  const issuedAt = Math.floor(nowMs / 1_000)
  try {
    const { SignJWT } = await import('jose')
    return await new SignJWT({ scope: googleScopes.join(' ') })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(privateKeyId === undefined ? {} : { kid: privateKeyId }) })
      .setIssuer(clientEmail)
      .setSubject(subject)
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + assertionLifeSeconds)
      .sign(createPrivateKey(privateKey))
  } catch {
    // The error is dropped because it may contain parts of the key.
    throw new GoogleFailure(
      'needs-authorization',
      'The key of the service account cannot sign: set extdir_service_account to a new key file of Google.',
    )
  }
}
