import { resolveSubAttribute } from '../filter/sub-attribute.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject, own } from '../json.ts'
import { coerceAttribute } from '../resource/coerce.ts'
import { invalidValue } from '../resource/invalid-value.ts'
import { withinNames } from '../resource/names.ts'
import type { Attribute } from '../schema/attribute.ts'
import { isUnassigned, unlessEmpty, unwrapped, without, withValue } from './values.ts'

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
  const given = givenObject(attribute, value, name)
  const merged = without(withinNames({ ...before, ...given }), unassignedNames(attribute, value))
  return unlessEmpty('$ref' in given ? merged : withoutStaleReference(before, merged))
}

/**
 * A complex value with one sub-attribute set, or deleted when there is no value.
 *
 * @returns undefined when nothing is left
 */
export function withSubAttribute(before: JsonObject, name: string, value: Json | undefined): JsonObject | undefined {
  const after = withValue(before, name, value)
  return unlessEmpty(name === 'value' ? withoutStaleReference(before, after) : after)
}

function givenObject(attribute: Attribute, value: Json, name: string): JsonObject {
  const given = coerceAttribute(attribute, value, name)
  const one = given === undefined ? {} : unwrapped(given)
  if (!isObject(one)) throw invalidValue(`${name} needs one object as the value of this operation.`)
  return one
}

function unassignedNames(attribute: Attribute, value: Json): string[] {
  const object = unwrapped(value)
  if (!isObject(object)) return []
  const names = Object.keys(object).filter((name) => isUnassigned(object[name]))
  return names.map((name) => resolveSubAttribute(attribute, name)?.name ?? name)
}

/** An address that came with another `value`, such as the former manager's, would now be wrong. */
function withoutStaleReference(before: JsonObject, after: JsonObject): JsonObject {
  const former = own(before, 'value')
  return former === undefined || former === own(after, 'value') ? after : withValue(after, '$ref', undefined)
}
