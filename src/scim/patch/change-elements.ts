import { nameOf } from '../filter/compared-attribute.ts'
import type { Predicate } from '../filter/evaluate.ts'
import { predicate } from '../filter/evaluate.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject } from '../json.ts'
import { withoutRepetition } from '../resource/without-repetition.ts'
import { changeSubAttribute } from './change-sub-attribute.ts'
import { mergeComplex } from './complex.ts'
import { createElement, noTarget } from './create-element.ts'
import { addElements, withOnePrimary } from './multi-valued.ts'
import type { PatchOperation } from './operation.ts'
import type { AttributeTarget } from './path.ts'
import { isUnassigned, listOf, unlessNone } from './values.ts'

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
  const elements = listOf(before)
  const isPicked: Predicate = path.filter === undefined ? () => true : predicate(path.filter)
  const picks = (element: Json): element is JsonObject => isObject(element) && isPicked(element)
  if (!elements.some(picks)) return inShapeOf(before, withCreated(elements, path, operation, isPicked))
  const changed = elements.flatMap((element): Json[] => {
    if (!picks(element)) return [element]
    const after = changeElement(element, path, operation)
    return after === undefined ? [] : [after]
  })
  return inShapeOf(before, distinct(path, withOnePrimary(elements, changed)))
}

/** One value that was not in a list, which only an attribute of an unknown schema can hold, stays outside of one. */
function inShapeOf(before: Json | undefined, elements: Json[]): Json | undefined {
  const isSingle = isObject(before) && elements.length === 1
  return isSingle ? elements[0] : unlessNone(elements)
}

/** Values that have become the same are one (RFC 7643 §2.4). */
function distinct({ attribute, subAttribute }: AttributeTarget, elements: Json[]): Json[] {
  const mayRepeat = subAttribute === undefined || subAttribute.name === 'value' || subAttribute.name === 'type'
  return attribute.multiValued && mayRepeat ? withoutRepetition(attribute, elements) : elements
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
    return unassigns && attribute.type === 'complex' && after !== element ? unlessHollow(after) : after
  }
  if (unassigns) return operation.op === 'add' ? element : undefined
  return mergeComplex(element, attribute, operation.value, nameOf(path))
}

/** A value of which only labels are left, such as an e-mail address without the address, is none. */
function unlessHollow(element: JsonObject | undefined): JsonObject | undefined {
  return element === undefined || Object.keys(element).every((name) => labels.has(name)) ? undefined : element
}
