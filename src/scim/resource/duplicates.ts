import { fold } from '../fold.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject, own } from '../json.ts'
import type { Attribute } from '../schema/schema.ts'

/**
 * A key for the `value` of an element: elements with equal values, compared as the schema says, have the same key. For
 * an element without a `value`, such as an address, the key covers all of it.
 */
export function valueKey(attribute: Attribute, element: Json): string {
  const value = isObject(element) ? own(element, 'value') : element
  if (value === undefined) return `*${canonicalText(element)}`
  if (typeof value !== 'string') return canonicalText(value)
  return isExact(attribute) ? `"${value}` : fold(`"${value}`)
}

/** A key for `type` and `value` together, which should be unique in a list (RFC 7643 §2.4). */
export function typeAndValueKey(attribute: Attribute, element: Json): string {
  if (!isObject(element)) return valueKey(attribute, element)
  const type = own(element, 'type')
  const value = own(element, 'value')
  // The common case: fold both together.
  if (typeof type === 'string' && typeof value === 'string' && !isExact(attribute)) return fold(`${type}\0${value}`)
  const name = valueKey(attribute, element)
  if (type === undefined) return name
  return `${typeof type === 'string' ? fold(type) : canonicalText(type)}\0${name}`
}

function isExact(attribute: Attribute): boolean {
  const { caseExact, type } = attribute.subAttributes.get('value') ?? attribute
  return caseExact || type === 'any'
}

/** JSON text that does not depend on the order of properties or on which element is primary. */
function canonicalText(json: Json): string {
  return JSON.stringify(json, (_, part: Json) => (isObject(part) ? sorted(part) : part))
}

function sorted(object: JsonObject): JsonObject {
  const names = Object.keys(object).filter((name) => name !== 'primary')
  return Object.fromEntries(names.sort().map((name) => [name, object[name] ?? null]))
}

/** Keeps one primary element and the first of each (type, value) pair (RFC 7643 §2.4). */
export function withoutDuplicates(attribute: Attribute, values: readonly Json[]): Json[] {
  const kept = new Map<string, Json>()
  let hasPrimary = false
  for (const [index, value] of values.entries()) {
    const key = duplicateKey(attribute, value) ?? `#${index}`
    const first = kept.get(key)
    const isPrimary = isObject(value) && own(value, 'primary') === true
    if (first === undefined) kept.set(key, isPrimary && hasPrimary ? { ...value, primary: false } : value)
    else if (isPrimary && !hasPrimary && isObject(first)) kept.set(key, { ...first, primary: true })
    hasPrimary ||= isPrimary
  }
  return [...kept.values()]
}

/** The key by which duplicates are found; undefined for an element without a `value`, such as an address. */
function duplicateKey(attribute: Attribute, value: Json): string | undefined {
  return isObject(value) && own(value, 'value') === undefined ? undefined : typeAndValueKey(attribute, value)
}
