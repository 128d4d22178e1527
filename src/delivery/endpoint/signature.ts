import { createHmac, randomBytes } from 'node:crypto'

const secretPrefix = 'whsec_'

/** What a signature is made of: the event's id, the time of the attempt in Unix seconds, the body as it is sent. */
export interface SignatureInput {
  readonly id: string
  readonly timestamp: number
  readonly body: string
  /** Every secret that the consumer may verify with; during a rotation there are two. */
  readonly secrets: readonly string[]
}

/** The headers that Standard Webhooks signs with; a type of its own so that a sender can spread it. */
export type SignatureHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>

/** The headers of Standard Webhooks: one `v1` signature per secret, joined by a space. */
export function signatureHeaders({ id, timestamp, body, secrets }: SignatureInput): SignatureHeaders {
  const signed = `${id}.${timestamp}.${body}`
  const signatures = secrets.map((secret) => `v1,${hmac(signingKey(secret), signed).toString('base64')}`)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}

/** The older form of a signature, `t=<ms>,s=<hex>`, whose key is always the UTF-8 bytes of the whole secret. */
export function olderSignature({ secret, body, atMs }: { secret: string; body: string; atMs: number }): string {
  return `t=${atMs},s=${hmac(secret, `${atMs}.${body}`).toString('hex')}`
}

/** A new secret for an endpoint: `whsec_` and 24 random bytes in base64. */
export function newEndpointSecret(): string {
  return secretPrefix + randomBytes(24).toString('base64')
}

/** The base64 part of a `whsec_…` secret; of any other secret its UTF-8 bytes. */
function signingKey(secret: string): Buffer {
  if (!secret.startsWith(secretPrefix)) return Buffer.from(secret, 'utf8')
  return Buffer.from(secret.slice(secretPrefix.length), 'base64')
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest()
}
