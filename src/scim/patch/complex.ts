import { invalidValue } from '../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject, own } from '../json.ts'
import { existingKey, isUnassigned } from '../resource/attribute-value.ts'
import { coerceAttribute } from '../resource/coerce.ts'
import { requireKeyLimit } from '../resource/limits.ts'
import { pathName, resolveSubAttribute } from '../schema/attribute-path.ts'
import type { Attribute } from '../schema/schema.ts'
import type { AttributeTarget, PatchOperation } from './operation.ts'

/**
 * A complex value with the sub-attributes that `value` names exchanged, those that it names null deleted, and the
 * others kept (RFC 7644 §3.5.2.3). It may be a singular attribute or one value of a multi-valued one.
 *
 * @returns undefined when nothing is left
 */
export function mergeComplex(
  before: JsonObject,
  attribute: Attribute,
  value: Json,
  name: string,
): JsonObject | undefined {
  const given = coercedObject(attribute, value, name)
  const merged = withoutNames(requireKeyLimit({ ...before, ...given }), unassignedNames(attribute, value))
  return undefinedIfEmpty('$ref' in given ? merged : withoutStaleReference(before, merged))
}

/**
 * A complex value with one sub-attribute set, or deleted when there is no value.
 *
 * @returns undefined when nothing is left
 */
export function withSubAttribute(before: JsonObject, name: string, value: Json | undefined): JsonObject | undefined {
  const after = withValue(before, name, value)
  return undefinedIfEmpty(name === 'value' ? withoutStaleReference(before, after) : after)
}

function coercedObject(attribute: Attribute, value: Json, name: string): JsonObject {
  const given = coerceAttribute(attribute, value, name)
  const one = given === undefined ? {} : unwrapSingle(given)
  if (!isObject(one)) throw invalidValue(`${name} needs one object as the value of this operation.`)
  return one
}

function unassignedNames(attribute: Attribute, value: Json): string[] {
  const object = unwrapSingle(value)
  if (!isObject(object)) return []
  const names = Object.keys(object).filter((name) => isUnassigned(object[name]))
  return names.map((name) => resolveSubAttribute(attribute, name)?.name ?? name)
}

/** An address that came with another `value`, such as the former manager's, would now be wrong. */
function withoutStaleReference(before: JsonObject, after: JsonObject): JsonObject {
  const former = own(before, 'value')
  return former === undefined || former === own(after, 'value') ? after : withValue(after, '$ref', undefined)
}

/**
 * A complex value after an operation on one of its sub-attributes.
 *
 * @returns undefined when nothing is left of it
 */
export function changeSubAttribute(
  before: JsonObject,
  path: AttributeTarget,
  subAttribute: Attribute,
  { op, value }: PatchOperation,
): JsonObject | undefined {
  const { name, type } = subAttribute
  const after = op === 'remove' ? undefined : coerceAttribute(subAttribute, value, pathName(path))
  return withSubAttribute(before, type === 'any' ? existingKey(before, name) : name, after)
}

/**
 * An object with one name set, or deleted when there is no value; the object itself stays as it is.
 *
 * @throws ScimError 400 `invalidValue` when the name is new and there are too many then
 */
export function withValue(object: JsonObject, name: string, value: Json | undefined): JsonObject {
  if (value === undefined) return Object.hasOwn(object, name) ? withoutNames(object, [name]) : object
  const changed = { ...object, [name]: value }
  return Object.hasOwn(object, name) ? changed : requireKeyLimit(changed)
}

/** An object without some of its names. */
export function withoutNames(object: JsonObject, names: readonly string[]): JsonObject {
  if (names.length === 0) return object
  const dropped = new Set(names)
  const left: JsonObject = {}
  for (const [name, value] of Object.entries(object)) if (!dropped.has(name)) left[name] = value
  return left
}

/** The object, or undefined when nothing is left in it. */
export function undefinedIfEmpty(object: JsonObject): JsonObject | undefined {
  return Object.keys(object).length === 0 ? undefined : object
}

/** A list of one is the same as its element where there can be but one. */
export function unwrapSingle(value: Json): Json {
  return Array.isArray(value) && value.length === 1 ? (value[0] ?? null) : value
}
