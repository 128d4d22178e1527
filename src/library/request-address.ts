import { ScimError } from '../scim/errors.ts'
import type { DiscoveryEndpoint } from '../service-provider/discovery.ts'
import { discoveryEndpoints } from '../service-provider/discovery.ts'
import { operations } from '../service-provider/operations.ts'
import type { ScimEndpoint, ScimMethod } from '../service-provider/request.ts'

/** The target of a request; the id is empty for endpoints without `:id`. */
export type RequestAddress =
  | { readonly kind: 'resources'; readonly endpoint: ScimEndpoint; readonly id: string }
  | { readonly kind: 'discovery'; readonly endpoint: DiscoveryEndpoint; readonly id: string }

/**
 * The target with a resource type and an id, in any letter case, as in the path of an HTTP request.
 *
 * @throws ScimError 404 for an unknown address, 501 for those that are not supported in the process
 */
export function addressOf(resourceType: string, id: string): RequestAddress {
  const type = resourceType.toLowerCase()
  if (type === 'me') throw new ScimError(501, undefined, 'The secret belongs to a directory, not to a user.')
  if (type === 'bulk') throw new ScimError(501, undefined, 'Bulk requests are only supported over HTTP.')
  const exact = `/${[type, id.toLowerCase()].filter((part) => part !== '').join('/')}`
  const pattern = id === '' ? exact : `/${type}/:id`
  for (const wanted of [exact, pattern]) {
    const isWanted = (endpoint: string) => endpoint.toLowerCase() === wanted
    const resources = (Object.keys(operations) as ScimEndpoint[]).find(isWanted)
    if (resources !== undefined) return { kind: 'resources', endpoint: resources, id: wanted === pattern ? id : '' }
    const discovery = discoveryEndpoints.find(isWanted)
    if (discovery !== undefined) return { kind: 'discovery', endpoint: discovery, id }
  }
  throw new ScimError(404, undefined, 'There is nothing at this address: the resource type is unknown.')
}

/** The methods that an address supports. */
export function methodsAt(address: RequestAddress): readonly ScimMethod[] {
  return address.kind === 'discovery' ? ['GET'] : (Object.keys(operations[address.endpoint]) as ScimMethod[])
}
