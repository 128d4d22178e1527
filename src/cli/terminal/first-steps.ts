/** A provisioned directory that the commands can use. */
export interface ExampleDirectory {
  readonly id: string
  readonly tenant: string
  readonly product: string
  /** Empty for a directory that is not provisioned over SCIM. */
  readonly scimUrl: string
  readonly secret: string
  /** A user to look up. */
  readonly userName?: string | undefined
}

export interface FirstStepsOptions {
  readonly baseUrl: string
  readonly apiKey: string
  readonly directory?: ExampleDirectory | undefined
}

/**
 * The base URL, the line `API key: <key>` and three `curl` commands to copy. Without a directory the first command
 * creates one. Contains no colour codes: scripts read this text.
 */
export function firstStepsText({ baseUrl, apiKey, directory }: FirstStepsOptions): string {
  const commands =
    directory === undefined
      ? commandsForNewDirectory(baseUrl, apiKey)
      : commandsForDirectory(baseUrl, apiKey, directory)
  return [`Base URL: ${baseUrl}`, `API key: ${apiKey}`, '', 'Try:', '', ...commands, ''].join('\n')
}

function commandsForNewDirectory(baseUrl: string, apiKey: string): string[] {
  const scope = { tenant: 'acme', product: 'demo' }
  const directory = JSON.stringify({ ...scope, type: 'okta-scim-v2' })
  return [
    `curl -s ${keyHeader(apiKey)} -H 'Content-Type: application/json' -d ${shellQuote(directory)} ${apiUrl(baseUrl, '')}`,
    `curl -s ${keyHeader(apiKey)} ${apiUrl(baseUrl, '', scope)}`,
    `curl -s ${keyHeader(apiKey)} ${apiUrl(baseUrl, '/users', scope)}`,
  ]
}

function commandsForDirectory(baseUrl: string, apiKey: string, directory: ExampleDirectory): string[] {
  const { tenant, product, scimUrl, secret, userName = 'maya.lindqvist@example.com' } = directory
  if (scimUrl === '') return commandsForPulledDirectory(baseUrl, apiKey, directory)
  const filter = shellQuote(`filter=userName eq ${JSON.stringify(userName)}`)
  const bearer = shellQuote(`Authorization: Bearer ${secret}`)
  return [
    `curl -s ${keyHeader(apiKey)} ${apiUrl(baseUrl, '', { tenant, product })}`,
    `curl -s ${keyHeader(apiKey)} ${apiUrl(baseUrl, '/users', { tenant, product })}`,
    `curl -s -G -H ${bearer} --data-urlencode ${filter} ${shellQuote(`${scimUrl}/Users`)}`,
  ]
}

function commandsForPulledDirectory(
  baseUrl: string,
  apiKey: string,
  { id, tenant, product }: ExampleDirectory,
): string[] {
  return [
    `curl -s ${keyHeader(apiKey)} ${apiUrl(baseUrl, `/${id}`)}`,
    `curl -s ${keyHeader(apiKey)} ${apiUrl(baseUrl, '/users', { tenant, product })}`,
    `curl -s ${keyHeader(apiKey)} ${apiUrl(baseUrl, `/${id}/sync-runs`)}`,
  ]
}

function keyHeader(apiKey: string): string {
  return `-H ${shellQuote(`Authorization: Api-Key ${apiKey}`)}`
}

function apiUrl(baseUrl: string, path: string, query?: Record<string, string>): string {
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`
  return shellQuote(`${baseUrl}/api/v1/directory-sync${path}${search}`)
}

/** Quotes a text as one word of a POSIX shell. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/**
 * The address of the console, if it is built; on the embedded database, with a link that opens it signed in.
 *
 * @param databaseUrl the database, if the commands do not find it by themselves
 */
export function consoleText({ baseUrl, signInLink, hasConsole }: ConsoleAddress, databaseUrl?: string): string {
  if (!hasConsole) return 'Console: not built; run npm ci without --omit=dev in the repository\n'
  const link = signInLink()
  if (link === undefined) return `Console: ${baseUrl}/console\n`
  const command = `${databaseUrl === undefined ? '' : `DATABASE_URL=${databaseUrl} `}rollcall console-link`
  return `Console: ${link}\n         (opens it signed in; works once, for ten minutes; ${command} prints another)\n`
}

/** A running service. */
interface ConsoleAddress {
  readonly baseUrl: string
  signInLink(): string | undefined
  readonly hasConsole: boolean
}
