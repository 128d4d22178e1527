import type { DirectoryView } from '../directory/directory-view.ts'
import type { NewOAuthClient } from '../oauth/clients.ts'
import type { OAuthClientView } from '../oauth/oauth-client.ts'
import { own } from '../scim/json.ts'
import type { ApiClient } from './api-client.ts'
import type { Values } from './service-command.ts'
import { runServiceCommand } from './service-command.ts'
import type { CommandIo } from './terminal/io.ts'
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
const tokenPath = '/api/scim/oauth/token'

/** Runs `rollcall oauth-clients` and returns the exit code: 0 done, 1 failed, 2 wrong arguments. */
export function oauthClientsCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const command = {
    ...{ name: 'oauth-clients', help, optionNames: ['directory', 'client', ...Object.keys(fieldOptions)] },
    ...{ actions: { list, create, delete: remove }, whatToDo: 'Say what to do: list, create or delete.', problemsOf },
  }
  return runServiceCommand(command, argv, io)
}

function problemsOf({ directory, client }: Values, action: string | undefined): string[] {
  return [
    ...(directory === undefined ? ['Name the directory with --directory <id>.'] : []),
    ...(action === 'delete' && client === undefined ? ['Name the client with --client <id>.'] : []),
  ]
}

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
