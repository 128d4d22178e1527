import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Keys the digests for as long as the process lives: what is compared is useless elsewhere. */
const processKey = randomBytes(32)

/** What a secret is compared by. */
export type SecretDigest = Buffer & { readonly isSecretDigest: true }

/** The keyed digest of a secret: of one length whatever the secret's. */
export function digestSecret(secret: string): SecretDigest {
  return createHmac('sha256', processKey).update(secret).digest() as SecretDigest
}

/** Whether two secrets are the same, in a time that does not tell how much of them is. */
export function sameSecret(a: SecretDigest, b: SecretDigest): boolean {
  return timingSafeEqual(a, b)
}

/** A new secret: 32 random bytes in characters that fit a URL and every form field. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}
