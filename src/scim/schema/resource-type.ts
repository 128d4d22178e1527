import { commonAttributes } from './common.ts'
import { groupSchema } from './group.ts'
import type { Attribute, AttributeTable, Schema } from './schema.ts'
import { strictTable } from './schema.ts'
import { enterpriseUserSchema, userSchema } from './user.ts'

/**
 * How requests are read. `tolerant` reads what identity providers really send as what they mean, and keeps unknown attributes.
 * `strict` is the SCIM interoperability profile (draft-zollner-scim-interop-profile): what no schema defines, and a value of another
 * type, is rejected. The profile is part of the resource type, and of its attributes: one parser serves both.
 */
export const scimProfiles = ['tolerant', 'strict'] as const

export type ScimProfile = (typeof scimProfiles)[number]

/** A kind of resource: its endpoint and its schemas (RFC 7643 §6). */
export interface ResourceType {
  readonly name: 'User' | 'Group'
  readonly endpoint: '/Users' | '/Groups'
  readonly description: string
  readonly profile: ScimProfile
  readonly schema: Schema
  /** The extensions, all of which are optional. */
  readonly extensions: readonly Schema[]
  /** The attributes of the core schema and the common ones. */
  readonly attributes: AttributeTable
  /** See `knownPaths`. */
  readonly paths: ReadonlyMap<string, AttributePath>
}

/** Users (RFC 7643 §4.1), with the enterprise extension. */
export const userType = resourceType('tolerant', {
  name: 'User',
  endpoint: '/Users',
  description: 'User Account',
  schema: userSchema,
  extensions: [enterpriseUserSchema],
})

/** Groups (RFC 7643 §4.2). */
export const groupType = resourceType('tolerant', {
  name: 'Group',
  endpoint: '/Groups',
  description: 'Group',
  schema: groupSchema,
  extensions: [],
})

/** Users and groups, as each profile reads them. */
export const userTypes = { tolerant: userType, strict: strictType(userType) } as const satisfies TypesByProfile
export const groupTypes = { tolerant: groupType, strict: strictType(groupType) } as const satisfies TypesByProfile

type TypesByProfile = Record<ScimProfile, ResourceType>

/** Every supported resource type. */
export const resourceTypes: readonly ResourceType[] = [userType, groupType]

/** Every schema of a profile, core schemas first. */
export function schemasOfProfile(profile: ScimProfile): readonly Schema[] {
  const types = [userTypes[profile], groupTypes[profile]]
  return [...types.map(({ schema }) => schema), ...types.flatMap(({ extensions }) => extensions)]
}

function resourceType(
  profile: ScimProfile,
  definition: Omit<ResourceType, 'profile' | 'attributes' | 'paths'>,
): ResourceType {
  const { schema, extensions } = definition
  const common = profile === 'strict' ? strictTable(commonAttributes) : commonAttributes
  const attributes = new Map([...common, ...schema.attributes])
  return { ...definition, profile, attributes, paths: knownPaths(schema, common, extensions, profile) }
}

function strictType(type: ResourceType): ResourceType {
  const strict = (schema: Schema): Schema => ({ ...schema, attributes: strictTable(schema.attributes) })
  return resourceType('strict', { ...type, schema: strict(type.schema), extensions: type.extensions.map(strict) })
}

/** An attribute of a resource, or a sub-attribute (RFC 7644 §3.10). */
export interface AttributePath {
  /** The URN under which the extension is stored; undefined for the core schema. */
  readonly extension: string | undefined
  readonly attribute: Attribute
  readonly subAttribute: Attribute | undefined
}

/**
 * Every path in the schemas of a resource type, bare and qualified by URN, each in lower case and in canonical
 * spelling. A bare name that the core schema lacks, such as `manager`, refers to an extension, unless the profile is strict.
 */
function knownPaths(
  core: Schema,
  common: AttributeTable,
  extensions: readonly Schema[],
  profile: ScimProfile,
): ReadonlyMap<string, AttributePath> {
  const paths = new Map<string, AttributePath>()
  for (const attributes of [core.attributes, common]) {
    addPaths(paths, '', undefined, attributes)
    addPaths(paths, `${core.id}:`, undefined, attributes)
  }
  for (const { id, attributes } of extensions) {
    if (profile === 'tolerant') addPaths(paths, '', id, attributes)
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
