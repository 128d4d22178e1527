import type { Json } from '../json.ts'
import { isObject, own } from '../json.ts'
import type { Attribute } from '../schema/attribute.ts'
import { pairName } from './value-identity.ts'

/** One primary value and no (type, value) pair twice (RFC 7643 §2.4): the first ones stay. */
export function withoutRepetition(attribute: Attribute, values: readonly Json[]): Json[] {
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
  return isObject(value) && own(value, 'value') === undefined ? undefined : pairName(attribute, value)
}
