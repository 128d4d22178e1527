import type { JsonObject } from '../json.ts'
import { isUrn } from '../schema/attribute-path.ts'
import type { ResourceType } from '../schema/resource-type.ts'

/**
 * The `schemas` of a resource: its core schema, then every extension that it holds an object of (RFC 7643 §3), the known
 * ones first. The order does not depend on that of the attributes, so that the same resource always reads the same.
 */
export function schemasOf(resource: JsonObject, { schema, extensions }: ResourceType): string[] {
  const urns = Object.keys(resource).filter(isUrn)
  if (urns.length < 2) return [schema.id, ...urns]
  const known = extensions.map(({ id }) => id).filter((id) => Object.hasOwn(resource, id))
  const others = urns.filter((urn) => !known.includes(urn))
  return [schema.id, ...known, ...others.sort()]
}
