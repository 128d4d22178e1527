import type { Account } from './accounts.ts'
import { accountOf } from './accounts.ts'
import type { OAuthContext } from './context.ts'
import { TokenRefusal } from './errors.ts'
import type { Jwt } from './jwt.ts'
import { readJwt } from './jwt.ts'
import { readScopes } from './scopes.ts'
import type { ServiceAccountKey } from './service-accounts.ts'
import type { Grant } from './tokens.ts'

/** What the audience may be beside our own address: libraries have Google's written in. */
const googleTokenUrls = ['https://oauth2.googleapis.com/token', 'https://www.googleapis.com/oauth2/v4/token']

/** How far the clocks may be apart, and the longest life of a statement, both in seconds. */
const skew = 300
const longest = 3600

/**
 * What a service account may do by a statement that it has signed: in the name of somebody of the customer, as the
 * administrator has allowed it (domain-wide delegation). Without a subject it acts for nobody, which no API is content with.
 *
 * @throws TokenRefusal
 */
export function grantOfAssertion(context: OAuthContext, assertion: string): Grant {
  const jwt = readJwt(assertion)
  if (jwt === undefined) throw new TokenRefusal('bad-grant', 'Invalid JWT: the assertion cannot be read.')
  const key = context.serviceAccounts.find(textOf(jwt, 'iss') ?? '')
  if (key === undefined) throw new TokenRefusal('bad-grant', 'Invalid grant: account not found')
  checkSignature(jwt, key)
  checkClaims(context, jwt)
  const account = subjectOf(context, jwt)
  const scopes = readScopes(textOf(jwt, 'scope') ?? null)
  if (scopes === undefined)
    throw new TokenRefusal('invalid-scope', 'Invalid OAuth scope or ID token audience provided.')
  if (account !== undefined && !scopes.every((scope) => key.scopes.has(scope))) throw notDelegated()
  return { account, scopes: new Set(scopes), isRevoked: false }
}

function checkSignature({ header, isSignedWith }: Jwt, { keyId, publicKey }: ServiceAccountKey): void {
  const isOurKey = header['kid'] === undefined || header['kid'] === keyId
  if (header['alg'] === 'RS256' && isOurKey && isSignedWith(publicKey)) return
  throw new TokenRefusal('bad-grant', 'Invalid JWT Signature.')
}

function checkClaims({ tokenUrl, now }: OAuthContext, jwt: Jwt): void {
  const audience = textOf(jwt, 'aud') ?? ''
  const isForUs = audience === tokenUrl || googleTokenUrls.includes(audience)
  if (!isForUs) throw new TokenRefusal('bad-grant', 'Invalid JWT: Failed audience check.')
  const { iat, exp } = jwt.claims
  const seconds = now() / 1000
  const isTimely =
    typeof iat === 'number' && typeof exp === 'number' && iat <= seconds + skew && exp >= seconds - skew && exp > iat
  if (isTimely && exp - iat <= longest) return
  const message = 'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.'
  throw new TokenRefusal('bad-grant', `${message} Check your iat and exp values in the JWT claim.`)
}

function subjectOf({ state, adminEmail, knobs }: OAuthContext, jwt: Jwt): Account | undefined {
  const email = textOf(jwt, 'sub')
  if (email === undefined) return undefined
  const account = accountOf(state, email)
  const isOutside = state.addresses.ownerOf(email) === undefined
  const isKnown = !isOutside || email === adminEmail || email === knobs.consent.account
  if (isKnown && account.isAlive()) return account
  throw new TokenRefusal('bad-grant', 'Invalid email or User ID')
}

function notDelegated(): TokenRefusal {
  const first = 'Client is unauthorized to retrieve access tokens using this method'
  return new TokenRefusal('unauthorized-client', `${first}, or client not authorized for any of the scopes requested.`)
}

function textOf({ claims }: Jwt, name: string): string | undefined {
  const value = claims[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
