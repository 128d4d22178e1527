import { undefinedName } from '../errors.ts'
import { maxPathLength } from '../limits.ts'
import { extensionAttributes, isAttributeName, readQualifiedName, schemaName } from './qualified-name.ts'
import type { AttributePath, ResourceType } from './resource-type.ts'
import { groupTypes, resourceTypes, schemasOfProfile, userTypes } from './resource-type.ts'
import type { Attribute } from './schema.ts'
import { unknownAttribute } from './schema.ts'
import { isExtensionUrn, isUrn } from './urn.ts'

/** The core or common attribute with that name, in any letter case. */
export function coreAttribute(name: string, { attributes }: ResourceType): Attribute | undefined {
  return attributes.get(schemaName(name) ?? '')
}

/**
 * Resolves an attribute name, dotted or qualified by a URN. A bare name that the core schema lacks is looked up in the
 * extensions. A name that no schema has resolves to an attribute of any type: unknown
 * attributes are kept. After the URN of a schema, a dot is read as a colon. In the strict profile, all three are unknown.
 *
 * @returns undefined for a name of too many parts or characters, when a known attribute has no such sub-attribute, and for
 *   an unknown name in the strict profile
 */
export function resolveAttributePath(text: string, resourceType: ResourceType): AttributePath | undefined {
  if (text.length > maxPathLength) return undefined
  const known = knownPath(text, resourceType)
  if (known !== undefined) return known
  if (resourceType.profile === 'strict') return undefined
  if (!isUrn(text)) return unknownPath(undefined, text, (name) => knownPath(name, resourceType) === undefined)
  const { extension, name } = readQualifiedName(text, resourceType)
  return name === undefined ? undefined : resolveInSchema(extension, name, resourceType)
}

/** Resolves a name, possibly dotted, in an extension, or in the core schema if that is undefined. */
export function resolveInSchema(
  extension: string | undefined,
  name: string,
  resourceType: ResourceType,
): AttributePath | undefined {
  const isStrict = resourceType.profile === 'strict'
  if (!isStrict && extension !== undefined && extensionAttributes(extension, resourceType) === undefined)
    return isExtensionUrn(extension) ? unknownPath(extension, name, () => true) : undefined
  const inSchema = (part: string) => knownPath(`${extension ?? resourceType.schema.id}:${part}`, resourceType)
  const known = inSchema(name)
  return known ?? (isStrict ? undefined : unknownPath(extension, name, (part) => inSchema(part) === undefined))
}

/**
 * Requires the name of an attribute or a schema in the strict profile, of any resource type: a query at the root selects those of all types.
 *
 * @throws ScimError 400 `invalidSyntax`
 */
export function requireDefinedName(text: string, { name, profile }: ResourceType): void {
  if (profile === 'tolerant') return
  const isAttribute = [userTypes.strict, groupTypes.strict].some((type) => knownPath(text, type) !== undefined)
  const isSchema = schemasOfProfile('strict').some(({ id }) => id.toLowerCase() === text.toLowerCase())
  if (!isAttribute && !isSchema) throw undefinedName(name, text)
}

function knownPath(name: string, { paths }: ResourceType): AttributePath | undefined {
  return paths.get(name) ?? paths.get(schemaName(name) ?? '')
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

/** Returns whether both names of a path are allowed: paths to unknown attributes resolve with any name. */
export function hasValidNames({ attribute, subAttribute }: AttributePath): boolean {
  if (attribute.type !== 'any' && subAttribute?.type !== 'any') return true
  return isAttributeName(attribute.name) && (subAttribute === undefined || isAttributeName(subAttribute.name))
}

/** Returns whether a path leads into an extension that this service does not know. */
export function isInUnknownExtension({ extension }: AttributePath, resourceType: ResourceType): boolean {
  return extension !== undefined && extensionAttributes(extension, resourceType) === undefined
}

/** Returns whether only the schemas of other resource types have an attribute, or the URN that it is qualified by. */
export function isOfOtherType({ extension, attribute }: AttributePath, resourceType: ResourceType): boolean {
  if (attribute.type !== 'any') return false
  if (extension === undefined) return resourceTypes.some(({ paths }) => paths.has(attribute.name.toLowerCase()))
  const folded = extension.toLowerCase()
  return schemasOfProfile('tolerant').some(
    (schema) => schema.id.toLowerCase() === folded && !resourceType.extensions.includes(schema),
  )
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
