import {
  resourceTypeDefinition,
  resourceTypeDefinitions,
  schemaDefinition,
  schemaDefinitions,
} from '../scim/discovery/definitions.ts'
import type { ServiceProviderOptions } from '../scim/discovery/service-provider-config.ts'
import { serviceProviderConfig } from '../scim/discovery/service-provider-config.ts'
import { ScimError } from '../scim/errors.ts'
import { listResponse } from '../scim/messages.ts'

type Definition = (id: string, options: ServiceProviderOptions) => object | undefined

const definitions = {
  '/ServiceProviderConfig': (_id, options) => serviceProviderConfig(options),
  '/ResourceTypes': (_id, options) => listResponse(resourceTypeDefinitions(options)),
  '/ResourceTypes/:id': (id, options) => resourceTypeDefinition(id, options),
  '/Schemas': (_id, options) => listResponse(schemaDefinitions(options)),
  '/Schemas/:id': (id, options) => schemaDefinition(id, options),
} as const satisfies Record<string, Definition>

export type DiscoveryEndpoint = keyof typeof definitions

/** The endpoints that describe the service provider (RFC 7644 §4). They only support GET. */
export const discoveryEndpoints = Object.keys(definitions) as readonly DiscoveryEndpoint[]

/**
 * The definition at a discovery endpoint, as JSON text.
 *
 * @param id of one definition; empty for the endpoints without `:id`
 * @throws ScimError 403 for a query with a filter, which must not be ignored (RFC 7644 §4), 404 for an unknown id
 */
export function discover(
  endpoint: DiscoveryEndpoint,
  id: string,
  query: unknown,
  options: ServiceProviderOptions,
): string {
  rejectFilter(query)
  const definition = definitions[endpoint](id, options)
  if (definition === undefined) throw new ScimError(404, undefined, 'There is no such definition.')
  return JSON.stringify(definition)
}

function rejectFilter(query: unknown): void {
  const names = Object.keys(typeof query === 'object' && query !== null ? query : {})
  if (!names.some((name) => name.toLowerCase() === 'filter')) return
  throw new ScimError(403, undefined, 'Filters are not supported here: leave the filter out.')
}
