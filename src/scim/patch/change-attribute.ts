import { nameOf } from '../filter/compared-attribute.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject } from '../json.ts'
import { coerceAttribute } from '../resource/coerce.ts'
import { changeElements } from './change-elements.ts'
import { changeSubAttribute } from './change-sub-attribute.ts'
import { mergeComplex } from './complex.ts'
import { addElements, removeElements, withOnePrimary } from './multi-valued.ts'
import type { AssignOperation, PatchOperation, RemoveOperation } from './operation.ts'
import type { AttributeTarget } from './path.ts'
import { isUnassigned, listOf, unlessNone, unwrapped } from './values.ts'

/**
 * The value of an attribute after an operation (RFC 7644 §3.5.2.1 to §3.5.2.3).
 *
 * @param before its value so far; undefined when it is unassigned
 * @returns undefined when it is unassigned then
 */
export function changeAttribute(
  before: Json | undefined,
  path: AttributeTarget,
  operation: PatchOperation,
): Json | undefined {
  const { attribute, subAttribute, filter } = path
  const isElementwise = subAttribute !== undefined && (attribute.multiValued || Array.isArray(before))
  if (filter !== undefined || isElementwise) return changeElements(before, path, operation)
  if (subAttribute !== undefined) return changeSubAttribute(objectOf(before), path, subAttribute, operation)
  return operation.op === 'remove' ? removeValues(before, path, operation) : assign(before, path, operation)
}

function assign(before: Json | undefined, path: AttributeTarget, { op, value }: AssignOperation): Json | undefined {
  const { attribute } = path
  if (attribute.multiValued || (op === 'add' && Array.isArray(before))) return assignList(before, path, { op, value })
  if (isUnassigned(attribute.type === 'any' ? value : unwrapped(value))) return undefined
  const isMerged = attribute.type === 'complex' || (attribute.type === 'any' && isObject(value))
  if (isMerged) return mergeComplex(objectOf(before), attribute, value, nameOf(path))
  return coerceAttribute(attribute, value, nameOf(path))
}

function assignList(before: Json | undefined, path: AttributeTarget, { op, value }: Omit<AssignOperation, 'path'>) {
  const given = listOf(coerceAttribute(path.attribute, value, nameOf(path)))
  if (op === 'replace') return unlessNone(withOnePrimary([], given))
  return unlessNone(addElements(path.attribute, listOf(before), given))
}

/** RFC 7644 gives remove no value; Entra ID and JumpCloud list with it what shall go. */
function removeValues(before: Json | undefined, path: AttributeTarget, { value }: Omit<RemoveOperation, 'path'>) {
  if (value === undefined || value === null || !Array.isArray(before)) return undefined
  const listed = listOf(coerceAttribute(path.attribute, value, nameOf(path)))
  return unlessNone(removeElements(path.attribute, before, listed))
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}
