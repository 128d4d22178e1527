import { ScimError } from '../errors.ts'
import { equalityConditions } from '../filter/ast.ts'
import type { Predicate } from '../filter/evaluate.ts'
import { createPredicate } from '../filter/evaluate.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject } from '../json.ts'
import { asObject, isUnassigned } from '../resource/attribute-value.ts'
import { coerceAttribute } from '../resource/coerce.ts'
import { withoutDuplicates } from '../resource/duplicates.ts'
import type { OwnedObjects } from '../resource/owned-objects.ts'
import { createOwnedObjects } from '../resource/owned-objects.ts'
import { pathName } from '../schema/attribute-path.ts'
import { changeSubAttribute, mergeComplex, namesOther, replaceElement } from './complex.ts'
import { addElements, removeElements, toList, undefinedIfNone, withOnePrimary } from './multi-valued.ts'
import type { AssignOperation, AttributeTarget, PatchOperation, RemoveOperation } from './operation.ts'

/**
 * The value of an attribute after an operation (RFC 7644 §3.5.2.1 to §3.5.2.3).
 *
 * @param before undefined when it is unassigned; modified if it is owned
 * @returns undefined when it is unassigned afterwards
 */
export function changeAttribute(
  before: Json | undefined,
  path: AttributeTarget,
  operation: PatchOperation,
  owned: OwnedObjects,
): Json | undefined {
  const { attribute, subAttribute, filter } = path
  const isElementwise = subAttribute !== undefined && (attribute.multiValued || Array.isArray(before))
  if (filter !== undefined || isElementwise) return changeElements(before, path, operation)
  if (subAttribute !== undefined) {
    const object = before === undefined ? {} : asObject(before)
    return changeSubAttribute(object, path, subAttribute, operation, owned)
  }
  return operation.op === 'remove' ? removeValues(before, path, operation) : assign(before, path, operation, owned)
}

function assign(
  before: Json | undefined,
  path: AttributeTarget,
  { op, value }: AssignOperation,
  owned: OwnedObjects,
): Json | undefined {
  const { attribute } = path
  if (attribute.multiValued || (op === 'add' && Array.isArray(before))) return assignList(before, path, { op, value })
  if (isUnassigned(value)) return undefined
  const isMerged = attribute.type === 'complex' || (attribute.type === 'any' && isObject(value))
  if (isMerged) return mergeComplex(objectOf(before), attribute, value, pathName(path), owned)
  return coerceAttribute(attribute, value, pathName(path))
}

function assignList(before: Json | undefined, path: AttributeTarget, { op, value }: Omit<AssignOperation, 'path'>) {
  const elements = toList(coerceAttribute(path.attribute, value, pathName(path)))
  if (op === 'replace') return undefinedIfNone(withOnePrimary([], elements))
  return undefinedIfNone(addElements(path.attribute, toList(before), elements))
}

/** Removes the values that `remove` names, for which RFC 7644 defines no value: another value stays. */
function removeValues(before: Json | undefined, path: AttributeTarget, { value }: Omit<RemoveOperation, 'path'>) {
  if (before === undefined || namesNoValue(value, before)) return undefined
  const listed = toList(coerceAttribute(path.attribute, value, pathName(path)))
  return inShapeOf(before, removeElements(path.attribute, toList(before), listed))
}

/** Returns whether `remove` means the whole value. An empty list names no element of a list. */
function namesNoValue(value: Json | undefined, before: Json): value is undefined {
  return value === undefined || value === null || (!Array.isArray(before) && isUnassigned(value))
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

/** Sub-attributes that describe an element but are not its value. */
const labels: ReadonlySet<string> = new Set(['type', 'primary', 'display'])

/**
 * Applies an operation to the elements that match the path's filter, or to all without one. When none match, `add` and
 * `replace` create one if the filter allows it (see `createElement`), and `remove` does nothing.
 *
 * @returns undefined when no element is left
 * @throws ScimError `noTarget`
 */
export function changeElements(before: Json | undefined, path: AttributeTarget, operation: PatchOperation) {
  const elements = toList(before)
  const matchesFilter: Predicate = path.filter === undefined ? () => true : createPredicate(path.filter)
  const isSelected = (element: Json) => matchesFilter(asObject(element))
  if (!elements.some(isSelected)) return inShapeOf(before, withCreated(elements, path, operation, matchesFilter))
  const changed = elements.flatMap((element): Json[] => {
    if (!isSelected(element)) return [element]
    const after = changeElement(element, path, operation)
    return after === undefined ? [] : [after]
  })
  return inShapeOf(before, withoutNewDuplicates(path, withOnePrimary(elements, changed)))
}

/** Keeps a single value a single value: an attribute may be singular, or of an unknown schema. */
function inShapeOf(before: Json | undefined, elements: Json[]): Json | undefined {
  const isSingle = before !== undefined && !Array.isArray(before) && elements.length === 1
  return isSingle ? elements[0] : undefinedIfNone(elements)
}

/** Merges elements that have become equal (RFC 7643 §2.4). */
function withoutNewDuplicates({ attribute, subAttribute }: AttributeTarget, elements: Json[]): Json[] {
  const mayRepeat = subAttribute === undefined || subAttribute.name === 'value' || subAttribute.name === 'type'
  return attribute.multiValued && mayRepeat ? withoutDuplicates(attribute, elements) : elements
}

/** Adds a new element, which must match the filter: `emails[type eq "work"].type` set to "home" does not. */
function withCreated(elements: Json[], path: AttributeTarget, operation: PatchOperation, isPicked: Predicate): Json[] {
  if (operation.op === 'remove') return elements
  if (path.attribute.isStrict && operation.op === 'replace') throw noTarget(path)
  const template = createElement(path)
  if (isUnassigned(operation.value)) return elements
  const created = changeObject(template, path, operation)
  if (created === undefined) return elements
  if (!isPicked(created)) throw noTarget(path)
  return addElements(path.attribute, elements, [created])
}

/** A copy of an element after the operation; undefined when it is removed. */
function changeElement(element: Json, path: AttributeTarget, operation: PatchOperation): Json | undefined {
  if (isObject(element)) return changeObject(element, path, operation)
  const after = changeObject(asObject(element), path, operation)
  // A simple element stays one if it has no other parts.
  return after === undefined || Object.keys(after).some((name) => name !== 'value') ? after : after['value']
}

function changeObject(element: JsonObject, path: AttributeTarget, operation: PatchOperation): JsonObject | undefined {
  const { attribute, subAttribute } = path
  const owned = createOwnedObjects()
  const unassigns = operation.op === 'remove' || isUnassigned(operation.value)
  if (subAttribute !== undefined) {
    const after = changeSubAttribute(element, path, subAttribute, operation, owned)
    return unassigns && attribute.type === 'complex' && after !== element ? undefinedIfOnlyLabels(after) : after
  }
  if (namesOther(attribute, element, operation, pathName(path))) return element
  if (unassigns) return operation.op === 'add' ? element : undefined
  if (operation.op === 'replace') return replaceElement(element, path, operation.value)
  return mergeComplex(element, attribute, operation.value, pathName(path), owned)
}

/** Removes an element that has only labels left, such as an email without an address. */
function undefinedIfOnlyLabels(element: JsonObject | undefined): JsonObject | undefined {
  return element === undefined || Object.keys(element).every((name) => labels.has(name)) ? undefined : element
}

/** The sub-attributes whose conditions describe an element to create. */
const creatable: ReadonlySet<string> = new Set(['type', 'primary'])

/**
 * The element to create when a path such as `phoneNumbers[type eq "mobile"].value` matches none, with the values that
 * its filter requires. Only `type` and `primary` describe a new element; any other filter selects an element that
 * should exist, such as an address that has been removed. In a strict directory, only `add` creates an element.
 *
 * @throws ScimError `noTarget` for any other filter (RFC 7644 §3.5.2.3)
 */
export function createElement(path: AttributeTarget): JsonObject {
  const conditions = path.filter === undefined ? {} : equalityConditions(path.filter)
  const isDescribed = (name: string) => creatable.has(name.toLowerCase())
  if (conditions === undefined || !Object.keys(conditions).every(isDescribed)) throw noTarget(path)
  return conditions
}

/** The error for a path that matches no element and cannot create one (RFC 7644 §3.12). */
export function noTarget(path: AttributeTarget): ScimError {
  const name = pathName({ ...path, subAttribute: undefined })
  return new ScimError(400, 'noTarget', `No value of ${name} matches the filter of the path.`)
}
