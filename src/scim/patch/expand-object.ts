import { isAttributeName, isWellNamed } from '../filter/attribute-name.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject } from '../json.ts'
import type { Attribute } from '../schema/attribute.ts'
import { unknownAttribute } from '../schema/attribute.ts'
import {
  canonicalUrn,
  coreAttribute,
  extensionAttributes,
  isUrn,
  resolveAttributePath,
} from '../schema/attribute-path.ts'
import type { ResourceType } from '../schema/resource-type.ts'
import type { AssignOperation, Op } from './operation.ts'
import type { AttributeTarget, PatchPath } from './path.ts'
import { invalidPath, parsePath } from './path.ts'
import { isIgnored, isReadOnly } from './writable.ts'

/**
 * One operation per name in the value of an operation without a path, or of one on a whole extension. Names may be
 * dotted (`name.givenName`), URN-qualified, value paths, or the URN of an extension; those that the schema does not
 * know stand for themselves. Wholes come before their parts, whatever the order of the names.
 *
 * @param extension the URN of the extension whose attributes are named; undefined for the resource itself
 */
export function expandObject(
  op: Exclude<Op, 'remove'>,
  object: JsonObject,
  extension: string | undefined,
  resourceType: ResourceType,
): AssignOperation[] {
  const operations: AssignOperation[] = []
  for (const [name, value] of entriesOf(object, resourceType)) {
    const path = pathOf(name, value, extension, resourceType)
    if (isKept(name, path)) operations.push({ op, path, value })
  }
  return operations.sort((a, b) => rankOf(a.path) - rankOf(b.path))
}

/** The entries in the order of their names; an object under the core URN stands for its own entries. */
function entriesOf(object: JsonObject, resourceType: ResourceType): [string, Json][] {
  const core = resourceType.schema.id.toLowerCase()
  const entries = Object.entries(object).sort(([a], [b]) => compareNames(a, b))
  return entries.flatMap(([name, value]): [string, Json][] => {
    const isCore = name.toLowerCase() === core && isObject(value)
    return isCore ? Object.entries(value).sort(([a], [b]) => compareNames(a, b)) : [[name, value]]
  })
}

function compareNames(a: string, b: string): number {
  return compare(a.toLowerCase(), b.toLowerCase()) || compare(a, b)
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function rankOf(path: PatchPath): number {
  if (path.kind === 'extension') return 0
  return path.subAttribute === undefined && path.filter === undefined ? 1 : 2
}

/** `__proto__` is the one name that would set an object's prototype. */
function isKept(name: string, path: PatchPath): boolean {
  return name !== '__proto__' && (path.kind === 'extension' || !(isIgnored(path) || isReadOnly(path)))
}

function pathOf(name: string, value: Json, extension: string | undefined, resourceType: ResourceType): PatchPath {
  if (extension !== undefined) return listedPath(`${extension}:${name}`, name, extension, resourceType)
  if (isUrn(name)) return urnPath(name, value, resourceType)
  const bracket = name.indexOf('[')
  const opensFilter = bracket > 0 && resolveAttributePath(name.slice(0, bracket), resourceType) !== undefined
  return opensFilter ? parsePath(name, resourceType) : listedPath(name, name, undefined, resourceType)
}

/** An object under a URN is that of an extension, unless a known schema has an attribute of that name. */
function urnPath(name: string, value: Json, resourceType: ResourceType): PatchPath {
  const path = parsePath(name, resourceType)
  const isUnknown = path.kind === 'attribute' && path.attribute.type === 'any' && path.filter === undefined
  if (!isUnknown || path.subAttribute !== undefined || !isObject(value)) return path
  return { kind: 'extension', extension: canonicalUrn(name, resourceType) }
}

function listedPath(
  qualified: string,
  name: string,
  extension: string | undefined,
  resourceType: ResourceType,
): AttributeTarget {
  const path = isPlain(name) ? resolveAttributePath(qualified, resourceType) : undefined
  if (path !== undefined && isWellNamed(path)) return { kind: 'attribute', ...path, filter: undefined }
  return unlistedPath(name, extension, resourceType)
}

/** A URN within a name would lead to another extension. */
function isPlain(name: string): boolean {
  return !name.includes(':')
}

/** `name.nickName` is an unlisted part of a listed attribute, `badge.color` one of an unlisted attribute. */
function unlistedPath(name: string, extension: string | undefined, resourceType: ResourceType): AttributeTarget {
  const [head = '', part, ...tooDeep] = name.split('.')
  if (part === undefined || tooDeep.length > 0 || !isAttributeName(head) || !isAttributeName(part)) {
    return {
      kind: 'attribute',
      extension,
      attribute: unknownAttribute(name),
      subAttribute: undefined,
      filter: undefined,
    }
  }
  const attribute = attributeNamed(head, extension, resourceType) ?? unknownAttribute(head)
  if (attribute.type !== 'complex' && attribute.type !== 'any') {
    throw invalidPath(name, `${attribute.name} has no sub-attributes`)
  }
  return { kind: 'attribute', extension, attribute, subAttribute: unknownAttribute(part), filter: undefined }
}

function attributeNamed(
  name: string,
  extension: string | undefined,
  resourceType: ResourceType,
): Attribute | undefined {
  if (extension === undefined) return coreAttribute(name, resourceType)
  return extensionAttributes(extension, resourceType)?.get(name.toLowerCase())
}
