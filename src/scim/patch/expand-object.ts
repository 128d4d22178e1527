import { ScimError, undefinedName } from '../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject } from '../json.ts'
import { coerceAttribute } from '../resource/coerce.ts'
import { readObjectShape } from '../resource/value-shape.ts'
import { coreAttribute, resolveAttributePath } from '../schema/attribute-path.ts'
import { extensionAttributes, isAttributeName } from '../schema/qualified-name.ts'
import type { ResourceType } from '../schema/resource-type.ts'
import type { Attribute } from '../schema/schema.ts'
import { unknownAttribute } from '../schema/schema.ts'
import { isUrn } from '../schema/urn.ts'
import type { AttributeTarget, PatchPath } from './operation.ts'
import { isIgnored, isReadOnly, shapedFor } from './operation.ts'
import { invalidPath, namedTarget, parsePath } from './path.ts'

/** A property of a value: the attribute that it sets, and its value. */
export interface Part<Path extends PatchPath> {
  readonly path: Path
  readonly value: Json
}

/**
 * Splits the value of an operation without a path into its properties. Names may be dotted (`name.givenName`),
 * qualified by a URN, value paths, or an extension's URN; unknown names are kept as they are. Whole attributes come
 * before their parts, whatever the order of the properties. In the strict profile, only simple attributes have names here.
 */
export function expandObject(object: JsonObject, resourceType: ResourceType): Part<PatchPath>[] {
  if (resourceType.profile === 'strict') return simpleParts(object, resourceType)
  const entries = entriesOf(object, resourceType)
  return expand(entries, (name, value) => pathOf(name, value, resourceType), resourceType)
}

/** The same for the value of an operation on a whole extension. */
export function expandExtension(
  object: JsonObject,
  extension: string,
  resourceType: ResourceType,
): Part<AttributeTarget>[] {
  if (resourceType.profile === 'strict') {
    return definedParts(object, extension, (name) => {
      return extensionAttributes(extension, resourceType)?.get(name.toLowerCase())
    }).map(({ attribute, value }) => ({ path: wholePath(attribute, extension), value }))
  }
  return expand(inOrder(object), (name) => listedPath(name, extension, resourceType), resourceType)
}

/** @throws ScimError 400 `invalidSyntax` for what a strict directory only changes with a path, or does not know */
function simpleParts(object: JsonObject, resourceType: ResourceType): Part<AttributeTarget>[] {
  const parts = definedParts(object, resourceType.name, (name) => coreAttribute(name, resourceType))
  return parts.flatMap(({ attribute, value }) => {
    const { name, type, multiValued } = attribute
    if (type === 'complex' || multiValued)
      throw new ScimError(400, 'invalidSyntax', `To change ${name}, the operation needs a path.`)
    const path = wholePath(attribute, undefined)
    return isReadOnly(path) ? [] : [{ path, value }]
  })
}

/** The properties of an object in the strict profile: each is the name of an attribute, and its value is one of it. */
function definedParts(object: JsonObject, owner: string, find: (name: string) => Attribute | undefined) {
  return inOrder(object).map(([name, value]) => {
    const attribute = find(name)
    if (attribute === undefined) throw undefinedName(owner, name)
    coerceAttribute(attribute, value)
    return { attribute, value }
  })
}

function wholePath(attribute: Attribute, extension: string | undefined): AttributeTarget {
  return { kind: 'attribute', extension, attribute, subAttribute: undefined, filter: undefined }
}

function expand<Path extends PatchPath>(
  entries: readonly Entry[],
  pathOfEntry: (name: string, value: Json) => Path,
  resourceType: ResourceType,
): Part<Path>[] {
  const parts: Part<Path>[] = []
  for (const [dotted, input] of entries) {
    const [name, value] = inTwoParts(dotted, input)
    const path = pathOfEntry(name, value)
    if (isKept(name, path)) parts.push({ path, value: shapedFor(path, value, resourceType) })
  }
  return parts.sort((a, b) => rankOf(a.path) - rankOf(b.path))
}

type Entry = readonly [name: string, value: Json]

/** Properties sorted by name; an object under the core schema's URN is replaced by its properties. */
function entriesOf(object: JsonObject, resourceType: ResourceType): Entry[] {
  const core = resourceType.schema.id.toLowerCase()
  return inOrder(object).flatMap((entry) => {
    const [name, value] = entry
    const object = name.toLowerCase() === core ? readObjectShape(value, resourceType) : undefined
    return isObject(object) ? inOrder(object) : [entry]
  })
}

function inOrder(object: JsonObject): Entry[] {
  const folded = Object.entries(object).map((entry) => ({ entry, name: entry[0].toLowerCase() }))
  folded.sort((a, b) => compare(a.name, b.name) || compare(a.entry[0], b.entry[0]))
  return folded.map(({ entry }) => entry)
}

/** Splits a name of three or more parts, as in the body of a POST: `a.b.c` sets `c` in `a.b`. */
function inTwoParts(dotted: string, input: Json): Entry {
  const names = dotted.split('.')
  if (names.length < 3 || !names.every(isAttributeName)) return [dotted, input]
  const value = names.slice(2).reduceRight<Json>((inner, name) => ({ [name]: inner }), input)
  return [names.slice(0, 2).join('.'), value]
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Orders a `$ref` last: setting the `value` beside it removes the previous `$ref`. */
function rankOf(path: PatchPath): number {
  if (path.kind === 'extension') return 0
  if (path.subAttribute?.name === '$ref') return 3
  return path.subAttribute === undefined && path.filter === undefined ? 1 : 2
}

/** Rejects `__proto__`, which would set the object's prototype. */
function isKept(name: string, path: PatchPath): boolean {
  return name !== '__proto__' && (path.kind === 'extension' || !(isIgnored(path) || isReadOnly(path)))
}

function pathOf(name: string, value: Json, resourceType: ResourceType): PatchPath {
  if (isUrn(name)) return parsePath(name, resourceType, value)
  const bracket = name.indexOf('[')
  const filtered = bracket > 0 ? resolveAttributePath(name.slice(0, bracket), resourceType) : undefined
  const isValuePath = filtered?.attribute.type === 'any' ? isPath(name, resourceType) : filtered !== undefined
  return isValuePath ? parsePath(name, resourceType) : listedPath(name, undefined, resourceType)
}

/** Returns whether a name that starts like a value path of an unknown attribute is one; otherwise it is kept as it is. */
function isPath(name: string, resourceType: ResourceType): boolean {
  try {
    parsePath(name, resourceType)
    return true
  } catch {
    return false
  }
}

/** The path of a name without a URN; one that cannot be the name of an attribute is kept as it is. */
function listedPath(name: string, extension: string | undefined, resourceType: ResourceType): AttributeTarget {
  const target = name.includes(':') ? undefined : namedTarget(name, extension, resourceType)
  if (target !== undefined) return target
  const names = name.split('.')
  if (names.length === 2 && names.every(isAttributeName)) throw invalidPath(name, `${names[0]} has no sub-attributes`)
  return wholePath(unknownAttribute(name), extension)
}
