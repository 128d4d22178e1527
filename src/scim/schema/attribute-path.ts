import { commonAttributes } from './common.ts'
import type { AttributePath, ResourceType } from './resource-type.ts'
import type { Attribute, AttributeTable } from './schema.ts'
import { unknownAttribute } from './schema.ts'
import { enterpriseUserSchema } from './user.ts'

/** Other URNs under which products send the enterprise extension, in lower case. */
const enterpriseAliases: ReadonlySet<string> = new Set([
  'urn:scim:schemas:extension:enterprise:1.0',
  'urn:scim:schemas:extension:enterprise:2.0',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0user',
  'urn:ietf:params:scim:schemas:extension:enterprise:1.0:user',
  'urn:ietf:params:scim:schemas:extension:enterprise:1.0',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0',
])

const colon = ':'.charCodeAt(0)

/** Whether a name is, or begins with, a URN: only those have a colon. */
export function isUrn(name: string): boolean {
  return name.charCodeAt(3) === colon && name.slice(0, 3).toLowerCase() === 'urn'
}

/** The URN that this service writes for an extension: known ones in their canonical spelling, others as sent. */
export function canonicalUrn(urn: string, { extensions }: ResourceType): string {
  const folded = urn.toLowerCase()
  const known = extensions.find(({ id }) => id.toLowerCase() === folded)
  if (known !== undefined) return known.id
  if (enterpriseAliases.has(folded) && extensions.includes(enterpriseUserSchema)) return enterpriseUserSchema.id
  return urn
}

/** The attributes of an extension by its canonical URN; undefined when the schema is not known here. */
export function extensionAttributes(urn: string, { extensions }: ResourceType): AttributeTable | undefined {
  return extensions.find(({ id }) => id === urn)?.attributes
}

/** The core or common attribute of that name, in any letter case. */
export function coreAttribute(name: string, { schema }: ResourceType): Attribute | undefined {
  const folded = name.toLowerCase()
  return schema.attributes.get(folded) ?? commonAttributes.get(folded)
}

/**
 * Resolves a dotted or URN-qualified attribute name. A bare name that the core schema lacks is looked up in the
 * extensions, as Entra ID sends `manager`. A name under an unknown extension URN resolves to an attribute of any type.
 *
 * @returns undefined when the core schema, or a known extension, has no such attribute or sub-attribute
 */
export function resolveAttributePath(text: string, resourceType: ResourceType): AttributePath | undefined {
  const { paths } = resourceType
  const known = paths.get(text) ?? paths.get(text.toLowerCase())
  return known === undefined && isUrn(text) ? resolveQualified(text, resourceType) : known
}

/** Resolves a name under another URN than those that the schemas themselves have. */
function resolveQualified(text: string, resourceType: ResourceType): AttributePath | undefined {
  const core = resourceType.schema.id
  if (text.slice(0, core.length + 1).toLowerCase() === `${core.toLowerCase()}:`) return undefined
  const known = knownPrefix(text, resourceType)
  if (known !== undefined) return resourceType.paths.get(`${known.id}:${known.rest}`.toLowerCase())
  const lastColon = text.lastIndexOf(':')
  const urn = text.slice(0, lastColon)
  return isUrn(urn) ? unknownPath(urn, text.slice(lastColon + 1)) : undefined
}

/** Splits a qualified name behind the extension URN that it begins with: URNs hold colons and dots of their own. */
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

/** A path into an extension that is not known here: anything may be in it. */
function unknownPath(extension: string, dotted: string): AttributePath | undefined {
  const [name = '', subName, ...tooDeep] = dotted.split('.')
  if (name === '' || subName === '' || tooDeep.length > 0) return undefined
  const subAttribute = subName === undefined ? undefined : unknownAttribute(subName)
  return { extension, attribute: unknownAttribute(name), subAttribute }
}

const attributeName = /^[a-z$][a-z0-9$_-]*$/i

/** Whether a name may be an attribute's (RFC 7643 §2.1), `$ref` included: the test for names that no schema lists. */
export function isAttributeName(name: string): boolean {
  return attributeName.test(name)
}

/** `isAttributeName` for both names of a path: one into an unknown extension resolves whatever its names are. */
export function hasValidNames({ attribute, subAttribute }: AttributePath): boolean {
  if (attribute.type !== 'any' && subAttribute?.type !== 'any') return true
  return isAttributeName(attribute.name) && (subAttribute === undefined || isAttributeName(subAttribute.name))
}

/** The sub-attribute of that name, in any letter case; anything goes in an attribute that no schema describes. */
export function resolveSubAttribute(attribute: Attribute, name: string): Attribute | undefined {
  return attribute.type === 'any' ? unknownAttribute(name) : attribute.subAttributes.get(name.toLowerCase())
}

/** The name of an attribute for messages: dotted, and led by its extension's URN when it has one. */
export function pathName({ extension, attribute, subAttribute }: AttributePath): string {
  const dotted = subAttribute === undefined ? attribute.name : `${attribute.name}.${subAttribute.name}`
  return extension === undefined ? dotted : `${extension}:${dotted}`
}
