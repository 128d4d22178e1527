import type { Json, JsonObject } from '../json.ts'
import { isObject, own, sameJson } from '../json.ts'
import { typeAndValueKey, valueKey } from '../resource/duplicates.ts'
import { requireKeyLimit } from '../resource/limits.ts'
import type { Attribute } from '../schema/schema.ts'

/** The list with values appended; one that is there already is not repeated but takes over what the new one adds. */
export function addElements(attribute: Attribute, before: readonly Json[], added: readonly Json[]): Json[] {
  const slots = before.map((element): Slot => ({ element }))
  const index = indexOf(attribute, slots)
  for (const given of added) {
    const slot = index.find(given)
    if (slot === undefined) index.append({ element: given })
    else slot.element = mergeElement(slot.element, given)
  }
  return withOnePrimary(
    before,
    slots.map(({ element }) => element),
  )
}

/** The list without the values that are listed, which need not name more of themselves than their `value`. */
export function removeElements(attribute: Attribute, before: readonly Json[], listed: readonly Json[]): Json[] {
  const values = new Set(listed.filter((given) => !hasType(given)).map((given) => valueKey(attribute, given)))
  const pairs = new Set(listed.filter(hasType).map((given) => typeAndValueKey(attribute, given)))
  return before.filter((element) => {
    const isListed =
      values.has(valueKey(attribute, element)) || (pairs.size > 0 && pairs.has(typeAndValueKey(attribute, element)))
    return !isListed
  })
}

/**
 * The list with at most one primary value (RFC 7643 §2.4): the one that the operation made primary keeps it, the former
 * one loses it.
 */
export function withOnePrimary(before: readonly Json[], after: Json[]): Json[] {
  const primaries = after.filter(isPrimary)
  if (primaries.length < 2) return after
  const former = new Set(before)
  const winner = primaries.find((element) => !former.has(element)) ?? primaries[0]
  return after.map((element) => (isPrimary(element) && element !== winner ? { ...element, primary: false } : element))
}

function isPrimary(element: Json): element is JsonObject {
  return isObject(element) && own(element, 'primary') === true
}

function mergeElement(element: Json, given: Json): Json {
  if (!isObject(element) || !isObject(given)) return element
  const merged = requireKeyLimit({ ...element, ...given })
  return sameJson(merged, element) ? element : merged
}

/** A place in a growing list. */
interface Slot {
  element: Json
}

/** Finds a value in the list without a look at every element for each value that is sought. */
interface Index {
  find(given: Json): Slot | undefined
  append(slot: Slot): void
}

/** The first element counts that has the same `value`, and the same `type` when the given one has a type. */
function indexOf(attribute: Attribute, slots: Slot[]): Index {
  const byValue = indexBy((element) => valueKey(attribute, element), slots)
  const byPair = indexBy((element) => typeAndValueKey(attribute, element), slots)
  return {
    find: (given) => (hasType(given) ? byPair : byValue).find(given),
    append(slot) {
      slots.push(slot)
      byValue.append(slot)
      byPair.append(slot)
    },
  }
}

/** Names the elements when the first one is sought: most requests need one kind of name only. */
function indexBy(nameOf: (element: Json) => string, slots: readonly Slot[]): Index {
  let named: Map<string, Slot> | undefined
  const append = (slot: Slot) => {
    if (named !== undefined) setFirst(named, nameOf(slot.element), slot)
  }
  const find = (given: Json) => {
    named ??= slotsByName(nameOf, slots)
    return named.get(nameOf(given))
  }
  return { find, append }
}

function slotsByName(nameOf: (element: Json) => string, slots: readonly Slot[]): Map<string, Slot> {
  const named = new Map<string, Slot>()
  for (const slot of slots) setFirst(named, nameOf(slot.element), slot)
  return named
}

function setFirst(named: Map<string, Slot>, name: string, slot: Slot): void {
  if (!named.has(name)) named.set(name, slot)
}

function hasType(element: Json): boolean {
  return isObject(element) && own(element, 'type') !== undefined
}

/** The list, or undefined when nothing is left in it. */
export function undefinedIfNone(list: Json[]): Json[] | undefined {
  return list.length === 0 ? undefined : list
}

/** The values of an attribute as a list, whether there is none, one, or a list of them. */
export function toList(value: Json | undefined): Json[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}
