import type { Json } from '../json.ts'
import { isObject, own } from '../json.ts'

/** One primary value and no (type, value) pair twice (RFC 7643 §2.4): the first ones stay. */
export function withoutRepetition(values: readonly Json[]): Json[] {
  const kept = new Map<string, Json>()
  let hasPrimary = false
  for (const [index, value] of values.entries()) {
    const key = repetitionKey(value, index)
    const first = kept.get(key)
    const isPrimary = isObject(value) && own(value, 'primary') === true
    if (first === undefined) kept.set(key, isPrimary && hasPrimary ? { ...value, primary: false } : value)
    else if (isPrimary && !hasPrimary && isObject(first)) kept.set(key, { ...first, primary: true })
    hasPrimary ||= isPrimary
  }
  return [...kept.values()]
}

/** The same for values that repeat each other; the type's length keeps `a` + `bc` apart from `ab` + `c`. */
function repetitionKey(element: Json, index: number): string {
  if (!isObject(element)) return JSON.stringify(element)
  const value = own(element, 'value')
  if (typeof value !== 'string') return `#${index}`
  const type = own(element, 'type')
  return typeof type === 'string' ? `${type.length}:${type}${value}` : `-:${value}`
}
