import { createHmac, randomBytes } from 'node:crypto'
import type { Endpoint } from '../../directory/directory.ts'

const secretPrefix = 'whsec_'

export interface SignatureInput {
  readonly id: string
  /** The time of the attempt, in Unix seconds. */
  readonly timestamp: number
  /** The body exactly as it is sent. */
  readonly body: string
  /** One signature per secret, of which the consumer accepts any; there are two during a rotation. */
  readonly secrets: readonly string[]
}

// A type and not an interface, so that it is assignable to `Record<string, string>`.
export type SignatureHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>

/** The headers of Standard Webhooks: one `v1` signature per secret, separated by a space. */
export function signatureHeaders({ id, timestamp, body, secrets }: SignatureInput): SignatureHeaders {
  const signed = `${id}.${timestamp}.${body}`
  const signatures = secrets.map((secret) => `v1,${hmac(signingKey(secret), signed).toString('base64')}`)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}

/** The older form of a signature, `t=<ms>,s=<hex>`. Its key is always the UTF-8 bytes of the whole secret. */
export function olderSignature({ secret, body, atMs }: { secret: string; body: string; atMs: number }): string {
  return `t=${atMs},s=${hmac(secret, `${atMs}.${body}`).toString('hex')}`
}

/** The secrets to sign with at `nowMs`: the current one, and the previous one until its grace period ends. */
export function signingSecrets({ secret, previousSecret }: Endpoint, nowMs: number): [string, ...string[]] {
  const inGrace = previousSecret !== undefined && previousSecret.expiresAt > nowMs
  return inGrace ? [secret, previousSecret.secret] : [secret]
}

/** A new secret for an endpoint: `whsec_` and 24 random bytes in base64. */
export function newEndpointSecret(): string {
  return secretPrefix + randomBytes(24).toString('base64')
}

/** The base64-decoded part after `whsec_`, or the UTF-8 bytes of any other secret. */
function signingKey(secret: string): Buffer {
  if (!secret.startsWith(secretPrefix)) return Buffer.from(secret, 'utf8')
  return Buffer.from(secret.slice(secretPrefix.length), 'base64')
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest()
}
