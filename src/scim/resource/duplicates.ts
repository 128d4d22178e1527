import { fold } from '../fold.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject, own } from '../json.ts'
import type { Attribute } from '../schema/schema.ts'

/**
 * Names the `value` of an element of a multi-valued attribute, compared as its schema says: two elements with the same
 * name have the same value. An element without a `value`, such as an address, is named by all that is in it.
 */
export function valueKey(attribute: Attribute, element: Json): string {
  const value = isObject(element) ? own(element, 'value') : element
  if (value === undefined) return `*${canonicalText(element)}`
  if (typeof value !== 'string') return canonicalText(value)
  return isExact(attribute) ? `"${value}` : fold(`"${value}`)
}

/** Names the pair of `type` and `value`, which no two elements should have in common (RFC 7643 §2.4). */
export function typeAndValueKey(attribute: Attribute, element: Json): string {
  if (!isObject(element)) return valueKey(attribute, element)
  const type = own(element, 'type')
  const value = own(element, 'value')
  // This is the case in every list that a directory sends, so both are folded at once.
  if (typeof type === 'string' && typeof value === 'string' && !isExact(attribute)) return fold(`${type}\0${value}`)
  const name = valueKey(attribute, element)
  if (type === undefined) return name
  return `${typeof type === 'string' ? fold(type) : canonicalText(type)}\0${name}`
}

function isExact(attribute: Attribute): boolean {
  const { caseExact, type } = attribute.subAttributes.get('value') ?? attribute
  return caseExact || type === 'any'
}

/** A JSON text that is the same whatever the order of the names, and whichever value is the primary one. */
function canonicalText(json: Json): string {
  return JSON.stringify(json, (_, part: Json) => (isObject(part) ? sorted(part) : part))
}

function sorted(object: JsonObject): JsonObject {
  const names = Object.keys(object).filter((name) => name !== 'primary')
  return Object.fromEntries(names.sort().map((name) => [name, object[name] ?? null]))
}

/** One primary value and no (type, value) pair twice (RFC 7643 §2.4): the first ones stay. */
export function withoutDuplicates(attribute: Attribute, values: readonly Json[]): Json[] {
  const kept = new Map<string, Json>()
  let hasPrimary = false
  for (const [index, value] of values.entries()) {
    const key = nameOf(attribute, value) ?? `#${index}`
    const first = kept.get(key)
    const isPrimary = isObject(value) && own(value, 'primary') === true
    if (first === undefined) kept.set(key, isPrimary && hasPrimary ? { ...value, primary: false } : value)
    else if (isPrimary && !hasPrimary && isObject(first)) kept.set(key, { ...first, primary: true })
    hasPrimary ||= isPrimary
  }
  return [...kept.values()]
}

/** What a value has in common with one that repeats it; undefined for an address: it has no `value` to be repeated. */
function nameOf(attribute: Attribute, value: Json): string | undefined {
  return isObject(value) && own(value, 'value') === undefined ? undefined : typeAndValueKey(attribute, value)
}
