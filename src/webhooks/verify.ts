import { hmac } from 'fast-sha256'
import { Webhook } from 'standardwebhooks'
import type { RollcallEvent } from './event.ts'

/** The request is not from Rollcall, or not from now: respond with 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

/** The body of a request exactly as it was received. */
export type WebhookBody = string | Uint8Array | ArrayBuffer

/** The headers of a request: `Headers` of the Web, or those of Node.js. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** How much the time of the request may differ from that of this machine. Default: 300. */
  readonly toleranceSeconds?: number | undefined
  /**
   * Verifies the older signature in this header, `t=<ms>,s=<hex>`, instead of that of Standard Webhooks: the value of
   * `DSYNC_WEBHOOK_SIGNATURE_HEADER`.
   */
  readonly signatureHeader?: string | undefined
  /** Unix milliseconds. Default: `Date.now`. */
  readonly now?: (() => number) | undefined
}

/**
 * Verifies the signature of a request that has one event.
 *
 * @param secret the `webhook.secret` of the directory; several while it is being rotated, of which one must fit
 * @throws WebhookVerificationError when no signature is valid, the time is off, or the body is no event
 */
export function verifyWebhook(
  body: WebhookBody,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): RollcallEvent {
  const events = verifyWebhookBatch(body, headers, secret, options)
  const [event] = events
  if (event !== undefined && events.length === 1) return event
  throw new WebhookVerificationError('The body has several events: use verifyWebhookBatch.')
}

/**
 * Verifies the signature of a request in batch mode, whose body is an array of events; a single event is accepted as well.
 *
 * @throws WebhookVerificationError as `verifyWebhook`
 */
export function verifyWebhookBatch(
  body: WebhookBody,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): RollcallEvent[] {
  const text = textOf(body)
  const secrets = [secret].flat()
  if (secrets.length === 0 || secrets.includes('')) throw new TypeError('The secret is empty.')
  const { signatureHeader } = options
  if (signatureHeader === undefined) verifyStandard(text, headers, secrets, options)
  else verifyOlder(text, headerOf(headers, signatureHeader), secrets, options)
  return parseEvents(text)
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

/** Rollcall's own secrets are base64; of any other the text itself is the key. */
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
    secrets.map((secret) => hexOf(hmac(encoder.encode(secret), signed))),
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

/** Compares in a time that does not depend on where the texts differ. */
function isSame(one: string, other: string): boolean {
  if (one.length !== other.length) return false
  let difference = 0
  for (let index = 0; index < one.length; index += 1) difference |= one.charCodeAt(index) ^ other.charCodeAt(index)
  return difference === 0
}

function headerOf(headers: WebhookHeaders, name: string): string {
  if ('get' in headers && typeof headers.get === 'function') return headers.get(name) ?? ''
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())
  return String([found?.[1] ?? ''].flat()[0] ?? '')
}

/** @throws TypeError for a body that was already parsed: its bytes are what is signed */
function textOf(body: WebhookBody): string {
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
  }
  throw new TypeError('Pass the body as it was received, as text or bytes, not the parsed JSON.')
}

function parseEvents(text: string): RollcallEvent[] {
  const body: unknown = parseJson(text)
  const events: unknown[] = Array.isArray(body) ? body : [body]
  if (events.every(isEvent)) return events
  throw new WebhookVerificationError('The body is not an event.')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The signature has shown where it comes from: only its form is checked. */
function isEvent(value: unknown): value is RollcallEvent {
  if (typeof value !== 'object' || value === null) return false
  const { event, sequence, directory_id } = value as Partial<RollcallEvent>
  return typeof event === 'string' && typeof sequence === 'number' && typeof directory_id === 'string'
}
