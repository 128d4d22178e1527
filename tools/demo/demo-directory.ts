import { isObject, own } from '../../src/scim/json.ts'
import type { ApiClient } from '../simulate/api-client.ts'
import { ApiError } from '../simulate/api-client.ts'
import { scimAddressOf } from '../simulate/scim-address.ts'
import type { CastMember } from './cast.ts'
import type { ReceiverEndpoint } from './receiver.ts'

/** A directory that the demo plays on. */
export interface DemoDirectory {
  readonly id: string
  readonly tenant: string
  readonly product: string
  readonly scimUrl: string
  readonly secret: string
}

/** The cast member's directory: created, or found again from an earlier run and pointed at the receiver of this one. */
export async function openDirectory(
  api: ApiClient,
  { tenant, product, type, provider }: CastMember,
  { url, secret }: ReceiverEndpoint,
): Promise<DemoDirectory> {
  const webhook = { webhook_url: url, webhook_secret: secret }
  const knownId = await findDirectory(api, tenant, product, type)
  const directory =
    knownId === undefined
      ? await api.call('POST', '', { name: `${tenant}: ${provider}`, tenant, product, type, ...webhook })
      : await api.call('PATCH', `/${knownId}`, webhook)
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
  if (typeof id !== 'string') throw new ApiError('The service answered with a directory that has no id.')
  return id
}
