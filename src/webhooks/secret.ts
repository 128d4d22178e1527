import type { RollcallEvent, RollcallWebhook } from './event.ts'
import type { WebhookHeaders } from './signature.ts'
import { headerOf, WebhookVerificationError } from './signature.ts'

/** The directory in the headers of a request. */
export interface WebhookDirectory {
  readonly directoryId: string
  readonly tenant: string
  readonly product: string
}

/** A secret, or several during a rotation, one of which must match. */
export type WebhookSecret = string | readonly string[]

/** Finds the secret of a directory. If it returns undefined, the request is rejected. */
export type FindSecret<Found> = (directory: WebhookDirectory) => Found
export type FoundSecret = WebhookSecret | undefined
export type AnySecret = WebhookSecret | FindSecret<FoundSecret | Promise<FoundSecret>>

/** @throws TypeError for a secret that is not a text, or empty: an error of the caller */
export function secretsOf(secret: FoundSecret): readonly string[] {
  const secrets: readonly unknown[] = [secret].flat()
  if (secrets.length === 0 || secrets.includes('')) throw new TypeError(`The secret is empty: ${secretAdvice}`)
  if (secrets.every((one) => typeof one === 'string')) return secrets
  throw new TypeError(`The secret is missing: ${secretAdvice}`)
}

const secretAdvice =
  'pass the webhook.secret of the directory, a list of secrets, or a function that finds it by the directory; for notices to the operator, OPERATOR_WEBHOOK_SECRET.'

/**
 * Compares the headers, which are not signed, with the directory in the signed body.
 *
 * @throws WebhookVerificationError
 */
export function requireFrom(
  { directoryId, tenant, product }: WebhookDirectory,
  received: RollcallWebhook | RollcallEvent[],
) {
  for (const one of [received].flat()) {
    const about = 'type' in one && one.type !== undefined ? one.data : one
    if (about.directory_id === directoryId && about.tenant === tenant && about.product === product) continue
    throw new WebhookVerificationError('The headers name another directory than the body.')
  }
}

/** @throws WebhookVerificationError when the headers name no directory */
export function directoryOf(headers: WebhookHeaders): WebhookDirectory {
  const [directoryId, tenant, product] = ['rollcall-directory-id', 'rollcall-tenant', 'rollcall-product'].map((name) =>
    decoded(headerOf(headers, name)),
  )
  if (directoryId && tenant && product) return { directoryId, tenant, product }
  throw new WebhookVerificationError(
    'The headers rollcall-directory-id, rollcall-tenant and rollcall-product are missing.',
  )
}

/** The decoded text; undefined if it is not percent-encoded correctly. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
