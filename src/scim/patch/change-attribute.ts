import { ScimError } from '../errors.ts'
import { equalityConditions } from '../filter/ast.ts'
import type { Predicate } from '../filter/evaluate.ts'
import { createPredicate } from '../filter/evaluate.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject } from '../json.ts'
import { isUnassigned } from '../resource/attribute-value.ts'
import { coerceAttribute } from '../resource/coerce.ts'
import { withoutDuplicates } from '../resource/duplicates.ts'
import { pathName } from '../schema/attribute-path.ts'
import { changeSubAttribute, mergeComplex, unwrapSingle } from './complex.ts'
import { addElements, removeElements, toList, undefinedIfNone, withOnePrimary } from './multi-valued.ts'
import type { AssignOperation, AttributeTarget, PatchOperation, RemoveOperation } from './operation.ts'

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
  if (isUnassigned(attribute.type === 'any' ? value : unwrapSingle(value))) return undefined
  const isMerged = attribute.type === 'complex' || (attribute.type === 'any' && isObject(value))
  if (isMerged) return mergeComplex(objectOf(before), attribute, value, pathName(path))
  return coerceAttribute(attribute, value, pathName(path))
}

function assignList(before: Json | undefined, path: AttributeTarget, { op, value }: Omit<AssignOperation, 'path'>) {
  const given = toList(coerceAttribute(path.attribute, value, pathName(path)))
  if (op === 'replace') return undefinedIfNone(withOnePrimary([], given))
  return undefinedIfNone(addElements(path.attribute, toList(before), given))
}

/** RFC 7644 gives remove no value; Entra ID and JumpCloud list with it what shall go. */
function removeValues(before: Json | undefined, path: AttributeTarget, { value }: Omit<RemoveOperation, 'path'>) {
  if (value === undefined || value === null || !Array.isArray(before)) return undefined
  const listed = toList(coerceAttribute(path.attribute, value, pathName(path)))
  return undefinedIfNone(removeElements(path.attribute, before, listed))
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

/** What says which value is meant rather than being one. */
const labels: ReadonlySet<string> = new Set(['type', 'primary', 'display'])

/**
 * A list after an operation on those of its values that the path picks: all of them when it has no filter. When there
 * are none, `add` and `replace` create one (see `createElement`) and `remove` is content.
 *
 * @returns undefined when no value is left
 * @throws ScimError `noTarget`
 */
export function changeElements(before: Json | undefined, path: AttributeTarget, operation: PatchOperation) {
  const elements = toList(before)
  const matchesFilter: Predicate = path.filter === undefined ? () => true : createPredicate(path.filter)
  const isSelected = (element: Json): element is JsonObject => isObject(element) && matchesFilter(element)
  if (!elements.some(isSelected)) return inShapeOf(before, withCreated(elements, path, operation, matchesFilter))
  const changed = elements.flatMap((element): Json[] => {
    if (!isSelected(element)) return [element]
    const after = changeElement(element, path, operation)
    return after === undefined ? [] : [after]
  })
  return inShapeOf(before, withoutNewDuplicates(path, withOnePrimary(elements, changed)))
}

/** One value that was not in a list, which only an attribute of an unknown schema can hold, stays outside of one. */
function inShapeOf(before: Json | undefined, elements: Json[]): Json | undefined {
  const isSingle = isObject(before) && elements.length === 1
  return isSingle ? elements[0] : undefinedIfNone(elements)
}

/** Values that have become the same are one (RFC 7643 §2.4). */
function withoutNewDuplicates({ attribute, subAttribute }: AttributeTarget, elements: Json[]): Json[] {
  const mayRepeat = subAttribute === undefined || subAttribute.name === 'value' || subAttribute.name === 'type'
  return attribute.multiValued && mayRepeat ? withoutDuplicates(attribute, elements) : elements
}

/** A value that the filter would not pick is not what the path asks for: `emails[type eq "work"].type` as "home". */
function withCreated(elements: Json[], path: AttributeTarget, operation: PatchOperation, isPicked: Predicate): Json[] {
  if (operation.op === 'remove' || isUnassigned(operation.value)) return elements
  const created = changeElement(createElement(path), path, operation)
  if (created === undefined) return elements
  if (!isPicked(created)) throw noTarget(path)
  return addElements(path.attribute, elements, [created])
}

/** One value after the operation; undefined when it goes. */
function changeElement(element: JsonObject, path: AttributeTarget, operation: PatchOperation): JsonObject | undefined {
  const { attribute, subAttribute } = path
  const unassigns = operation.op === 'remove' || isUnassigned(operation.value)
  if (subAttribute !== undefined) {
    const after = changeSubAttribute(element, path, subAttribute, operation)
    return unassigns && attribute.type === 'complex' && after !== element ? undefinedIfOnlyLabels(after) : after
  }
  if (unassigns) return operation.op === 'add' ? element : undefined
  return mergeComplex(element, attribute, operation.value, pathName(path))
}

/** A value of which only labels are left, such as an e-mail address without the address, is none. */
function undefinedIfOnlyLabels(element: JsonObject | undefined): JsonObject | undefined {
  return element === undefined || Object.keys(element).every((name) => labels.has(name)) ? undefined : element
}

/**
 * The value that a path asks for when it picks none: Entra ID sends `phoneNumbers[type eq "mobile"].value` for a number
 * that is new. It holds what the filter says with `eq` and `and`.
 *
 * @throws ScimError `noTarget` when the filter says anything else (RFC 7644 §3.5.2.3)
 */
export function createElement(path: AttributeTarget): JsonObject {
  const conditions = path.filter === undefined ? {} : equalityConditions(path.filter)
  if (conditions !== undefined) return conditions
  throw noTarget(path)
}

/** The refusal of a path that picks no value and says none to create (RFC 7644 §3.12). */
export function noTarget(path: AttributeTarget): ScimError {
  const name = pathName({ ...path, subAttribute: undefined })
  return new ScimError(400, 'noTarget', `No value of ${name} matches the filter of the path.`)
}
