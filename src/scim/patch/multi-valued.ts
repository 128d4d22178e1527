import type { Json, JsonObject } from '../json.ts'
import { isObject, own, sameJson } from '../json.ts'
import type { Attribute } from '../schema/attribute.ts'
import { isSameValue, valueKey } from './same-value.ts'

/** The list with values appended; one that is there already is not repeated but takes over what the new one adds. */
export function addElements(attribute: Attribute, before: readonly Json[], added: readonly Json[]): Json[] {
  const elements = [...before]
  const positions = positionsByKey(attribute, before)
  for (const given of added) {
    const candidates = positionsOf(positions, valueKey(attribute, given))
    const position = candidates.find((candidate) => isSameValue(elements[candidate] ?? null, given))
    if (position === undefined) candidates.push(elements.push(given) - 1)
    else elements[position] = mergeElement(elements[position] ?? null, given)
  }
  return withOnePrimary(before, elements)
}

/** The list without the values that are listed, which need not name more of themselves than their `value`. */
export function removeElements(attribute: Attribute, before: readonly Json[], listed: readonly Json[]): Json[] {
  const positions = positionsByKey(attribute, listed)
  return before.filter((element) => {
    const candidates = positions.get(valueKey(attribute, element)) ?? []
    return !candidates.some((candidate) => isListed(element, listed[candidate] ?? null))
  })
}

/**
 * The list with at most one primary value (RFC 7643 §2.4): the one that the operation made primary keeps it, the former
 * one loses it.
 */
export function withOnePrimary(before: readonly Json[], after: Json[]): Json[] {
  const primaries = after.filter(isPrimary)
  if (primaries.length < 2) return after
  const winner = primaries.find((element) => !before.includes(element)) ?? primaries[0]
  return after.map((element) => (isPrimary(element) && element !== winner ? { ...element, primary: false } : element))
}

function isPrimary(element: Json): element is JsonObject {
  return isObject(element) && own(element, 'primary') === true
}

function isListed(element: Json, given: Json): boolean {
  const isWhole = isObject(given) && own(given, 'value') === undefined
  return isWhole ? sameJson(element, given) : isSameValue(element, given)
}

function mergeElement(element: Json, given: Json): Json {
  if (!isObject(element) || !isObject(given)) return element
  const merged = { ...element, ...given }
  return sameJson(merged, element) ? element : merged
}

function positionsByKey(attribute: Attribute, elements: readonly Json[]): Map<string, number[]> {
  const positions = new Map<string, number[]>()
  for (const [position, element] of elements.entries()) {
    positionsOf(positions, valueKey(attribute, element)).push(position)
  }
  return positions
}

function positionsOf(positions: Map<string, number[]>, key: string): number[] {
  const found = positions.get(key)
  if (found !== undefined) return found
  const none: number[] = []
  positions.set(key, none)
  return none
}
