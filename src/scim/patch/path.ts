import { quote, ScimError } from '../errors.ts'
import { parseValueFilter } from '../filter/parse.ts'
import { endOfString } from '../filter/tokenize.ts'
import type { Json } from '../json.ts'
import { urnContext } from '../resource/attribute-key.ts'
import {
  hasValidNames,
  isInUnknownExtension,
  resolveAttributePath,
  resolveInSchema,
  resolveSubAttribute,
} from '../schema/attribute-path.ts'
import type { UrnContext } from '../schema/qualified-name.ts'
import { extensionAttributes, isAttributeName, readQualifiedName } from '../schema/qualified-name.ts'
import type { AttributePath, ResourceType } from '../schema/resource-type.ts'
import type { Attribute } from '../schema/schema.ts'
import { unknownAttribute } from '../schema/schema.ts'
import { isExtensionUrn, isUrn } from '../schema/urn.ts'
import type { AttributeTarget, PatchPath } from './operation.ts'

const namedParts = /^urn(:[a-z0-9][^:]*)+$/i

/**
 * Parses the path of a PATCH operation; names are case-insensitive.
 *
 * @param value the value of the operation, and `holds`, whether the resource has an extension: they decide how a path under
 *   an unknown URN is read (see `readQualifiedName`)
 * @throws ScimError `invalidPath` for a syntax error or a sub-attribute of an attribute that has none, `invalidFilter` for
 *   an error in the filter
 */
export function parsePath(
  text: string,
  resourceType: ResourceType,
  value?: Json,
  holds?: UrnContext['holds'],
): PatchPath {
  const opening = text.indexOf('[')
  if (opening !== -1) return parseValuePath(text, opening, resourceType)
  return isUrn(text)
    ? parseQualifiedPath(text, resourceType, urnContext(value, holds))
    : { kind: 'attribute', ...resolve(text, text, resourceType), filter: undefined }
}

function parseQualifiedPath(text: string, resourceType: ResourceType, context: UrnContext): PatchPath {
  const { extension, name } = readQualifiedName(text, resourceType, context)
  const isUnknown = extension !== undefined && extensionAttributes(extension, resourceType) === undefined
  if (isUnknown && resourceType.profile === 'strict') throw invalidPath(text, `${resourceType.name} has no such schema`)
  const written = isUnknown ? { written: text } : {}
  if (name === undefined && extension !== undefined && (!isUnknown || isNamedExtension(extension)))
    return { kind: 'extension', extension, ...written }
  const path = name === undefined ? undefined : resolveName(name, namesIn(extension, resourceType))
  return { kind: 'attribute', ...requireNamed(path, text, text, resourceType), filter: undefined, ...written }
}

function isNamedExtension(urn: string): boolean {
  return namedParts.test(urn) && isExtensionUrn(urn)
}

function parseValuePath(text: string, opening: number, resourceType: ResourceType): AttributeTarget {
  const closing = endOfBracket(text, opening)
  if (closing === -1) throw invalidPath(text, 'a closing bracket is missing')
  const path = withElements(resolve(text.slice(0, opening), text, resourceType), resourceType)
  if (path === undefined) throw invalidPath(text, 'a filter can only follow a multi-valued attribute or the manager')
  const subAttribute = subAttributeBehind(text, closing, path.attribute)
  const filter = parseValueFilter(text.slice(opening + 1, closing), path.attribute)
  return { kind: 'attribute', ...path, subAttribute, filter }
}

/**
 * The path of an attribute whose elements can be filtered. A filter does not follow a sub-attribute, so that the dot in
 * `urn:acme:user:custom.sites[…]` is the end of the URN.
 */
function withElements(path: AttributePath, resourceType: ResourceType): AttributePath | undefined {
  const { extension, attribute, subAttribute } = path
  if (subAttribute === undefined) return hasElements(attribute) ? path : undefined
  if (!isInUnknownExtension(path, resourceType)) return undefined
  return { extension: `${extension}:${attribute.name}`, attribute: subAttribute, subAttribute: undefined }
}

/** Returns whether a filter can select values of an attribute. A tolerant directory lets it select the only value of `manager`. */
function hasElements({ type, multiValued, isStrict, subAttributes }: Attribute): boolean {
  return type === 'any' || (type === 'complex' && (multiValued || (!isStrict && subAttributes.has('value'))))
}

/** The index of the closing bracket; brackets inside JSON strings do not count. -1 when there is none. */
function endOfBracket(text: string, opening: number): number {
  let index = opening + 1
  while (index < text.length && text[index] !== ']') {
    const end = text[index] === '"' ? endOfString(text, index) : index + 1
    if (end === -1) return -1
    index = end
  }
  return index < text.length ? index : -1
}

function subAttributeBehind(text: string, closing: number, attribute: Attribute): Attribute | undefined {
  const behind = text.slice(closing + 1)
  if (behind === '') return undefined
  const name = behind.slice(1)
  if (!behind.startsWith('.') || !isAttributeName(name)) {
    throw invalidPath(text, `${attribute.name} has no sub-attribute ${quote(behind.replace('.', ''))}`)
  }
  const found = resolveSubAttribute(attribute, name)
  if (found === undefined && attribute.isStrict) throw invalidPath(text, `${attribute.name} has no ${quote(name)}`)
  return found ?? unknownAttribute(name)
}

function resolve(name: string, text: string, resourceType: ResourceType): AttributePath {
  if (!isUrn(name)) return requireNamed(resolveName(name, bareNames(resourceType)), name, text, resourceType)
  // Only an attribute can be filtered, not a whole extension.
  const { extension, name: part = '' } = readQualifiedName(name, resourceType, { value: '' })
  return requireNamed(resolveName(part, namesIn(extension, resourceType)), name, text, resourceType)
}

type FindPath = (name: string) => AttributePath | undefined

function bareNames(resourceType: ResourceType): FindPath {
  return (name) => resolveAttributePath(name, resourceType)
}

function namesIn(extension: string | undefined, resourceType: ResourceType): FindPath {
  return (name) => resolveInSchema(extension, name, resourceType)
}

/**
 * Resolves the name of an attribute, in an extension or bare. Sub-attributes that a complex attribute does not have are
 * kept, as in the body of a POST; the strict profile has none.
 */
function resolveName(name: string, find: FindPath): AttributePath | undefined {
  const path = find(name)
  if (path !== undefined) return path
  const [head = '', part = '', ...tooDeep] = name.split('.')
  const owner = tooDeep.length === 0 && isAttributeName(part) ? find(head) : undefined
  return owner?.attribute.type === 'complex' && !owner.attribute.isStrict
    ? { ...owner, subAttribute: unknownAttribute(part) }
    : undefined
}

/** The target of a name in the value of an operation without a path, or on a whole extension; undefined for no attribute's name. */
export function namedTarget(
  name: string,
  extension: string | undefined,
  resourceType: ResourceType,
): AttributeTarget | undefined {
  const path = resolveName(name, extension === undefined ? bareNames(resourceType) : namesIn(extension, resourceType))
  return path !== undefined && hasValidNames(path) ? { kind: 'attribute', ...path, filter: undefined } : undefined
}

function requireNamed(
  path: AttributePath | undefined,
  name: string,
  text: string,
  resourceType: ResourceType,
): AttributePath {
  if (path !== undefined && hasValidNames(path)) return path
  throw invalidPath(text, `${resourceType.name} has no attribute ${quote(name)}`)
}

/** A 400 `invalidPath` (RFC 7644 §3.12). */
export function invalidPath(path: string, what: string): ScimError {
  return new ScimError(400, 'invalidPath', `Invalid path ${quote(path)}: ${what}.`)
}
