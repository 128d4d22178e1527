import { createPrivateKey } from 'node:crypto'
import { SignJWT } from 'jose'
import type { ServiceAccount } from '../../directory/directory.ts'
import { GoogleFailure } from './failure.ts'
import { googleScopes } from './scopes.ts'

const lifeSeconds = 3_600

/**
 * The assertion by which a service account asks for a token as an administrator (RFC 7523, RS256). It is good for an
 * hour, and for that audience alone.
 *
 * @throws GoogleFailure `needs-authorization` when the key cannot sign
 */
export async function signAssertion(account: ServiceAccount, audience: string, nowMs: number): Promise<string> {
  const { clientEmail, privateKey, privateKeyId, subject } = account
  const issuedAt = Math.floor(nowMs / 1_000)
  try {
    return await new SignJWT({ scope: googleScopes.join(' ') })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(privateKeyId === undefined ? {} : { kid: privateKeyId }) })
      .setIssuer(clientEmail)
      .setSubject(subject)
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifeSeconds)
      .sign(createPrivateKey(privateKey))
  } catch {
    // What was thrown may hold parts of the key.
    throw new GoogleFailure(
      'needs-authorization',
      'The key of the service account cannot sign: set extdir_service_account to a new key file of Google.',
    )
  }
}
