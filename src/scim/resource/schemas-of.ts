import type { JsonObject } from '../json.ts'
import { isUrn } from '../schema/attribute-path.ts'
import type { ResourceType } from '../schema/resource-type.ts'

/** The `schemas` of a resource: its core schema, then every extension that it holds an object of (RFC 7643 §3). */
export function schemasOf(resource: JsonObject, resourceType: ResourceType): string[] {
  return [resourceType.schema.id, ...Object.keys(resource).filter(isUrn)]
}
