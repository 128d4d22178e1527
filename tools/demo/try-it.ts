import { shellQuote } from './shell.ts'

/** A directory that the lines may speak of. */
export interface TryItDirectory {
  readonly tenant: string
  readonly product: string
  readonly scimUrl: string
  readonly secret: string
  /** Of a user to look up. */
  readonly userName?: string | undefined
}

export interface TryItOptions {
  readonly baseUrl: string
  readonly apiKey: string
  readonly directory?: TryItDirectory | undefined
}

/**
 * What to try next: the base URL, the line `API key: <key>` and three `curl` lines that work as they stand. Without a
 * directory the first of them creates one. Ends with a line break and holds no colours, so that it can be read by programs.
 */
export function tryItText({ baseUrl, apiKey, directory }: TryItOptions): string {
  const lines = directory === undefined ? newcomerLines(baseUrl, apiKey) : directoryLines(baseUrl, apiKey, directory)
  return [`Base URL: ${baseUrl}`, `API key: ${apiKey}`, '', 'Try:', '', ...lines, ''].join('\n')
}

function newcomerLines(baseUrl: string, apiKey: string): string[] {
  const scope = { tenant: 'acme', product: 'demo' }
  const directory = JSON.stringify({ ...scope, type: 'okta-scim-v2' })
  return [
    `curl -s ${keyHeader(apiKey)} -H 'Content-Type: application/json' -d ${shellQuote(directory)} ${apiUrl(baseUrl, '')}`,
    `curl -s ${keyHeader(apiKey)} ${apiUrl(baseUrl, '', scope)}`,
    `curl -s ${keyHeader(apiKey)} ${apiUrl(baseUrl, '/users', scope)}`,
  ]
}

function directoryLines(baseUrl: string, apiKey: string, directory: TryItDirectory): string[] {
  const { tenant, product, scimUrl, secret, userName = 'maya.lindqvist@example.com' } = directory
  const filter = shellQuote(`filter=userName eq ${JSON.stringify(userName)}`)
  const bearer = shellQuote(`Authorization: Bearer ${secret}`)
  return [
    `curl -s ${keyHeader(apiKey)} ${apiUrl(baseUrl, '', { tenant, product })}`,
    `curl -s ${keyHeader(apiKey)} ${apiUrl(baseUrl, '/users', { tenant, product })}`,
    `curl -s -G -H ${bearer} --data-urlencode ${filter} ${shellQuote(`${scimUrl}/Users`)}`,
  ]
}

function keyHeader(apiKey: string): string {
  return `-H ${shellQuote(`Authorization: Api-Key ${apiKey}`)}`
}

function apiUrl(baseUrl: string, path: string, query?: Record<string, string>): string {
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`
  return shellQuote(`${baseUrl}/api/v1/directory-sync${path}${search}`)
}
