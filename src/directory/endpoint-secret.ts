import type { Endpoint } from './directory.ts'
import type { FieldProblem } from './errors.ts'
import { DirectoryError } from './errors.ts'

/**
 * The endpoint with a new secret. The one before stays until `expiresAt`, in Unix milliseconds; at once it goes without.
 * The secret that it has already is no new one: asking twice never drops the one before it.
 *
 * @throws DirectoryError `invalid-input` when there is no endpoint
 */
export function rotatedEndpoint(
  endpoint: Endpoint | undefined,
  secret: string,
  expiresAt: number | undefined,
): Endpoint {
  if (endpoint === undefined) throw new DirectoryError('invalid-input', noEndpoint.message, [noEndpoint])
  const before = endpoint.secret === secret ? endpoint.previousSecret?.secret : endpoint.secret
  const keepsBefore = before !== undefined && expiresAt !== undefined
  return { ...endpoint, secret, previousSecret: keepsBefore ? { secret: before, expiresAt } : undefined }
}

const noEndpoint: FieldProblem = {
  field: 'webhook_url',
  message: 'webhook_url: this directory has none, so there is no secret to rotate; set webhook_url first.',
}

/** A `whsec_` secret is base64 behind its prefix (Standard Webhooks); without a single byte it signs nothing. */
export function secretProblems(secret: string | undefined): FieldProblem[] {
  if (secret === undefined || !secret.startsWith('whsec_')) return []
  const key = secret.slice('whsec_'.length)
  if (/^[A-Za-z0-9+/_-]+=*$/.test(key) && Buffer.from(key, 'base64').length > 0) return []
  return [{ field: 'webhook_secret', message: 'webhook_secret: behind "whsec_" there must be bytes in base64.' }]
}
