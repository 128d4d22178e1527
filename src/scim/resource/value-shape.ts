import { invalidValue } from '../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import { findJsonProblem, isObject } from '../json.ts'
import { maxValueDepth } from '../limits.ts'
import type { ResourceType } from '../schema/resource-type.ts'
import type { Attribute } from '../schema/schema.ts'
import { complex } from '../schema/schema.ts'
import { isUnassigned, unwrapSingle } from './attribute-value.ts'
import { isDeeperThan } from './limits.ts'

/**
 * Reads a value in one of the shapes in which identity providers and their libraries send it. Every value of a request
 * passes through here, in a body as in a PATCH, before its type is checked. A value that was read is not changed again.
 * In the strict profile, every value stays as it is.
 *
 * - A list written as JSON text is that list, for a multi-valued or complex attribute.
 * - `{"value": X}` and `[{"$ref": null, "value": X}]` are X for a singular attribute. An attribute without a schema may
 *   be multi-valued or complex: the list is only unwrapped if `$ref` is null, the object only if X is not an object.
 */
export function readShape(attribute: Attribute, value: Json): Json {
  if (attribute.isStrict) return value
  if (attribute.type === 'any') return withUnwrappedParts(unwrapUnknown(value))
  if (attribute.multiValued) return readList(value)
  const isComplex = attribute.type === 'complex'
  const one = unwrapSingle(value)
  if (Array.isArray(one)) return value
  const read = isComplex ? readJsonText(one) : one
  const inner = read === one ? wrappedValue(one) : read
  if (inner === undefined || (isComplex && !isObject(unwrapSingle(inner)))) return one
  return readShape(attribute, inner)
}

const attributes = complex('attributes', 'The attributes of a resource or an extension.', [])

/** The same for an object of attributes: an extension, or the value of a PATCH operation without a path. */
export function readObjectShape(value: Json, { profile }: Pick<ResourceType, 'profile'>): Json {
  return profile === 'strict' ? value : readShape(attributes, value)
}

function readList(value: Json): Json {
  const one = unwrapSingle(value)
  const read = readJsonText(one)
  return read === one ? value : readList(read)
}

/**
 * The list or object that a text contains as JSON; any other value unchanged.
 *
 * @throws ScimError 400 `invalidValue` when it contains what the body of a request may not contain
 */
export function readJsonText(value: Json): Json {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  let parsed: Json
  try {
    parsed = JSON.parse(value)
  } catch {
    return value
  }
  if (isDeeperThan(maxValueDepth, parsed))
    throw invalidValue(`A value must not be nested deeper than ${maxValueDepth} levels.`)
  if (findJsonProblem(parsed) !== undefined)
    throw invalidValue(
      'JSON in a text must be valid Unicode, with numbers that can be kept exactly, and without "__proto__".',
    )
  return parsed
}

function unwrapUnknown(value: Json): Json {
  const one = Array.isArray(value) && hasNullReference(unwrapSingle(value)) ? unwrapSingle(value) : value
  const inner = wrappedValue(one)
  if (inner === undefined) return value
  return typeof inner !== 'object' || inner === null || hasNullReference(one) ? unwrapUnknown(inner) : value
}

/** The same for the sub-attributes of an attribute without a schema. The value is not modified. */
function withUnwrappedParts(value: Json): Json {
  if (Array.isArray(value))
    return value.some(isObject) ? value.map((one) => (isObject(one) ? unwrapParts(one) : one)) : value
  return isObject(value) ? unwrapParts(value) : value
}

function unwrapParts(object: JsonObject): JsonObject {
  const isPlain = Object.values(object).every((part) => unwrapUnknown(part) === part)
  return isPlain
    ? object
    : Object.fromEntries(Object.entries(object).map(([name, part]) => [name, unwrapUnknown(part)]))
}

/** `value` of an object in which nothing else is assigned; undefined for anything else, and if it is nested too deeply. */
function wrappedValue(value: Json): Json | undefined {
  if (!isObject(value)) return undefined
  let found: string | undefined
  for (const name of Object.keys(value)) {
    const isValue = name.length === 'value'.length && name.toLowerCase() === 'value'
    if (!isValue && isUnassigned(value[name])) continue
    if (!isValue || found !== undefined) return undefined
    found = name
  }
  return found === undefined || isDeeperThan(maxValueDepth, value) ? undefined : value[found]
}

function hasNullReference(value: Json): boolean {
  return isObject(value) && Object.hasOwn(value, '$ref') && value['$ref'] === null
}
