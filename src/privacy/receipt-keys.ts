import { createHash, generateKeyPairSync } from 'node:crypto'
import { newSecret } from '../directory/secret.ts'
import { startOfNewKey } from '../oauth/signing-keys.ts'

/** A key pair that signs receipts of erasures (Ed25519), in the members of its JWK (RFC 8037). */
export interface ReceiptKey {
  /** Its thumbprint (RFC 7638). */
  readonly id: string
  readonly x: string
  /** The private part; undefined once the key no longer signs. */
  readonly d?: string
  /** The time from which it signs, in Unix milliseconds, until the next key does. */
  readonly from: number
}

/** The stored keys of receipts, oldest first. Keys that no longer sign are kept: receipts are verified for years. */
export interface ReceiptKeys {
  readonly keys: readonly ReceiptKey[]
  /** The secret from which the key of each receipt's digest of its subject is derived. It never changes. */
  readonly subjectSecret: string
}

/** A public key as the service publishes it (RFC 7517). */
export interface PublicReceiptKey {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  readonly kid: string
  readonly use: 'sig'
  readonly alg: 'EdDSA'
}

/** The keys of a service without receipts, as they are stored. */
export function newReceiptKeys(): string {
  return storedKeys({ keys: [newKey(0)], subjectSecret: newSecret() })
}

/** Reads stored keys. */
export function parseReceiptKeys(stored: string): ReceiptKeys {
  return JSON.parse(stored) as ReceiptKeys
}

/**
 * The stored keys with a new one, which replaces the current one in two minutes. Of keys that no longer sign, only the
 * public part is kept. Unchanged while a new key waits.
 */
export function rotatedReceiptKeys(stored: string, now: number): string {
  const { keys, subjectSecret } = parseReceiptKeys(stored)
  if ((keys.at(-1)?.from ?? 0) > now) return stored
  const retired = keys.slice(0, -1).map(({ id, x, from }) => ({ id, x, from }))
  return storedKeys({ keys: [...retired, ...keys.slice(-1), newKey(startOfNewKey(now))], subjectSecret })
}

export function publicReceiptKey({ id: kid, x }: ReceiptKey): PublicReceiptKey {
  return { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' }
}

function newKey(from: number): ReceiptKey {
  const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const thumbprint = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x })
  return { id: createHash('sha256').update(thumbprint).digest('base64url'), x, d, from }
}

function storedKeys(keys: ReceiptKeys): string {
  return JSON.stringify(keys)
}
