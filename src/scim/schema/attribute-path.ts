import { commonAttributes } from './common.ts'
import type { AttributePath, ResourceType } from './resource-type.ts'
import type { Attribute, AttributeTable } from './schema.ts'
import { unknownAttribute } from './schema.ts'
import { isExtensionUrn, isUrn } from './urn.ts'
import { enterpriseUserSchema } from './user.ts'

/** Other URNs that products use for the enterprise extension, in lower case. */
const enterpriseAliases: ReadonlySet<string> = new Set([
  'urn:scim:schemas:extension:enterprise:1.0',
  'urn:scim:schemas:extension:enterprise:2.0',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0user',
  'urn:ietf:params:scim:schemas:extension:enterprise:1.0:user',
  'urn:ietf:params:scim:schemas:extension:enterprise:1.0',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0',
])

/** The URN under which an extension is stored: known ones in canonical spelling, others unchanged. */
export function canonicalUrn(urn: string, { extensions }: ResourceType): string {
  const folded = urn.toLowerCase()
  const known = extensions.find(({ id }) => id.toLowerCase() === folded)
  if (known !== undefined) return known.id
  if (enterpriseAliases.has(folded) && extensions.includes(enterpriseUserSchema)) return enterpriseUserSchema.id
  return urn
}

/** The attributes of an extension by its canonical URN; undefined for an unknown extension. */
export function extensionAttributes(urn: string, { extensions }: ResourceType): AttributeTable | undefined {
  return extensions.find(({ id }) => id === urn)?.attributes
}

/** The core or common attribute with that name, in any letter case. */
export function coreAttribute(name: string, { schema }: ResourceType): Attribute | undefined {
  const folded = name.toLowerCase()
  return schema.attributes.get(folded) ?? commonAttributes.get(folded)
}

/**
 * Resolves an attribute name, dotted or qualified by a URN. A bare name that the core schema lacks is looked up in the
 * extensions, as Entra ID sends `manager`. A name under an unknown extension URN resolves to an attribute of any type.
 *
 * @returns undefined when a known schema has no such attribute or sub-attribute
 */
export function resolveAttributePath(text: string, resourceType: ResourceType): AttributePath | undefined {
  const { paths } = resourceType
  const known = paths.get(text) ?? paths.get(text.toLowerCase())
  return known === undefined && isUrn(text) ? resolveQualified(text, resourceType) : known
}

/** Resolves a name under a URN other than the canonical ones. */
function resolveQualified(text: string, resourceType: ResourceType): AttributePath | undefined {
  const core = resourceType.schema.id
  if (text.slice(0, core.length + 1).toLowerCase() === `${core.toLowerCase()}:`) return undefined
  const known = knownPrefix(text, resourceType)
  if (known !== undefined) return resourceType.paths.get(`${known.id}:${known.rest}`.toLowerCase())
  const lastColon = text.lastIndexOf(':')
  const urn = text.slice(0, lastColon)
  return isExtensionUrn(urn) ? unknownPath(urn, text.slice(lastColon + 1)) : undefined
}

/** Splits a qualified name after its extension URN. URNs contain colons and dots themselves. */
function knownPrefix(text: string, resourceType: ResourceType): { id: string; rest: string } | undefined {
  const urns = [...resourceType.extensions.map(({ id }) => id.toLowerCase()), ...enterpriseAliases]
  const folded = text.toLowerCase()
  const prefix = urns
    .filter((urn) => folded.startsWith(`${urn}:`))
    .sort((a, b) => b.length - a.length)
    .at(0)
  if (prefix === undefined) return undefined
  const id = canonicalUrn(text.slice(0, prefix.length), resourceType)
  if (extensionAttributes(id, resourceType) === undefined) return undefined
  return { id, rest: text.slice(prefix.length + 1) }
}

/** A path into an unknown extension, which may contain anything. */
function unknownPath(extension: string, dotted: string): AttributePath | undefined {
  const [name = '', subName, ...tooDeep] = dotted.split('.')
  if (name === '' || subName === '' || tooDeep.length > 0) return undefined
  const subAttribute = subName === undefined ? undefined : unknownAttribute(subName)
  return { extension, attribute: unknownAttribute(name), subAttribute }
}

const attributeName = /^[a-z$][a-z0-9$_-]*$/i

/** Whether a name is allowed for an attribute (RFC 7643 §2.1), including `$ref`. Needed for names without a schema. */
export function isAttributeName(name: string): boolean {
  return attributeName.test(name)
}

/** Whether both names of a path are allowed: paths into unknown extensions resolve with any name. */
export function hasValidNames({ attribute, subAttribute }: AttributePath): boolean {
  if (attribute.type !== 'any' && subAttribute?.type !== 'any') return true
  return isAttributeName(attribute.name) && (subAttribute === undefined || isAttributeName(subAttribute.name))
}

/** The sub-attribute with that name, in any letter case. An attribute without a schema has every sub-attribute. */
export function resolveSubAttribute(attribute: Attribute, name: string): Attribute | undefined {
  return attribute.type === 'any' ? unknownAttribute(name) : attribute.subAttributes.get(name.toLowerCase())
}

/** The name of an attribute in messages: dotted, with the URN of its extension if any. */
export function pathName({ extension, attribute, subAttribute }: AttributePath): string {
  const dotted = subAttribute === undefined ? attribute.name : `${attribute.name}.${subAttribute.name}`
  return extension === undefined ? dotted : `${extension}:${dotted}`
}
