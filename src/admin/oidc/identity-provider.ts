import { createHmac, hash } from 'node:crypto'
import type { CallerOrigin } from '../../directory/audit.ts'
import { plainText } from '../../directory/audit.ts'
import { digestSecret, newSecret, sameSecret } from '../../directory/secret.ts'
import type { FailureLimit } from '../accounts/failure-limit.ts'
import { isEmail } from '../accounts/login.ts'
import type { Audit } from '../audit/audit.ts'
import type { LastUseOptions } from '../last-use.ts'
import type { Claims } from './administrators.ts'
import { claimOf, entryFor } from './administrators.ts'

/** Time that a person has to sign in at the identity provider, in milliseconds. */
export const attemptLifeMs = 600_000

export interface ProviderSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Email addresses, `@domain`s and `claim=value`s. */
  readonly administrators: readonly string[]
  /** The public address of the service. */
  readonly externalUrl: () => string
}

/** Why nobody was signed in; the sign-in page explains it. */
export type Refused = 'expired' | 'denied' | 'unverified' | 'not-admin' | 'rejected' | 'unreachable' | 'too-many'

/** A person whom the identity provider has signed in, and whom an entry of the settings admits. */
interface Administrator {
  readonly email: string
  readonly entry: string
  readonly idToken: string
}

/** A sign-in that failed, of whom, and the reason for the log. */
interface Refusal {
  readonly refused: Refused
  readonly reason: string
  readonly email?: string
  readonly error?: unknown
}

export interface IdentityProviderParts extends ProviderSettings, Pick<LastUseOptions, 'clock' | 'log'> {
  /** The key of what is derived here, the same in every process. */
  readonly key: string
  /** Returns the value of the session's cookie. */
  readonly beginSession: (email: string, entry: string, origin: CallerOrigin) => Promise<string>
  readonly limit: FailureLimit
  readonly audit: Pick<Audit, 'append'>
}

/** The identity provider with which admins sign in to the console (OpenID Connect, code flow with PKCE). */
export interface IdentityProvider {
  readonly issuer: string
  /** The address at which the browser with this secret signs in. */
  begin(browser: string, origin: CallerOrigin): Promise<URL | Refused>
  /** Verifies the response that the browser brings, and begins a session: the value of its cookie, and the ID token. */
  complete(query: URLSearchParams, browser: string, origin: CallerOrigin): Promise<readonly [string, string] | Refused>
  /** The address that ends the session at the identity provider, if it has one. */
  signOutUrl(idToken: string): Promise<string | undefined>
}

export function createIdentityProvider(parts: IdentityProviderParts): IdentityProvider {
  const { issuer, administrators, externalUrl, key, clock, log } = parts
  const redirectUri = () => `${externalUrl()}/console/oidc/callback`
  const claimNames = administrators.flatMap((entry) => claimOf(entry)?.name ?? [])
  const connect = createConnection(parts)

  /** The secrets of an attempt: they are derived, so that any process can complete it and nothing is stored. */
  function attemptOf(browser: string, start: string) {
    const derive = (what: string) =>
      createHmac('sha256', key).update(`oidc.${what}.${browser}.${start}`).digest('base64url')
    return { state: `${start}.${derive('state')}`, nonce: derive('nonce'), verifier: derive('verifier') }
  }

  async function urlFor(browser: string): Promise<URL> {
    const { config, library } = await connect()
    const { state, nonce, verifier } = attemptOf(browser, `${clock() + attemptLifeMs}.${newSecret()}`)
    // Okta, for one, has groups in ID tokens for the scope of this name only.
    const scopes = claimNames.filter((name) => config.serverMetadata().scopes_supported?.includes(name))
    return library.buildAuthorizationUrl(config, {
      ...{ redirect_uri: redirectUri(), scope: [...new Set(['openid', 'email', ...scopes])].join(' '), state, nonce },
      ...{ code_challenge: hash('sha256', verifier, 'base64url'), code_challenge_method: 'S256' },
    })
  }

  async function identify(query: URLSearchParams, browser: string): Promise<Administrator | Refusal> {
    const state = query.get('state') ?? ''
    const start = state.slice(0, state.lastIndexOf('.'))
    const attempt = attemptOf(browser, start)
    const isOurs = browser !== '' && sameSecret(digestSecret(attempt.state), digestSecret(state))
    if (!isOurs) return { refused: 'expired', reason: 'the attempt was not begun in this browser' }
    if (Number.parseInt(start, 10) <= clock()) return { refused: 'expired', reason: 'the attempt took too long' }
    const { config, library } = await connect()
    const tokens = await library.authorizationCodeGrant(config, new URL(`${redirectUri()}?${query}`), {
      ...{ expectedState: attempt.state, expectedNonce: attempt.nonce, pkceCodeVerifier: attempt.verifier },
    })
    const [idToken = '', claims] = [tokens.id_token, tokens.claims() ?? { sub: '' }]
    const isComplete = ['email', ...claimNames].every((name) => Object.hasOwn(claims, name))
    const isAll = isComplete || config.serverMetadata().userinfo_endpoint === undefined
    const more = isAll ? {} : await library.fetchUserInfo(config, tokens.access_token, claims.sub)
    return administratorOf({ ...more, ...claims }, administrators, idToken)
  }

  async function refuse({ refused, reason, email, error: err }: Refusal, origin: CallerOrigin): Promise<Refused> {
    log.warn({ requestId: origin.requestId, reason, ...(err === undefined ? {} : { err }) }, 'a sign-in failed')
    if (refused === 'unreachable') return refused
    if (parts.limit.countFailure(origin.address) !== undefined) return 'too-many'
    // Anybody can send an expired attempt, or the error of a provider.
    if (refused === 'expired' || refused === 'denied') return refused
    const caller = { kind: 'admin', id: undefined, name: email, ...origin } as const
    const target = { kind: 'service', id: undefined } as const
    const changes = { reason: { from: null, to: `identity provider: ${refused}` } }
    await parts.audit.append({ action: 'admin.login_failed', caller, target, changes, at: clock() })
    return refused
  }

  return {
    issuer,
    begin: (browser, origin) => urlFor(browser).catch(async (error) => refuse(await refusalOf(error), origin)),
    async complete(query, browser, origin) {
      const person = await identify(query, browser).catch(refusalOf)
      if ('refused' in person) return refuse(person, origin)
      return [await parts.beginSession(person.email, person.entry, origin), person.idToken]
    },
    async signOutUrl(idToken) {
      const connected = await connect().catch(refusalOf)
      if ('refused' in connected || !connected.config.serverMetadata().end_session_endpoint) return undefined
      const hint = idToken === '' ? {} : { id_token_hint: idToken }
      const after = { post_logout_redirect_uri: `${externalUrl()}/console` }
      return connected.library.buildEndSessionUrl(connected.config, { ...after, ...hint }).href
    },
  }
}

function administratorOf(claims: Claims, entries: readonly string[], idToken: string): Administrator | Refusal {
  const { email, email_verified: isVerified = true } = claims
  const names = plainText(Object.keys(claims).join(', '), 500)
  if (!isEmail(email)) return { refused: 'not-admin', reason: `no email address in the claims ${names}` }
  // Some providers send texts. Entra ID sends nothing: its addresses are set by the company.
  if (String(isVerified) !== 'true') return { refused: 'unverified', reason: 'email_verified is not true', email }
  const entry = entryFor(entries, email, claims)
  if (entry !== undefined) return { email, entry, idToken }
  return { refused: 'not-admin', reason: `CONSOLE_OIDC_ADMINS matches none of the claims ${names}`, email }
}

/** Reads the metadata of the issuer when it is first needed, and again after a failure. */
function createConnection({ issuer, clientId, clientSecret }: ProviderSettings) {
  async function connect() {
    const library = await import('openid-client')
    const isPlain = /^http:/i.test(issuer)
    // Clocks may differ by 30 seconds. By default, the library trusts the connection instead of the signature.
    const execute = [library.enableNonRepudiationChecks, ...(isPlain ? [library.allowInsecureRequests] : [])]
    const options = { timeout: 10, execute }
    return { library, config: await library.discovery(new URL(issuer), clientId, clientSecret, undefined, options) }
  }
  let connected: ReturnType<typeof connect> | undefined
  return () => {
    connected ??= connect().catch((error: unknown) => {
      connected = undefined
      throw error
    })
    return connected
  }
}

/** What went wrong between the service and the identity provider. */
async function refusalOf(error: unknown): Promise<Refusal> {
  const { AuthorizationResponseError, ClientError, ResponseBodyError } = await import('openid-client')
  if (error instanceof AuthorizationResponseError) return { refused: 'denied', reason: plainText(error.error, 100) }
  if (error instanceof ResponseBodyError && error.status < 500) {
    const reason = plainText(`${error.error}: ${error.error_description}`, 300)
    return { refused: error.error === 'invalid_grant' ? 'expired' : 'rejected', reason }
  }
  const status = error instanceof ClientError && error.cause instanceof Response ? error.cause.status : 0
  const isTimeout = error instanceof ClientError && error.code === 'OAUTH_TIMEOUT'
  const isDown = error instanceof TypeError || error instanceof ResponseBodyError || isTimeout || status >= 500
  const reason = status === 0 ? String(error) : `the identity provider answered ${status}`
  return { refused: isDown ? 'unreachable' : 'rejected', reason, error }
}
