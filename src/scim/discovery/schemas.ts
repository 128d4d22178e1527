import type { Attribute, AttributeTable } from '../schema/attribute.ts'
import { schemas } from '../schema/resource-type.ts'
import type { Schema } from '../schema/schema.ts'
import type { DiscoveryOptions } from './discovery-options.ts'

/** An attribute as a schema's definition shows it (RFC 7643 §7). */
export type AttributeDefinition = Omit<Attribute, 'canonicalValues' | 'referenceTypes' | 'subAttributes'> & {
  readonly canonicalValues?: readonly string[]
  readonly referenceTypes?: readonly string[]
  readonly subAttributes?: readonly AttributeDefinition[]
}

/** Every schema as `/Schemas` lists it (RFC 7643 §7); the common attributes are in none (RFC 7643 §3.1). */
export function schemaDefinitions({ scimUrl }: DiscoveryOptions) {
  return schemas.map((schema) => schemaDefinitionOf(schema, scimUrl))
}

/** The schema of that URN, in any letter case; undefined when there is none. */
export function schemaDefinition(urn: string, { scimUrl }: DiscoveryOptions) {
  const folded = urn.toLowerCase()
  const schema = schemas.find(({ id }) => id.toLowerCase() === folded)
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

/** Leaves out what is empty: Entra ID refuses nulls, and empty lists say nothing. */
function attributeDefinition(attribute: Attribute): AttributeDefinition {
  const { canonicalValues, referenceTypes, subAttributes, ...characteristics } = attribute
  return {
    ...characteristics,
    ...(canonicalValues.length === 0 ? {} : { canonicalValues }),
    ...(referenceTypes.length === 0 ? {} : { referenceTypes }),
    ...(subAttributes.size === 0 ? {} : { subAttributes: attributeDefinitions(subAttributes) }),
  }
}
