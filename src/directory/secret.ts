import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** The key of the digests. It exists only in this process, so that digests are useless elsewhere. */
const processKey = randomBytes(32).toString('hex')

/** A keyed digest, for comparing secrets. */
export type SecretDigest = Buffer & { readonly isSecretDigest: true }

/**
 * The keyed digest of a secret; all digests have the same length. Every request computes one, and a plain hash is
 * faster than an HMAC: length extension is no threat, as the key has a fixed length and digests never leave the
 * process.
 */
export function digestSecret(secret: string): SecretDigest {
  return hash('sha256', processKey + secret, 'buffer') as SecretDigest
}

/** Compares two secrets in constant time. */
export function sameSecret(a: SecretDigest, b: SecretDigest): boolean {
  return timingSafeEqual(a, b)
}

/** A new secret: 32 random bytes in URL-safe characters. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}
