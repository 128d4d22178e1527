import type { Json, JsonObject } from '../json.ts'
import { isObject, own, sameJson } from '../json.ts'
import { typeAndValueKey, valueKey } from '../resource/duplicates.ts'
import { requireKeyLimit } from '../resource/limits.ts'
import type { Attribute } from '../schema/schema.ts'

/** Appends elements to a list. One that is already there is merged with the existing element instead. */
export function addElements(attribute: Attribute, before: readonly Json[], added: readonly Json[]): Json[] {
  const list = growList(attribute, before)
  list.add(added)
  return list.elements()
}

/**
 * A list to which elements are appended repeatedly. The cost of each time depends on the new elements, not on the
 * existing ones.
 */
export interface GrowingList {
  /** Appends elements, or merges them with existing ones; a newly primary element wins over the previous one. */
  add(elements: readonly Json[]): void
  elements(): Json[]
}

export function growList(attribute: Attribute, before: readonly Json[]): GrowingList {
  const slots = before.map((element, position): Slot => ({ element, position }))
  const index = indexOf(attribute, slots)
  let primaries = slots.filter(({ element }) => isPrimary(element))

  /** Appends or merges an element. Returns the changed slot; undefined when nothing changes. */
  function addOne(input: Json): Slot | undefined {
    const slot = index.find(input)
    if (slot === undefined) {
      const added = { element: input, position: slots.length }
      index.append(added)
      return added
    }
    const merged = mergeElement(slot.element, input)
    if (merged === slot.element) return undefined
    slot.element = merged
    return slot
  }

  return {
    add(elements) {
      const changed = new Set(elements.map(addOne).filter((slot) => slot !== undefined))
      primaries = withOnePrimarySlot(primaries, changed)
    },
    elements: () => slots.map(({ element }) => element),
  }
}

/** Like `withOnePrimary`: demotes all primary elements but one. */
function withOnePrimarySlot(former: readonly Slot[], changed: ReadonlySet<Slot>): Slot[] {
  const slots = [...new Set([...former, ...changed])].sort((a, b) => a.position - b.position)
  const primaries = slots.flatMap((slot) => (isPrimary(slot.element) ? [{ slot, element: slot.element }] : []))
  const winner = (primaries.find(({ slot }) => changed.has(slot)) ?? primaries[0])?.slot
  for (const { slot, element } of primaries) if (slot !== winner) slot.element = { ...element, primary: false }
  return winner === undefined ? [] : [winner]
}

/** Removes elements from a list; a listed element without a `type` matches by `value` alone. */
export function removeElements(attribute: Attribute, before: readonly Json[], listed: readonly Json[]): Json[] {
  const values = new Set(listed.filter((input) => !hasType(input)).map((input) => valueKey(attribute, input)))
  const pairs = new Set(listed.filter(hasType).map((input) => typeAndValueKey(attribute, input)))
  return before.filter((element) => {
    const isListed =
      values.has(valueKey(attribute, element)) || (pairs.size > 0 && pairs.has(typeAndValueKey(attribute, element)))
    return !isListed
  })
}

/** Ensures that at most one element is primary (RFC 7643 §2.4): a newly primary element wins over the previous one. */
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

function mergeElement(element: Json, input: Json): Json {
  if (!isObject(element) || !isObject(input)) return element
  const merged = requireKeyLimit({ ...element, ...input })
  return sameJson(merged, element) ? element : merged
}

/** A replaceable position in a growing list. */
interface Slot {
  element: Json
  readonly position: number
}

/** Looks up elements by key, so that adding many does not compare each with the whole list. */
interface Index {
  find(input: Json): Slot | undefined
  append(slot: Slot): void
}

/** An index in which the first match wins: the same `value`, and the same `type` if the input has one. */
function indexOf(attribute: Attribute, slots: Slot[]): Index {
  const byValue = indexBy((element) => valueKey(attribute, element), slots)
  const byPair = indexBy((element) => typeAndValueKey(attribute, element), slots)
  return {
    find: (input) => (hasType(input) ? byPair : byValue).find(input),
    append(slot) {
      slots.push(slot)
      byValue.append(slot)
      byPair.append(slot)
    },
  }
}

/** Builds the index at the first lookup: most requests need only one of the two. */
function indexBy(nameOf: (element: Json) => string, slots: readonly Slot[]): Index {
  let named: Map<string, Slot> | undefined
  const append = (slot: Slot) => {
    if (named !== undefined) setFirst(named, nameOf(slot.element), slot)
  }
  const find = (input: Json) => {
    named ??= slotsByName(nameOf, slots)
    return named.get(nameOf(input))
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

export function undefinedIfNone(list: Json[]): Json[] | undefined {
  return list.length === 0 ? undefined : list
}

/** The values of an attribute as a list, which may have none, one or several. */
export function toList(value: Json | undefined): Json[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}
