import type { Json, JsonObject } from '../json.ts'
import { isObject } from '../json.ts'
import {
  canonicalUrn,
  hasValidNames,
  isAttributeName,
  isInUnknownExtension,
  resolveAttributePath,
} from '../schema/attribute-path.ts'
import type { ResourceType } from '../schema/resource-type.ts'
import { unknownAttribute } from '../schema/schema.ts'
import { isExtensionUrn, isUrn } from '../schema/urn.ts'
import type { AssignOperation, AttributeTarget, Op, PatchPath } from './operation.ts'
import { isIgnored, isReadOnly } from './operation.ts'
import { invalidPath, parsePath } from './path.ts'

/** An assignment with a resolved path. */
interface Assignment<Path extends PatchPath> extends AssignOperation {
  readonly path: Path
}

type AssignOp = Exclude<Op, 'remove'>

/**
 * Splits an operation without a path into one per property of its value. Names may be dotted (`name.givenName`),
 * qualified by a URN, value paths, or an extension's URN; unknown names are kept as they are. Whole attributes come
 * before their parts, whatever the order of the properties.
 */
export function expandObject(op: AssignOp, object: JsonObject, resourceType: ResourceType): Assignment<PatchPath>[] {
  return expand(op, entriesOf(object, resourceType), (name, value) => pathOf(name, value, resourceType))
}

/** The same for the value of an operation on a whole extension. */
export function expandExtension(
  op: AssignOp,
  object: JsonObject,
  extension: string,
  resourceType: ResourceType,
): Assignment<AttributeTarget>[] {
  return expand(op, inOrder(object), (name) => listedPath(`${extension}:${name}`, name, extension, resourceType))
}

function expand<Path extends PatchPath>(
  op: AssignOp,
  entries: readonly Entry[],
  pathOfEntry: (name: string, value: Json) => Path,
): Assignment<Path>[] {
  const operations: Assignment<Path>[] = []
  for (const [dotted, input] of entries) {
    const [name, value] = inTwoParts(dotted, input)
    const path = pathOfEntry(name, value)
    if (isKept(name, path)) operations.push({ op, path, value })
  }
  return operations.sort((a, b) => rankOf(a.path) - rankOf(b.path))
}

type Entry = readonly [name: string, value: Json]

/** Properties sorted by name; an object under the core schema's URN is replaced by its properties. */
function entriesOf(object: JsonObject, resourceType: ResourceType): Entry[] {
  const core = resourceType.schema.id.toLowerCase()
  return inOrder(object).flatMap((entry) => {
    const [name, value] = entry
    return name.toLowerCase() === core && isObject(value) ? inOrder(value) : [entry]
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
  if (isUrn(name)) return urnPath(name, value, resourceType)
  const bracket = name.indexOf('[')
  const filtered = bracket > 0 ? resolveAttributePath(name.slice(0, bracket), resourceType) : undefined
  const isValuePath = filtered?.attribute.type === 'any' ? isPath(name, resourceType) : filtered !== undefined
  return isValuePath ? parsePath(name, resourceType) : listedPath(name, name, undefined, resourceType)
}

/** Whether a name that starts like a value path of an unknown attribute is one; otherwise it is kept as it is. */
function isPath(name: string, resourceType: ResourceType): boolean {
  try {
    parsePath(name, resourceType)
    return true
  } catch {
    return false
  }
}

/** An object under a URN is an extension, unless a known schema has an attribute of that name. */
function urnPath(name: string, value: Json, resourceType: ResourceType): PatchPath {
  const path = parsePath(name, resourceType)
  const isName = path.kind === 'attribute' && path.filter === undefined && path.subAttribute === undefined
  if (!isName || !isInUnknownExtension(path, resourceType) || !isObject(value)) return path
  if (!isExtensionUrn(name)) throw invalidPath(name, 'it is not a valid URN')
  return { kind: 'extension', extension: canonicalUrn(name, resourceType) }
}

function listedPath(
  qualified: string,
  name: string,
  extension: string | undefined,
  resourceType: ResourceType,
): AttributeTarget {
  const path = isPlain(name) ? resolveAttributePath(qualified, resourceType) : undefined
  if (path !== undefined && hasValidNames(path)) return { kind: 'attribute', ...path, filter: undefined }
  return unlistedPath(name, extension, resourceType)
}

/** Whether a name contains no URN, which would lead to another extension. */
function isPlain(name: string): boolean {
  return !name.includes(':')
}

/**
 * The path of a name that does not resolve: an unknown part of a known attribute as `name.nickName`, or no name at all.
 */
function unlistedPath(name: string, extension: string | undefined, resourceType: ResourceType): AttributeTarget {
  const [head = '', part = '', ...tooDeep] = name.split('.')
  if (tooDeep.length > 0 || !isAttributeName(head) || !isAttributeName(part)) {
    const attribute = unknownAttribute(name)
    return { kind: 'attribute', extension, attribute, subAttribute: undefined, filter: undefined }
  }
  const owner = resolveAttributePath(extension === undefined ? head : `${extension}:${head}`, resourceType)
  if (owner?.attribute.type !== 'complex') throw invalidPath(name, `${head} has no sub-attributes`)
  return { kind: 'attribute', ...owner, subAttribute: unknownAttribute(part), filter: undefined }
}
