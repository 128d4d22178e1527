import type { JWTPayload } from 'jose'
import { decodeJwt, jwtVerify } from 'jose'
import type { OAuthContext } from './context.ts'
import { TokenError } from './errors.ts'
import type { Grant } from './grants.ts'
import { directoryScopes, readScopes } from './scopes.ts'

/** The accepted clock skew and the maximum lifetime of an assertion, in seconds. */
const skew = 300
const longest = 3600

/**
 * Verifies the assertion of a service account (RFC 7523) and returns its grant: it impersonates the administrator within
 * the scopes that a sync needs.
 *
 * @throws TokenError
 */
export async function grantOfAssertion(context: OAuthContext, assertion: string): Promise<Grant> {
  const { iat = 0, exp = 0, sub, scope } = await verifiedClaims(context, assertion)
  if (exp - iat > longest) throw new TokenError('bad-grant', 'Invalid JWT: Token must be a short-lived token.')
  if (sub !== context.adminEmail) throw new TokenError('bad-grant', 'Invalid email or User ID')
  const scopes = readScopes(String(scope ?? ''))
  if (scopes === undefined) throw new TokenError('invalid-scope')
  if (scopes.every((one) => directoryScopes.includes(one))) return { scopes, isRevoked: false }
  throw new TokenError('unauthorized-client', 'Client not authorized for any of the scopes requested.')
}

async function verifiedClaims({ serviceAccounts, tokenUrl, now }: OAuthContext, assertion: string) {
  try {
    const key = serviceAccounts.find(decodeJwt(assertion).iss ?? '')
    if (key === undefined) throw new Error('account not found')
    const { payload } = await jwtVerify<JWTPayload & { readonly scope?: unknown }>(assertion, key, {
      ...{ algorithms: ['RS256'], audience: tokenUrl, requiredClaims: ['iat', 'exp'] },
      ...{ clockTolerance: skew, currentDate: new Date(now()), maxTokenAge: longest },
    })
    return payload
  } catch (error) {
    throw new TokenError('bad-grant', `Invalid JWT: ${error instanceof Error ? error.message : String(error)}`)
  }
}
