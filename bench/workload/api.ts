import type { SyncRunView } from '../../src/google/sync/run-view.ts'
import { apiKey } from '../engines/engine.ts'
import type { PulledWorkspace } from '../servers/messages.ts'
import type { ScimDirectory } from './scim-calls.ts'

export const apiPath = '/api/v1/directory-sync'
export const apiAuthorization: string = `Api-Key ${apiKey}`

interface DirectoryOptions {
  /** Default: bench. */
  readonly tenant?: string
  readonly webhookUrl?: string | undefined
  /** Default: that of the service. */
  readonly authorization?: string
}

/** Creates a directory through the API, with or without an endpoint. */
export async function createDirectory(
  port: number,
  { tenant = 'bench', webhookUrl, authorization }: DirectoryOptions = {},
): Promise<ScimDirectory> {
  const webhook = webhookUrl === undefined ? {} : { webhook_url: webhookUrl }
  const body = { tenant, product: 'bench', type: 'generic-scim-v2', ...webhook }
  const data = await request(port, 'POST', '', body, authorization)
  const { id, scim } = data as { id: string; scim: { path: string; secret: string } }
  return { id, path: scim.path, secret: scim.secret }
}

/** Creates a setup link through the API; returns the path of its page. */
export async function createSetupLink(port: number): Promise<string> {
  const link = await request(port, 'POST', '/setuplinks', {
    tenant: 'invited',
    product: 'bench',
    types: ['okta-scim-v2'],
  })
  return new URL((link as { url: string }).url).pathname
}

/** Creates a setup link that may give a role to the groups of a directory; returns its token. */
export async function createRoleLink(port: number, { id }: ScimDirectory): Promise<string> {
  const { tenant, product } = (await request(port, 'GET', `/${id}`)) as { tenant: string; product: string }
  const link = await request(port, 'POST', '/setuplinks', { tenant, product, directoryId: id, roles: ['admin'] })
  return new URL((link as { url: string }).url).pathname.replace('/setup/', '')
}

/** Creates a Google Workspace directory with these tokens. */
export async function createPulledDirectory(port: number, tokens: PulledWorkspace['tokens']): Promise<{ id: string }> {
  const extdir = { extdir_access_token: tokens.accessToken, extdir_refresh_token: tokens.refreshToken }
  const data = await request(port, 'POST', '', { tenant: 'bench', product: 'bench', type: 'extdir', ...extdir })
  return data as { id: string }
}

/**
 * Syncs a directory; returns the run when it has ended.
 *
 * @throws Error when it has not gone through
 */
export async function pullDirectory(port: number, id: string): Promise<SyncRunView> {
  const run = (await request(port, 'POST', `/${id}/sync?wait=true`, {})) as SyncRunView
  if (run.state !== 'completed') throw new Error(`the run is ${run.state}: ${run.error}`)
  return run
}

/** The bytes of the largest event of a directory with a type that begins like this. */
export async function largestEvent(port: number, { id }: ScimDirectory, type: string): Promise<number> {
  let largest = 0
  for (let after = ''; ; ) {
    const query = `directoryId=${id}&limit=1000${after === '' ? '' : `&after=${encodeURIComponent(after)}`}`
    const response = await fetch(`http://127.0.0.1:${port}${apiPath}/feed?${query}`, {
      headers: { authorization: apiAuthorization },
    })
    if (!response.ok) throw new Error(`${response.status} to the feed: ${await response.text()}`)
    const { data, next } = (await response.json()) as { data: { event: string }[]; next: string }
    const events = data.filter(({ event }) => event.startsWith(type))
    for (const event of events) largest = Math.max(largest, Buffer.byteLength(JSON.stringify(event)))
    if (data.length === 0) return largest
    after = next
  }
}

/** An access token of a new OAuth client of a directory. */
export async function requestAccessToken(port: number, { id }: ScimDirectory): Promise<string> {
  const client = await request(port, 'POST', `/${id}/oauth-clients`, { type: 'secret' })
  const { client_id, client_secret } = client as { client_id: string; client_secret: string }
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })
  const response = await fetch(`http://127.0.0.1:${port}/api/scim/oauth/token`, { method: 'POST', body })
  if (!response.ok) throw new Error(`${response.status} to the token request: ${await response.text()}`)
  return ((await response.json()) as { access_token: string }).access_token
}

/** Puts a mapping of a directory into effect. */
export async function putMapping(port: number, { id }: ScimDirectory, mapping: object): Promise<void> {
  await request(port, 'PUT', `/${id}/mapping`, { mapping })
}

/** Whether the last run of the mapping of a directory is still running. */
export async function mappingRunState(port: number, { id }: ScimDirectory): Promise<string | undefined> {
  const { run } = (await request(port, 'GET', `/${id}/mapping`)) as { run: { state: string } | null }
  return run?.state
}

/** Stops the deliveries of a directory. */
export async function deactivateDirectory(port: number, { id }: ScimDirectory): Promise<void> {
  await request(port, 'PATCH', `/${id}`, { deactivated: true })
}

async function request(
  port: number,
  method: string,
  path: string,
  body?: object,
  authorization: string = apiAuthorization,
): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}${apiPath}${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} to ${method} ${path}: ${text}`)
  return (JSON.parse(text) as { data: unknown }).data
}

/** The JSON of a read of the API; `path` is relative to its prefix. */
export async function getJson(port: number, path: string): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`http://127.0.0.1:${port}${apiPath}${path}`, {
    headers: { authorization: apiAuthorization },
  })
  if (!response.ok) throw new Error(`${response.status} to ${path}: ${await response.text()}`)
  return (await response.json()) as Record<string, unknown>
}
