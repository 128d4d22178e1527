import { createHmac, timingSafeEqual } from 'node:crypto'
import { newSecret } from '../directory/secret.ts'

const secretForm = /^rcs_[\w-]{43}$/

/** A new secret of an OAuth client: `rcs_` and 32 random bytes. */
export function newClientSecret(): string {
  return `rcs_${newSecret()}`
}

/** The stored form of a secret: an HMAC-SHA256 in hexadecimal. */
export function digestClientSecret(secret: string, key: string): string {
  return createHmac('sha256', Buffer.from(key, 'base64url')).update(`oauth-client.${secret}`).digest('hex')
}

/** Returns whether a text is the secret with a digest, compared in constant time. */
export function isClientSecret(text: string, digest: string, key: string): boolean {
  if (!secretForm.test(text)) return false
  return timingSafeEqual(Buffer.from(digestClientSecret(text, key), 'hex'), Buffer.from(digest, 'hex'))
}
