import { quote, ScimError } from '../errors.ts'
import { parseValueFilter } from '../filter/parse.ts'
import { endOfString } from '../filter/tokenize.ts'
import {
  canonicalUrn,
  extensionAttributes,
  hasValidNames,
  isInUnknownExtension,
  resolveAttributePath,
  resolveSubAttribute,
} from '../schema/attribute-path.ts'
import type { AttributePath, ResourceType } from '../schema/resource-type.ts'
import type { Attribute } from '../schema/schema.ts'
import { isExtensionUrn, isUrn } from '../schema/urn.ts'
import type { AttributeTarget, PatchPath } from './operation.ts'

const namedParts = /^urn(:[a-z0-9][^:]*)+$/i

const endsInVersionedName = /:\d+(\.\d+)*:[^:.]+$/

/**
 * Parses the path of a PATCH operation; names are case-insensitive. A URN is an extension as a whole when it is a known
 * one, or an unknown one whose last part follows a version, as in `urn:…:2.0:User`; otherwise its last part is an
 * attribute.
 *
 * @throws ScimError `invalidPath` for a syntax error or an unknown sub-attribute of a known attribute, `invalidFilter` for
 *   an error in the filter
 */
export function parsePath(text: string, resourceType: ResourceType): PatchPath {
  const opening = text.indexOf('[')
  return opening === -1 ? parsePlainPath(text, resourceType) : parseValuePath(text, opening, resourceType)
}

function parsePlainPath(text: string, resourceType: ResourceType): PatchPath {
  const extension = extensionOf(text, resourceType)
  if (extension !== undefined) return { kind: 'extension', extension }
  return { kind: 'attribute', ...resolve(text, text, resourceType), filter: undefined }
}

/** The extension whose URN the text is; undefined when it is something else. */
function extensionOf(text: string, resourceType: ResourceType): string | undefined {
  if (!isUrn(text)) return undefined
  const urn = canonicalUrn(text, resourceType)
  if (extensionAttributes(urn, resourceType) !== undefined) return urn
  const path = resolveAttributePath(text, resourceType)
  if (path === undefined || !isInUnknownExtension(path, resourceType)) return undefined
  const isWhole = endsInVersionedName.test(text) || !hasValidNames(path)
  return isWhole && namedParts.test(text) && isExtensionUrn(text) ? urn : undefined
}

function parseValuePath(text: string, opening: number, resourceType: ResourceType): AttributeTarget {
  const closing = endOfBracket(text, opening)
  if (closing === -1) throw invalidPath(text, 'a closing bracket is missing')
  const path = resolve(text.slice(0, opening), text, resourceType)
  if (!holdsElements(path)) throw invalidPath(text, 'only a complex multi-valued attribute can be filtered')
  const subAttribute = subAttributeBehind(text, closing, path.attribute)
  const filter = parseValueFilter(text.slice(opening + 1, closing), path.attribute)
  return { kind: 'attribute', ...path, subAttribute, filter }
}

function holdsElements({ attribute, subAttribute }: AttributePath): boolean {
  if (subAttribute !== undefined) return false
  return attribute.type === 'any' || (attribute.type === 'complex' && attribute.multiValued)
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
  const subAttribute = behind.startsWith('.') ? resolveSubAttribute(attribute, behind.slice(1)) : undefined
  if (subAttribute === undefined || !hasValidNames({ extension: undefined, attribute, subAttribute })) {
    throw invalidPath(text, `${attribute.name} has no sub-attribute ${quote(behind.replace('.', ''))}`)
  }
  return subAttribute
}

function resolve(name: string, text: string, resourceType: ResourceType): AttributePath {
  const path = resolveAttributePath(name, resourceType)
  if (path === undefined || !hasValidNames(path)) {
    throw invalidPath(text, `${resourceType.name} has no attribute ${quote(name)}`)
  }
  return path
}

/** A 400 `invalidPath` (RFC 7644 §3.12). */
export function invalidPath(path: string, what: string): ScimError {
  return new ScimError(400, 'invalidPath', `Invalid path ${quote(path)}: ${what}.`)
}
