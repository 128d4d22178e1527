import { commonAttributes } from './common.ts'
import { groupSchema } from './group.ts'
import type { Attribute, AttributeTable, Schema } from './schema.ts'
import { enterpriseUserSchema, userSchema } from './user.ts'

/** A kind of resource: its endpoint and its schemas (RFC 7643 §6). */
export interface ResourceType {
  readonly name: 'User' | 'Group'
  readonly endpoint: '/Users' | '/Groups'
  readonly description: string
  readonly schema: Schema
  /** The extensions, all of which are optional. */
  readonly extensions: readonly Schema[]
  /** See `knownPaths`. */
  readonly paths: ReadonlyMap<string, AttributePath>
}

/** Users (RFC 7643 §4.1), with the enterprise extension. */
export const userType = {
  name: 'User',
  endpoint: '/Users',
  description: 'User Account',
  schema: userSchema,
  extensions: [enterpriseUserSchema],
  paths: knownPaths(userSchema, [enterpriseUserSchema]),
} as const satisfies ResourceType

/** Groups (RFC 7643 §4.2). */
export const groupType = {
  name: 'Group',
  endpoint: '/Groups',
  description: 'Group',
  schema: groupSchema,
  extensions: [],
  paths: knownPaths(groupSchema, []),
} as const satisfies ResourceType

/** Every supported resource type. */
export const resourceTypes: readonly ResourceType[] = [userType, groupType]

/** Every supported schema, core schemas first. */
export const schemas: readonly Schema[] = [userSchema, groupSchema, enterpriseUserSchema]

/** An attribute of a resource, or a sub-attribute (RFC 7644 §3.10). */
export interface AttributePath {
  /** The URN under which the extension is stored; undefined for the core schema. */
  readonly extension: string | undefined
  readonly attribute: Attribute
  readonly subAttribute: Attribute | undefined
}

/**
 * Every path in the schemas of a resource type, bare and qualified by URN, each in lower case and in canonical
 * spelling. A bare name that the core schema lacks, such as `manager`, refers to an extension.
 */
export function knownPaths(core: Schema, extensions: readonly Schema[]): ReadonlyMap<string, AttributePath> {
  const paths = new Map<string, AttributePath>()
  for (const attributes of [core.attributes, commonAttributes]) {
    addPaths(paths, '', undefined, attributes)
    addPaths(paths, `${core.id}:`, undefined, attributes)
  }
  for (const { id, attributes } of extensions) {
    addPaths(paths, '', id, attributes)
    addPaths(paths, `${id}:`, id, attributes)
  }
  return paths
}

function addPaths(
  paths: Map<string, AttributePath>,
  prefix: string,
  extension: string | undefined,
  attributes: AttributeTable,
): void {
  for (const attribute of attributes.values()) {
    const name = prefix + attribute.name
    addPath(paths, name, { extension, attribute, subAttribute: undefined })
    for (const subAttribute of attribute.subAttributes.values()) {
      addPath(paths, `${name}.${subAttribute.name}`, { extension, attribute, subAttribute })
    }
  }
}

/** The first path with a name wins. */
function addPath(paths: Map<string, AttributePath>, name: string, path: AttributePath): void {
  const folded = name.toLowerCase()
  if (paths.has(folded)) return
  paths.set(folded, path)
  paths.set(name, path)
}
