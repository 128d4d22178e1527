import type { DirectoryView } from '../directory/directory-view.ts'
import type { NewOAuthClient } from '../oauth/clients.ts'
import type { OAuthClientView } from '../oauth/oauth-client.ts'
import { own } from '../scim/json.ts'
import type { ApiClient } from './api-client.ts'
import { createApiClient } from './api-client.ts'
import { serviceAddress } from './reach.ts'
import { errorText } from './terminal/error-text.ts'
import type { CommandIo } from './terminal/io.ts'
import type { ParsedOptions } from './terminal/options.ts'
import { parseOptions, rejectArguments } from './terminal/options.ts'
import { createPalette } from './terminal/palette.ts'
import { renderTable } from './terminal/table.ts'

const help = `Usage: rollcall oauth-clients list|create|delete --directory <id> [options]

Manages the OAuth clients of a directory, with which an identity provider requests access tokens.

  --directory <id>          the directory
  --client <id>             delete: the client
  --type <type>             create: secret (default) or federated
  --name <text>             create: a name for the list
  --expires-in-days <days>  create: how long the secret is valid, 365 to 1095 (default: 730)
  --issuer <url>            create: the issuer of the assertions of a federated client
  --subject <text>          create: their subject
  --audience <text>         create: their audience
  --jwks-url <url>          create: where the issuer's keys are (default: its discovery document says)
  --url <address>           the address of the service (default: http://localhost:<PORT>)
  --api-key <key>           the API key for the service (default: ROLLCALL_API_KEY)
  -h, --help                show this text

The secret of a new client is printed once.

Example: rollcall oauth-clients create --directory 019a9c1e-7b5e-7f10-9d3c-5b1f0a3cd101 --name "Entra ID"
`

const fieldOptions = {
  ...{ type: 'type', name: 'name', 'expires-in-days': 'expires_in_days', issuer: 'issuer' },
  ...{ subject: 'subject', audience: 'audience', 'jwks-url': 'jwks_url' },
} as const
const optionNames = ['directory', 'client', ...Object.keys(fieldOptions), 'url', 'api-key']
const tokenPath = '/api/scim/oauth/token'
const actions = { list, create, delete: remove } as const

/** Runs `rollcall oauth-clients` and returns the exit code: 0 done, 1 failed, 2 wrong arguments. */
export async function oauthClientsCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(argv, optionNames)
  if (options.isHelp) {
    io.stdout.write(help)
    return 0
  }
  const { url, 'api-key': apiKey = io.env['ROLLCALL_API_KEY'] } = options.values
  const action = actionOf(options)
  const problems = argumentProblems(options, action, apiKey)
  if (action === undefined || problems.length > 0) return rejectArguments(io, problems, 'oauth-clients')
  try {
    const client = createApiClient({ baseUrl: serviceAddress(url, io.env), apiKey: apiKey ?? '', signal: io.signal })
    await actions[action](client, options.values, io)
    return 0
  } catch (error) {
    io.stderr.write(errorText(error))
    return 1
  }
}

type Action = keyof typeof actions

function actionOf({ positionals: [name] }: ParsedOptions): Action | undefined {
  return (Object.keys(actions) as Action[]).find((action) => action === name)
}

function argumentProblems(
  { problems, values, positionals }: ParsedOptions,
  action: Action | undefined,
  apiKey: string | undefined,
): string[] {
  return [
    ...problems,
    ...(action === undefined ? ['Say what to do: list, create or delete.'] : []),
    ...positionals.slice(1).map((extra) => `${JSON.stringify(extra)} is an unexpected argument.`),
    ...(values['directory'] === undefined ? ['Name the directory with --directory <id>.'] : []),
    ...(action === 'delete' && values['client'] === undefined ? ['Name the client with --client <id>.'] : []),
    ...(apiKey === undefined ? ['Pass an API key with --api-key or ROLLCALL_API_KEY.'] : []),
  ]
}

type Values = ParsedOptions['values']

const pathOf = ({ directory = '' }: Values) => `/${encodeURIComponent(directory)}/oauth-clients`

async function list(client: ApiClient, values: Values, io: CommandIo): Promise<void> {
  const clients = own(await client.get(pathOf(values), {}), 'data') as unknown as readonly OAuthClientView[]
  if (clients.length === 0) io.stderr.write('This directory has no OAuth clients.\n')
  if (clients.length === 0) return
  const columns = ['client_id', 'type', 'name', 'expires', 'last used'].map((title) => ({ title }))
  const rows = clients.map(({ client_id, type, name, expires_at, last_used_at }) => [
    ...[client_id, type, name ?? '', dayOf(expires_at) ?? 'never', dayOf(last_used_at) ?? 'not yet'],
  ])
  io.stdout.write(renderTable(columns, rows, createPalette(io)))
}

function dayOf(time: string | null): string | undefined {
  return time?.slice(0, 10)
}

async function create(client: ApiClient, values: Values, io: CommandIo): Promise<void> {
  const fields = Object.entries(fieldOptions).flatMap(([option, field]) => {
    const value = values[option]
    if (value === undefined) return []
    return [[field, field === 'expires_in_days' && /^\d+$/.test(value) ? Number(value) : value]]
  })
  const body = { type: 'secret', ...Object.fromEntries(fields) }
  const created = own(await client.send('POST', pathOf(values), body), 'data') as unknown as NewOAuthClient
  const found = own(await client.get(`/${encodeURIComponent(values['directory'] ?? '')}`, {}), 'data')
  const { scim } = found as unknown as Pick<DirectoryView, 'scim'>
  const { client_id, client_secret } = created
  const shown = {
    ...{ 'client ID': client_id, ...(client_secret === undefined ? {} : { 'client secret': client_secret }) },
    ...{ 'token URL': scim.endpoint.replace(scim.path, tokenPath), 'SCIM URL': scim.endpoint },
  }
  io.stdout.write(
    Object.entries(shown)
      .map(([name, value]) => `${name.padEnd(14)} ${value}\n`)
      .join(''),
  )
  if (client_secret !== undefined) io.stderr.write('The secret is not shown again: enter it now.\n')
}

async function remove(client: ApiClient, values: Values, io: CommandIo): Promise<void> {
  await client.send('DELETE', `${pathOf(values)}/${encodeURIComponent(values['client'] ?? '')}`)
  io.stdout.write('Deleted: its access tokens are no longer accepted.\n')
}
