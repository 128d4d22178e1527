import { fold } from '../fold.ts'
import type { Json } from '../json.ts'
import { isObject, own, sameJson } from '../json.ts'
import type { Attribute } from '../schema/attribute.ts'

/**
 * What two values of a multi-valued attribute have in common when they may be the same: their `value`, compared as its
 * schema says. Values without one share a key.
 */
export function valueKey(attribute: Attribute, element: Json): string {
  const value = isObject(element) ? own(element, 'value') : element
  if (typeof value !== 'string') return value === undefined ? '' : JSON.stringify(value)
  const { caseExact, type } = attribute.subAttributes.get('value') ?? attribute
  return `"${caseExact || type === 'any' ? value : fold(value)}`
}

/** Whether a value is one that is given, of those with the same key: the given one need not name all its parts. */
export function isSameValue(element: Json, given: Json): boolean {
  if (!isObject(element) || !isObject(given)) return true
  const isWhole = own(given, 'value') === undefined
  if (isWhole) return Object.keys(given).every((name) => sameJson(given[name], own(element, name)))
  return sameType(own(element, 'type'), own(given, 'type'))
}

function sameType(type: Json | undefined, given: Json | undefined): boolean {
  if (given === undefined) return true
  return typeof type === 'string' && typeof given === 'string' ? fold(type) === fold(given) : sameJson(type, given)
}
