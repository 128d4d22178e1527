import type { FieldProblem } from '../inputs/unknown-fields.ts'
import type { Endpoint } from './directory.ts'
import { throwProblems } from './errors.ts'
import type { CreateDirectoryInput, UpdateDirectoryInput } from './inputs.ts'

type WebhookFields = Pick<UpdateDirectoryInput & CreateDirectoryInput, 'webhook_url' | 'webhook_secret'>

/**
 * The endpoint after an update: an omitted field keeps its value, and an empty URL removes the endpoint.
 *
 * @throws DirectoryError `invalid-input`
 */
export function changedEndpoint(
  { webhook_url: givenUrl, webhook_secret: secret }: WebhookFields,
  before: Endpoint | undefined,
  newSecret: () => string,
): Endpoint | undefined {
  const url = givenUrl === undefined ? before?.url : givenUrl
  if (url === undefined || url === null || url === '') {
    if (secret) throwProblems([secretWithoutUrl])
    return undefined
  }
  throwProblems([...urlProblems(url), ...secretProblems(secret)])
  if (secret) return { url, secret, previousSecret: undefined }
  return { url, secret: before?.secret ?? newSecret(), previousSecret: before?.previousSecret }
}

const secretWithoutUrl: FieldProblem = {
  field: 'webhook_url',
  message: 'webhook_url: required when webhook_secret is set.',
}

/** Checks only the syntax; `rejectBlockedUrl` and every connection check the host's addresses. */
function urlProblems(text: string): FieldProblem[] {
  const problem = (message: string) => [{ field: 'webhook_url', message: `webhook_url: ${message}` }]
  if (!URL.canParse(text)) return problem('not a URL; send one like https://app.example.com/events.')
  const { protocol, username, password } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return problem('the URL must begin with https:// or http://.')
  if (username !== '' || password !== '') return problem('the URL must not contain a user name or password.')
  return []
}

/** @throws DirectoryError `invalid-input`: events must not be sent to the host */
export async function rejectBlockedUrl(
  url: string | null | undefined,
  check: (url: string) => Promise<string | undefined>,
): Promise<void> {
  const reason = url ? await check(url) : undefined
  if (reason !== undefined) throwProblems([{ field: 'webhook_url', message: `webhook_url: ${reason}` }])
}

/** Removes the query and fragment, which often contain a token of the receiver. */
export function urlWithoutQuery(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? ''
}

/** A `whsec_` secret is base64 behind its prefix (Standard Webhooks) and must have at least one byte. */
export function secretProblems(secret: string | undefined): FieldProblem[] {
  if (secret === undefined || !secret.startsWith('whsec_')) return []
  const key = secret.slice('whsec_'.length)
  if (/^[A-Za-z0-9+/_-]+=*$/.test(key) && Buffer.from(key, 'base64').length > 0) return []
  return [{ field: 'webhook_secret', message: 'webhook_secret: "whsec_" must be followed by bytes in base64.' }]
}
