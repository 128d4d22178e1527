import type { ResourceType, ScimProfile } from '../schema/resource-type.ts'
import { resourceTypes, schemasOfProfile } from '../schema/resource-type.ts'
import type { Attribute, AttributeTable, Schema } from '../schema/schema.ts'

/** The options of the discovery responses. */
export interface DiscoveryOptions {
  /** The directory's SCIM base URL, without a trailing slash. */
  readonly scimUrl: string
  /** How the directory reads requests. */
  readonly profile: ScimProfile
}

/** Every resource type, as `/ResourceTypes` returns it (RFC 7643 §6). */
export function resourceTypeDefinitions({ scimUrl }: Pick<DiscoveryOptions, 'scimUrl'>) {
  return resourceTypes.map((resourceType) => resourceTypeDefinitionOf(resourceType, scimUrl))
}

/** The resource type with that name, in any letter case; undefined when there is none. */
export function resourceTypeDefinition(name: string, { scimUrl }: Pick<DiscoveryOptions, 'scimUrl'>) {
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

/** An attribute, as a schema definition shows it (RFC 7643 §7). */
export type AttributeDefinition = Omit<
  Attribute,
  'canonicalValues' | 'referenceTypes' | 'isStrict' | 'subAttributes'
> & {
  readonly canonicalValues?: readonly string[]
  readonly referenceTypes?: readonly string[]
  readonly subAttributes?: readonly AttributeDefinition[]
}

/**
 * Every schema, as `/Schemas` returns it (RFC 7643 §7). Common attributes are not part of any schema (RFC 7643 §3.1).
 * A strict directory has no `password`.
 */
export function schemaDefinitions({ scimUrl, profile }: DiscoveryOptions) {
  return schemasOfProfile(profile).map((schema) => schemaDefinitionOf(schema, scimUrl))
}

/** The schema with that URN, in any letter case; undefined when there is none. */
export function schemaDefinition(urn: string, { scimUrl, profile }: DiscoveryOptions) {
  const folded = urn.toLowerCase()
  const schema = schemasOfProfile(profile).find(({ id }) => id.toLowerCase() === folded)
  return schema === undefined ? undefined : schemaDefinitionOf(schema, scimUrl)
}

function schemaDefinitionOf({ id, name, description, attributes }: Schema, scimUrl: string) {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    description,
    attributes: attributeDefinitions(attributes),
    meta: { resourceType: 'Schema', location: `${scimUrl}/Schemas/${id}` },
  }
}

function attributeDefinitions(table: AttributeTable): AttributeDefinition[] {
  return [...table.values()].map(attributeDefinition)
}

/** Leaves out empty properties. */
function attributeDefinition(attribute: Attribute): AttributeDefinition {
  const { canonicalValues, referenceTypes, isStrict: _, subAttributes, ...characteristics } = attribute
  return {
    ...characteristics,
    ...(canonicalValues.length === 0 ? {} : { canonicalValues }),
    ...(referenceTypes.length === 0 ? {} : { referenceTypes }),
    ...(subAttributes.size === 0 ? {} : { subAttributes: attributeDefinitions(subAttributes) }),
  }
}
