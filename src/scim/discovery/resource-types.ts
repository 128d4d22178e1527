import type { ResourceType } from '../schema/resource-type.ts'
import { resourceTypes } from '../schema/resource-type.ts'
import type { DiscoveryOptions } from './discovery-options.ts'

/** Every resource type as `/ResourceTypes` lists it (RFC 7643 §6). */
export function resourceTypeDefinitions({ scimUrl }: DiscoveryOptions) {
  return resourceTypes.map((resourceType) => resourceTypeDefinitionOf(resourceType, scimUrl))
}

/** The resource type of that name, in any letter case; undefined when there is none. */
export function resourceTypeDefinition(name: string, { scimUrl }: DiscoveryOptions) {
  const folded = name.toLowerCase()
  const resourceType = resourceTypes.find((one) => one.name.toLowerCase() === folded)
  return resourceType === undefined ? undefined : resourceTypeDefinitionOf(resourceType, scimUrl)
}

function resourceTypeDefinitionOf({ name, endpoint, description, schema, extensions }: ResourceType, scimUrl: string) {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: name,
    name,
    endpoint,
    description,
    schema: schema.id,
    ...(extensions.length === 0
      ? {}
      : { schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })) }),
    meta: { resourceType: 'ResourceType', location: `${scimUrl}/ResourceTypes/${name}` },
  }
}
