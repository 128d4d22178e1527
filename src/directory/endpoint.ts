import type { FieldProblem } from '../inputs/unknown-fields.ts'
import type { Endpoint } from './directory.ts'
import { headerProblems } from './endpoint-headers.ts'
import { throwProblems } from './errors.ts'
import type { CreateDirectoryInput, UpdateDirectoryInput } from './inputs.ts'

type WebhookFields = Pick<
  UpdateDirectoryInput & CreateDirectoryInput,
  'webhook_url' | 'webhook_secret' | 'webhook_headers'
>

/**
 * The endpoint after an update: an omitted field keeps its value, and an empty URL removes the endpoint. Headers must be sent again for
 * another origin: they are never shown, and whoever may change the URL must not learn them.
 *
 * @throws DirectoryError `invalid-input`
 */
export function changedEndpoint(
  { webhook_url: givenUrl, webhook_secret: secret, webhook_headers: givenHeaders }: WebhookFields,
  before: Endpoint | undefined,
  newSecret: () => string,
): Endpoint | undefined {
  const url = givenUrl === undefined ? before?.url : givenUrl
  if (url === undefined || url === null || url === '') {
    const given = [...(secret ? ['webhook_secret'] : []), ...(hasAny(givenHeaders) ? ['webhook_headers'] : [])]
    throwProblems(given.map((field) => required(`webhook_url: required when ${field} is set.`)))
    return undefined
  }
  const isMoved = givenHeaders === undefined && hasAny(before?.headers) && originOf(url) !== originOf(before?.url)
  throwProblems([
    ...[...urlProblems(url), ...secretProblems(secret)],
    ...headerProblems(givenHeaders ?? {}).map(problemOfHeaders),
    ...(isMoved ? [problemOfHeaders('the URL has another host: send the headers again, or {} for none.')] : []),
  ])
  const headers = givenHeaders === undefined ? before?.headers : givenHeaders
  const further = hasAny(headers) ? { headers } : {}
  if (secret) return { url, secret, previousSecret: undefined, ...further }
  return { url, secret: before?.secret ?? newSecret(), previousSecret: before?.previousSecret, ...further }
}

function hasAny<T extends object>(headers: T | null | undefined): headers is T {
  return Object.keys(headers ?? {}).length > 0
}

function originOf(url = ''): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined
}

const required = (message: string): FieldProblem => ({ field: 'webhook_url', message })

const problemOfHeaders = (problem: string): FieldProblem => ({
  field: 'webhook_headers',
  message: `webhook_headers: ${problem}`,
})

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
