import { Webhook } from 'standardwebhooks'
import { RollcallError } from '../client/error.ts'
import { hmacSha256 } from './hmac-sha256.ts'

/** The request is not from Rollcall, or too old: respond with 401. */
export class WebhookVerificationError extends RollcallError {
  override readonly name = 'WebhookVerificationError'

  constructor(message: string) {
    super(message, { code: 'webhook-verification-failed', status: 401 })
  }
}

/** The headers of a request: `Headers` of the Web, or those of Node.js. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** The maximum difference between the time of the request and that of this machine. Default: 300. */
  readonly toleranceSeconds?: number | undefined
  /**
   * Verifies the older signature in this header, `t=<ms>,s=<hex>`, instead of that of Standard Webhooks: the value of
   * `DSYNC_WEBHOOK_SIGNATURE_HEADER`.
   */
  readonly signatureHeader?: string | undefined
  /** Unix milliseconds. Default: `Date.now`. */
  readonly now?: (() => number) | undefined
}

/** @throws WebhookVerificationError when no signature is valid, or the time differs too much */
export function verifySignature(
  text: string,
  headers: WebhookHeaders,
  secrets: readonly string[],
  options: VerifyOptions,
): void {
  const { signatureHeader } = options
  if (signatureHeader === undefined) verifyStandard(text, headers, secrets, options)
  else verifyOlder(text, headerOf(headers, signatureHeader), secrets, options)
}

function verifyStandard(
  text: string,
  headers: WebhookHeaders,
  secrets: readonly string[],
  options: VerifyOptions,
): void {
  const [id, timestamp] = [headerOf(headers, 'webhook-id'), headerOf(headers, 'webhook-timestamp')]
  if (!/^\d{1,12}$/.test(timestamp) || id === '') throw new WebhookVerificationError('The webhook headers are missing.')
  const atMs = Number(timestamp) * 1000
  requireRecent(atMs, options)
  const signatures = headerOf(headers, 'webhook-signature').split(' ')
  const expected = secrets.map((secret) => webhookOf(secret).sign(id, new Date(atMs), text))
  requireMatch(signatures, expected)
}

/** Rollcall's own secrets are base64; any other secret is itself the key. */
function webhookOf(secret: string): Webhook {
  if (secret.startsWith('whsec_')) return new Webhook(secret)
  return new Webhook(new TextEncoder().encode(secret), { format: 'raw' })
}

function verifyOlder(text: string, header: string, secrets: readonly string[], options: VerifyOptions): void {
  const [, time = '', signature = ''] = /^t=(\d{1,15}),s=([0-9a-f]{64})$/.exec(header) ?? []
  if (time === '') throw new WebhookVerificationError('The signature header is missing.')
  requireRecent(Number(time), options)
  const encoder = new TextEncoder()
  const signed = encoder.encode(`${time}.${text}`)
  requireMatch(
    [signature],
    secrets.map((secret) => hexOf(hmacSha256(encoder.encode(secret), signed))),
  )
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function requireRecent(atMs: number, { toleranceSeconds = 300, now = Date.now }: VerifyOptions): void {
  if (Math.abs(now() - atMs) <= toleranceSeconds * 1000) return
  throw new WebhookVerificationError(`The time of the request is more than ${toleranceSeconds} seconds off.`)
}

function requireMatch(signatures: readonly string[], expected: readonly string[]): void {
  const matches = signatures.flatMap((one) => expected.map((other) => isSame(one, other)))
  if (!matches.includes(true)) throw new WebhookVerificationError('No signature is valid.')
}

/** Compares texts in a time that does not depend on their first difference. */
function isSame(one: string, other: string): boolean {
  if (one.length !== other.length) return false
  let difference = 0
  for (let index = 0; index < one.length; index += 1) difference |= one.charCodeAt(index) ^ other.charCodeAt(index)
  return difference === 0
}

/** The first value of a header; empty when it is missing. */
export function headerOf(headers: WebhookHeaders, name: string): string {
  if (typeof headers !== 'object' || headers === null) throw new TypeError('Pass the headers of the request.')
  if ('get' in headers && typeof headers.get === 'function') return headers.get(name) ?? ''
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())
  return String([found?.[1] ?? ''].flat()[0] ?? '')
}
