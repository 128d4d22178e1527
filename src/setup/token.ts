import { createHmac, randomBytes } from 'node:crypto'

const tokenForm = /^[0-9a-f]{48}$/

/** The token of a setup link: 24 random bytes in hexadecimal. */
export function newSetupToken(): string {
  return randomBytes(24).toString('hex')
}

/**
 * The stored form of a token: an HMAC-SHA256 in hexadecimal. Undefined for a text that cannot be a token, which is
 * rejected without a database lookup.
 */
export function digestSetupToken(token: string, key: string): string | undefined {
  if (!tokenForm.test(token)) return undefined
  return createHmac('sha256', Buffer.from(key, 'base64url')).update(`setup-link.${token}`).digest('hex')
}
