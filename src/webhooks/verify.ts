import type { OperatorNotice, RollcallEvent, RollcallWebhook } from './event.ts'
import type { AnySecret, FindSecret, FoundSecret, WebhookSecret } from './secret.ts'
import { directoryOf, requireFrom, secretsOf } from './secret.ts'
import type { VerifyOptions, WebhookHeaders } from './signature.ts'
import { verifySignature, WebhookVerificationError } from './signature.ts'

/** The body of a request exactly as it was received. */
export type WebhookBody = string | Uint8Array | ArrayBuffer

/**
 * Verifies the signature of a request that has one event, or a notice to the operator.
 *
 * @param secret the `webhook.secret` of the directory, or `OPERATOR_WEBHOOK_SECRET` for notices; or a function that
 * finds it by the directory in the headers. If the function returns a promise, so does this one.
 * @throws WebhookVerificationError when no signature is valid, the time differs too much, or the body is neither an
 * event nor a notice
 */
export function verifyWebhook(
  body: WebhookBody,
  headers: WebhookHeaders,
  secret: WebhookSecret | FindSecret<FoundSecret>,
  options?: VerifyOptions,
): RollcallWebhook
export function verifyWebhook(
  body: WebhookBody,
  headers: WebhookHeaders,
  secret: FindSecret<Promise<FoundSecret>>,
  options?: VerifyOptions,
): Promise<RollcallWebhook>
export function verifyWebhook(
  body: WebhookBody,
  headers: WebhookHeaders,
  secret: AnySecret,
  options?: VerifyOptions,
): RollcallWebhook | Promise<RollcallWebhook>
export function verifyWebhook(
  body: WebhookBody,
  headers: WebhookHeaders,
  secret: AnySecret,
  options: VerifyOptions = {},
): RollcallWebhook | Promise<RollcallWebhook> {
  return verified(body, headers, secret, options, (parsed) => {
    if (isEvent(parsed) || isNotice(parsed)) return parsed
    if (Array.isArray(parsed) && parsed.length > 0)
      throw new WebhookVerificationError('The body has several events: use verifyWebhookBatch.')
    throw new WebhookVerificationError('The body is neither an event nor a notice to the operator.')
  })
}

/**
 * Verifies the signature of a request in batch mode, whose body is an array of events; a single event is accepted as
 * well.
 *
 * @throws WebhookVerificationError as for `verifyWebhook`
 */
export function verifyWebhookBatch(
  body: WebhookBody,
  headers: WebhookHeaders,
  secret: WebhookSecret | FindSecret<FoundSecret>,
  options?: VerifyOptions,
): RollcallEvent[]
export function verifyWebhookBatch(
  body: WebhookBody,
  headers: WebhookHeaders,
  secret: FindSecret<Promise<FoundSecret>>,
  options?: VerifyOptions,
): Promise<RollcallEvent[]>
export function verifyWebhookBatch(
  body: WebhookBody,
  headers: WebhookHeaders,
  secret: AnySecret,
  options?: VerifyOptions,
): RollcallEvent[] | Promise<RollcallEvent[]>
export function verifyWebhookBatch(
  body: WebhookBody,
  headers: WebhookHeaders,
  secret: AnySecret,
  options: VerifyOptions = {},
): RollcallEvent[] | Promise<RollcallEvent[]> {
  return verified(body, headers, secret, options, (parsed) => {
    const events: unknown[] = Array.isArray(parsed) ? parsed : [parsed]
    if (events.every(isEvent)) return events
    if (isNotice(parsed)) throw new WebhookVerificationError('The body is a notice to the operator: use verifyWebhook.')
    throw new WebhookVerificationError('The body is not an event.')
  })
}

/** Verifies and parses a body; synchronously, unless the secret is a promise. */
function verified<T extends RollcallWebhook | RollcallEvent[]>(
  body: WebhookBody,
  headers: WebhookHeaders,
  secret: AnySecret,
  options: VerifyOptions,
  read: (parsed: unknown) => T,
): T | Promise<T> {
  const text = textOf(body)
  const verify = (found: FoundSecret): T => {
    verifySignature(text, headers, secretsOf(found), options)
    return read(parseJson(text))
  }
  if (typeof secret !== 'function') return verify(secret)
  const directory = directoryOf(headers)
  const verifyFound = (found: FoundSecret): T => {
    if (found === undefined)
      throw new WebhookVerificationError(`There is no secret for the directory ${directory.directoryId}.`)
    const received = verify(found)
    requireFrom(directory, received)
    return received
  }
  const found = secret(directory)
  return isPromise(found) ? Promise.resolve(found).then(verifyFound) : verifyFound(found)
}

/** Recognizes the promises of database clients as well, which may have a class of their own. */
function isPromise(found: FoundSecret | Promise<FoundSecret>): found is Promise<FoundSecret> {
  return typeof found === 'object' && 'then' in found
}

/** @throws TypeError for a body that was already parsed, because the signature covers its bytes */
function textOf(body: WebhookBody): string {
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
  }
  throw new TypeError('Pass the body as it was received, as text or bytes, not the parsed JSON.')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The signature proves the origin, so only the form is checked. */
export function isEvent(value: unknown): value is RollcallEvent {
  if (typeof value !== 'object' || value === null) return false
  const { event, sequence, directory_id } = value as Partial<RollcallEvent>
  return typeof event === 'string' && typeof sequence === 'number' && typeof directory_id === 'string'
}

function isNotice(value: unknown): value is OperatorNotice {
  if (typeof value !== 'object' || value === null) return false
  const { type, timestamp, data } = value as Partial<OperatorNotice>
  return typeof type === 'string' && typeof timestamp === 'string' && typeof data?.directory_id === 'string'
}
