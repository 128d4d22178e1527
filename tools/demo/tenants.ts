import type { DirectoryType } from '../../src/directory/provider.ts'
import { isObject, own } from '../../src/scim/json.ts'
import type { ApiClient } from '../simulate/api-client.ts'
import { ApiError, scimAddressOf } from '../simulate/api-client.ts'
import type { DialectName } from '../simulate/dialects.ts'
import type { ReceiverEndpoint } from './receiver.ts'

/** A tenant of the demo and its identity provider. */
export interface DemoTenant {
  readonly tenant: string
  readonly product: string
  readonly provider: string
  readonly type: DirectoryType
  readonly dialect: DialectName
  /** The seed of the people in the first run; it differs between the tenants. */
  readonly firstSeed: number
  readonly mailDomain: string
  readonly users: number
  readonly groups: number
  readonly offboardPercent: number
}

/** The tenants, with few users, so that the demo takes only a few seconds. */
export const demoTenants: readonly DemoTenant[] = [
  {
    tenant: 'acme',
    product: 'demo',
    provider: 'Okta',
    type: 'okta-scim-v2',
    dialect: 'okta',
    firstSeed: 1,
    mailDomain: 'acme.example.com',
    users: 12,
    groups: 3,
    offboardPercent: 15,
  },
  {
    tenant: 'globex',
    product: 'demo',
    provider: 'Microsoft Entra ID',
    type: 'azure-scim-v2',
    dialect: 'entra',
    firstSeed: 500,
    mailDomain: 'globex.example.org',
    users: 10,
    groups: 2,
    offboardPercent: 20,
  },
]

/** A directory that the demo provisions or syncs. */
export interface DemoDirectory {
  readonly id: string
  readonly tenant: string
  readonly product: string
  readonly scimUrl: string
  readonly secret: string
}

/** Creates the tenant's directory, or finds the one of an earlier run and sets its webhook to this run's receiver. */
export async function openDirectory(
  api: ApiClient,
  { tenant, product, type, provider }: DemoTenant,
  { url, secret }: ReceiverEndpoint,
): Promise<DemoDirectory> {
  const knownId = await findDirectory(api, tenant, product, type)
  const named = { name: `${tenant}: ${provider}`, tenant, product, type }
  const id = knownId ?? idOf(await api.call('POST', '', named))
  // The console shows the logged deliveries.
  const endpoint = { webhook_url: url, webhook_secret: secret, log_webhook_events: true }
  const directory = await api.call('PATCH', `/${id}`, endpoint)
  return { id: idOf(directory), tenant, product, ...scimAddressOf(directory) }
}

async function findDirectory(api: ApiClient, tenant: string, product: string, type: string) {
  const listed = await api.call('GET', `?${new URLSearchParams({ tenant, product })}`)
  const directories = Array.isArray(listed) ? listed : []
  const found: unknown = directories.find((directory) => isObject(directory) && own(directory, 'type') === type)
  return found === undefined ? undefined : idOf(found)
}

function idOf(directory: unknown): string {
  const id = isObject(directory) ? own(directory, 'id') : undefined
  if (typeof id !== 'string') throw new ApiError('The service returned a directory without an id.')
  return id
}
