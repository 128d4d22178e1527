import { maxAttributeNameLength, maxPathLength } from '../limits.ts'
import { commonAttributes } from './common.ts'
import type { AttributePath, ResourceType } from './resource-type.ts'
import { resourceTypes, schemas } from './resource-type.ts'
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
  const folded = schemaName(urn)
  if (folded === undefined) return urn
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
  const folded = schemaName(name) ?? ''
  return schema.attributes.get(folded) ?? commonAttributes.get(folded)
}

const ascii = /^[\x21-\x7e]+$/

/** A name in lower case, as schemas are searched for it; undefined for one that no schema has: theirs are short, and ASCII. */
export function schemaName(name: string): string | undefined {
  return name.length <= maxPathLength && ascii.test(name) ? name.toLowerCase() : undefined
}

/**
 * Resolves an attribute name, dotted or qualified by a URN. A bare name that the core schema lacks is looked up in the
 * extensions. A name that no schema has resolves to an attribute of any type: unknown
 * attributes are kept. After the URN of a known schema, a dot is read as a colon.
 *
 * @returns undefined for a name of too many parts or characters, and when a known attribute has no such sub-attribute
 */
export function resolveAttributePath(text: string, resourceType: ResourceType): AttributePath | undefined {
  if (text.length > maxPathLength) return undefined
  const known = knownPath(text, resourceType)
  if (known !== undefined) return known
  if (!isUrn(text)) return unknownPath(undefined, text, (name) => knownPath(name, resourceType) === undefined)
  const qualified = splitQualifiedName(text, resourceType)
  if (qualified !== undefined) return resolveInSchema(qualified, resourceType)
  const lastColon = text.lastIndexOf(':')
  const urn = text.slice(0, lastColon)
  return isExtensionUrn(urn) ? unknownPath(urn, text.slice(lastColon + 1), () => true) : undefined
}

function knownPath(name: string, { paths }: ResourceType): AttributePath | undefined {
  return paths.get(name) ?? paths.get(schemaName(name) ?? '')
}

/** A name after the URN of a known schema. */
export interface QualifiedName {
  /** The canonical URN of an extension; undefined for the core schema. */
  readonly extension: string | undefined
  readonly name: string
}

/** Splits a name after the URN of a known schema, which itself contains colons and dots; undefined when it has none. */
export function splitQualifiedName(text: string, resourceType: ResourceType): QualifiedName | undefined {
  if (text.length > maxPathLength) return undefined
  const folded = text.toLowerCase()
  const core = resourceType.schema.id.toLowerCase()
  let longest = ''
  for (const urn of [core, ...resourceType.extensions.map(({ id }) => id.toLowerCase()), ...enterpriseAliases]) {
    const isPrefix = folded.startsWith(urn) && (folded[urn.length] === ':' || folded[urn.length] === '.')
    if (isPrefix && urn.length > longest.length) longest = urn
  }
  if (longest === '') return undefined
  const name = text.slice(longest.length + 1)
  if (longest === core) return { extension: undefined, name }
  const extension = canonicalUrn(longest, resourceType)
  return extensionAttributes(extension, resourceType) === undefined ? undefined : { extension, name }
}

function resolveInSchema({ extension, name }: QualifiedName, resourceType: ResourceType): AttributePath | undefined {
  const inSchema = (part: string) => knownPath(`${extension ?? resourceType.schema.id}:${part}`, resourceType)
  return inSchema(name) ?? unknownPath(extension, name, (part) => inSchema(part) === undefined)
}

/**
 * A path to an unknown attribute, which may contain anything.
 *
 * @param isFree whether a name is not that of a known attribute
 */
function unknownPath(
  extension: string | undefined,
  dotted: string,
  isFree: (name: string) => boolean,
): AttributePath | undefined {
  const [name = '', subName, ...tooDeep] = dotted.split('.')
  if (name === '' || subName === '' || tooDeep.length > 0 || !isFree(name)) return undefined
  const subAttribute = subName === undefined ? undefined : unknownAttribute(subName)
  return { extension, attribute: unknownAttribute(name), subAttribute }
}

const attributeName = /^[a-z$][a-z0-9$_-]*$/i

/**
 * Whether a name is allowed for an attribute (RFC 7643 §2.1), including `$ref`, and short enough. Needed for names
 * without a schema.
 */
export function isAttributeName(name: string): boolean {
  return name.length <= maxAttributeNameLength && attributeName.test(name)
}

/** Whether both names of a path are allowed: paths to unknown attributes resolve with any name. */
export function hasValidNames({ attribute, subAttribute }: AttributePath): boolean {
  if (attribute.type !== 'any' && subAttribute?.type !== 'any') return true
  return isAttributeName(attribute.name) && (subAttribute === undefined || isAttributeName(subAttribute.name))
}

/** Whether a path leads into an extension that this service does not know. */
export function isInUnknownExtension({ extension }: AttributePath, resourceType: ResourceType): boolean {
  return extension !== undefined && extensionAttributes(extension, resourceType) === undefined
}

/** Whether only the schemas of other resource types have an attribute, or the URN that it is qualified by. */
export function isOfOtherType({ extension, attribute }: AttributePath, resourceType: ResourceType): boolean {
  if (attribute.type !== 'any') return false
  if (extension === undefined) return resourceTypes.some(({ paths }) => paths.has(attribute.name.toLowerCase()))
  const folded = extension.toLowerCase()
  return schemas.some((schema) => schema.id.toLowerCase() === folded && !resourceType.extensions.includes(schema))
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
