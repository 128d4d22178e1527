import { invalidValue } from '../errors.ts'
import { equalityConditions } from '../filter/ast.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject, own } from '../json.ts'
import { asObject, isUnassigned, unwrapSingle } from '../resource/attribute-value.ts'
import { coerceAttribute } from '../resource/coerce.ts'
import { requireKeyLimit } from '../resource/limits.ts'
import type { OwnedObjects } from '../resource/owned-objects.ts'
import { pathName, resolveSubAttribute } from '../schema/attribute-path.ts'
import type { Attribute } from '../schema/schema.ts'
import { removeElements, toList } from './multi-valued.ts'
import type { AttributeTarget, PatchOperation } from './operation.ts'

/**
 * Merges `value` into a complex value: named sub-attributes are replaced, those set to null are removed, others are
 * kept (RFC 7644 §3.5.2.3). Applies to a singular attribute and to an element of a multi-valued one.
 *
 * @returns undefined when nothing is left
 */
export function mergeComplex(
  before: JsonObject,
  attribute: Attribute,
  value: Json,
  name: string,
  owned: OwnedObjects,
): JsonObject | undefined {
  const former = own(before, 'value')
  const assigned = coercedObject(attribute, value, name) ?? {}
  let merged = before
  for (const [key, part] of Object.entries(assigned)) merged = owned.withValue(merged, key, part)
  for (const key of unassignedNames(attribute, value)) merged = owned.withValue(merged, key, undefined)
  return owned.undefinedIfEmpty('$ref' in assigned ? merged : withoutStaleReference(former, merged, owned))
}

/**
 * Sets one sub-attribute of a complex value, or removes it when the value is undefined.
 *
 * @returns undefined when nothing is left
 */
export function withSubAttribute(
  before: JsonObject,
  name: string,
  value: Json | undefined,
  owned: OwnedObjects,
): JsonObject | undefined {
  const former = own(before, 'value')
  const after = owned.withValue(before, name, value)
  return owned.undefinedIfEmpty(name === 'value' ? withoutStaleReference(former, after, owned) : after)
}

/**
 * The single object in a value; undefined when it is empty.
 *
 * @throws ScimError 400 `invalidValue`
 */
export function coercedObject(attribute: Attribute, value: Json, name: string): JsonObject | undefined {
  const one = attribute.isStrict ? { ...attribute, multiValued: false } : attribute
  const coerced = coerceAttribute(one, value, name)
  if (coerced === undefined) return undefined
  const object = asPart(attribute, unwrapSingle(coerced))
  if (!isObject(object)) throw invalidValue(`${name} needs a single object as the value of this operation.`)
  return object
}

/** An element of a list without a schema may be simple; it is the `value` of its object. */
function asPart({ type }: Attribute, element: Json): Json {
  return type === 'any' && typeof element !== 'object' ? asObject(element) : element
}

/**
 * Replaces an element (RFC 7644 §3.5.2.3). The new one also gets the values that the filter requires with `eq`, so that
 * the same path finds it again: a value for `emails[type eq "work"]` need not repeat the type.
 *
 * @returns undefined when the value is empty
 */
export function replaceElement(before: JsonObject, path: AttributeTarget, value: Json): JsonObject | undefined {
  const assigned = coercedObject(path.attribute, value, pathName(path))
  if (assigned === undefined) return undefined
  const required = Object.keys((path.filter && equalityConditions(path.filter)) ?? {})
  const kept = Object.entries(before).filter(([name]) => required.includes(name))
  return requireKeyLimit({ ...Object.fromEntries(kept), ...assigned })
}

function unassignedNames(attribute: Attribute, value: Json): string[] {
  const object = unwrapSingle(value)
  if (!isObject(object)) return []
  const names = Object.keys(object).filter((name) => isUnassigned(object[name]))
  return names.map((name) => resolveSubAttribute(attribute, name)?.name ?? name)
}

/** Removes a `$ref` that belonged to a previous `value`, such as the former manager's. */
function withoutStaleReference(former: Json | undefined, after: JsonObject, owned: OwnedObjects): JsonObject {
  return former === undefined || former === own(after, 'value') ? after : owned.withValue(after, '$ref', undefined)
}

/**
 * Applies an operation to one sub-attribute of a complex value.
 *
 * @returns undefined when nothing is left
 */
export function changeSubAttribute(
  before: JsonObject,
  path: AttributeTarget,
  subAttribute: Attribute,
  { op, value }: PatchOperation,
  owned: OwnedObjects,
): JsonObject | undefined {
  const { name, type } = subAttribute
  const key = type === 'any' ? owned.keyOf(before, name) : name
  if (namesOther(subAttribute, own(before, key), { op, value }, pathName(path))) return before
  const after = op === 'remove' ? undefined : coerceAttribute(subAttribute, value, pathName(path))
  return withSubAttribute(before, key, after, owned)
}

/** Returns whether `remove` names another value than the present one, which stays then. RFC 7644 defines no value for it. */
export function namesOther(
  attribute: Attribute,
  present: Json | undefined,
  { op, value }: Pick<PatchOperation, 'op' | 'value'>,
  name: string,
): boolean {
  if (op !== 'remove' || present === undefined || value === undefined || isUnassigned(value)) return false
  const named = toList(coerceAttribute(attribute, value, name))
  return removeElements(attribute, [present], named).length > 0
}
