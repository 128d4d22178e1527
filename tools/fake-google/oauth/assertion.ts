import type { KeyObject } from 'node:crypto'
import { verify } from 'node:crypto'
import type { Json } from '../../../src/scim/json.ts'
import type { Account, ServiceAccountKey } from './accounts.ts'
import { accountOf } from './accounts.ts'
import type { OAuthContext } from './context.ts'
import { TokenError } from './errors.ts'
import type { Grant } from './grants.ts'
import { readScopes } from './scopes.ts'

/** Accepted audiences besides the fake's own URL, because libraries hard-code Google's. */
const googleTokenUrls = ['https://oauth2.googleapis.com/token', 'https://www.googleapis.com/oauth2/v4/token']

/** The accepted clock skew and the maximum lifetime of an assertion, in seconds. */
const skew = 300
const longest = 3600

/**
 * Verifies the assertion of a service account (RFC 7523) and returns its grant: it impersonates a user of the customer
 * within the delegated scopes. Without a subject it impersonates nobody, which the Directory API rejects.
 *
 * @throws TokenError
 */
export function grantOfAssertion(context: OAuthContext, assertion: string): Grant {
  const jwt = readJwt(assertion)
  if (jwt === undefined) throw new TokenError('bad-grant', 'Invalid JWT: the assertion cannot be read.')
  const key = context.serviceAccounts.find(textOf(jwt, 'iss') ?? '')
  if (key === undefined) throw new TokenError('bad-grant', 'Invalid grant: account not found')
  checkSignature(jwt, key)
  checkClaims(context, jwt)
  const account = subjectOf(context, jwt)
  const scopes = readScopes(textOf(jwt, 'scope') ?? null)
  if (scopes === undefined) throw new TokenError('invalid-scope', 'Invalid OAuth scope or ID token audience provided.')
  if (account !== undefined && !scopes.every((scope) => key.scopes.has(scope))) throw notDelegated()
  return { account, scopes: new Set(scopes), isRevoked: false }
}

function checkSignature({ header, isSignedWith }: Jwt, { keyId, publicKey }: ServiceAccountKey): void {
  const isOurKey = header['kid'] === undefined || header['kid'] === keyId
  if (header['alg'] === 'RS256' && isOurKey && isSignedWith(publicKey)) return
  throw new TokenError('bad-grant', 'Invalid JWT Signature.')
}

function checkClaims({ tokenUrl, now }: OAuthContext, jwt: Jwt): void {
  const audience = textOf(jwt, 'aud') ?? ''
  const isForUs = audience === tokenUrl || googleTokenUrls.includes(audience)
  if (!isForUs) throw new TokenError('bad-grant', 'Invalid JWT: Failed audience check.')
  const { iat, exp } = jwt.claims
  const seconds = now() / 1000
  const isTimely =
    typeof iat === 'number' && typeof exp === 'number' && iat <= seconds + skew && exp >= seconds - skew && exp > iat
  if (isTimely && exp - iat <= longest) return
  const message = 'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.'
  throw new TokenError('bad-grant', `${message} Check your iat and exp values in the JWT claim.`)
}

function subjectOf({ state, adminEmail, knobs }: OAuthContext, jwt: Jwt): Account | undefined {
  const email = textOf(jwt, 'sub')
  if (email === undefined) return undefined
  const account = accountOf(state, email)
  const isOutside = state.addresses.ownerOf(email) === undefined
  const isKnown = !isOutside || email === adminEmail || email === knobs.consent.account
  if (isKnown && account.isAlive()) return account
  throw new TokenError('bad-grant', 'Invalid email or User ID')
}

function notDelegated(): TokenError {
  const first = 'Client is unauthorized to retrieve access tokens using this method'
  return new TokenError('unauthorized-client', `${first}, or client not authorized for any of the scopes requested.`)
}

function textOf({ claims }: Jwt, name: string): string | undefined {
  const value = claims[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

type Claims = Readonly<Record<string, Json | undefined>>

/** A decoded, unverified JWT. */
export interface Jwt {
  readonly header: Claims
  readonly claims: Claims
  isSignedWith(key: KeyObject): boolean
}

/** Decodes a JWT; undefined if the text is not one. */
export function readJwt(text: string): Jwt | undefined {
  const [header, claims, signature, ...more] = text.split('.')
  if (header === undefined || claims === undefined || signature === undefined || more.length > 0) return undefined
  const [readHeader, readClaims] = [readPart(header), readPart(claims)]
  if (readHeader === undefined || readClaims === undefined) return undefined
  const signed = Buffer.from(`${header}.${claims}`)
  const isSignedWith = (key: KeyObject) => verify('RSA-SHA256', signed, key, Buffer.from(signature, 'base64url'))
  return { header: readHeader, claims: readClaims, isSignedWith }
}

function readPart(part: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof value === 'object' && value !== null ? (value as Claims) : undefined
  } catch {
    return undefined
  }
}
