import { nameOf } from '../filter/compared-attribute.ts'
import type { Predicate } from '../filter/evaluate.ts'
import { predicate } from '../filter/evaluate.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject } from '../json.ts'
import { changeSubAttribute } from './change-sub-attribute.ts'
import { mergeComplex } from './complex.ts'
import { createElement, noTarget } from './create-element.ts'
import { withOnePrimary } from './multi-valued.ts'
import type { PatchOperation } from './operation.ts'
import type { AttributeTarget } from './path.ts'
import { isUnassigned, unlessNone } from './values.ts'

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
  const elements = before === undefined ? [] : Array.isArray(before) ? before : [before]
  const isPicked: Predicate = path.filter === undefined ? () => true : predicate(path.filter)
  const picks = (element: Json): element is JsonObject => isObject(element) && isPicked(element)
  if (!elements.some(picks)) return unlessNone(withCreated(elements, path, operation, isPicked))
  const changed = elements.flatMap((element): Json[] => {
    if (!picks(element)) return [element]
    const after = changeElement(element, path, operation)
    return after === undefined ? [] : [after]
  })
  return unlessNone(withOnePrimary(elements, changed))
}

/** A value that the filter would not pick is not what the path asks for: `emails[type eq "work"].type` as "home". */
function withCreated(elements: Json[], path: AttributeTarget, operation: PatchOperation, isPicked: Predicate): Json[] {
  if (operation.op === 'remove' || isUnassigned(operation.value)) return elements
  const created = changeElement(createElement(path), path, operation)
  if (created === undefined) return elements
  if (!isPicked(created)) throw noTarget(path)
  return withOnePrimary(elements, [...elements, created])
}

/** One value after the operation; undefined when it goes. */
function changeElement(element: JsonObject, path: AttributeTarget, operation: PatchOperation): JsonObject | undefined {
  const { attribute, subAttribute } = path
  const unassigns = operation.op === 'remove' || isUnassigned(operation.value)
  if (subAttribute !== undefined) {
    const after = changeSubAttribute(element, path, subAttribute, operation)
    return unassigns && attribute.type === 'complex' ? unlessHollow(after) : after
  }
  if (unassigns) return operation.op === 'add' ? element : undefined
  return mergeComplex(element, attribute, operation.value, nameOf(path))
}

/** A value of which only labels are left, such as an e-mail address without the address, is none. */
function unlessHollow(element: JsonObject | undefined): JsonObject | undefined {
  return element === undefined || Object.keys(element).every((name) => labels.has(name)) ? undefined : element
}
