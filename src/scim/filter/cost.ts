import type { Json, JsonObject } from '../json.ts'
import { isObject } from '../json.ts'
import { attributeValue } from '../resource/attribute-value.ts'
import type { AttributePath } from '../schema/resource-type.ts'
import type { Filter } from './ast.ts'

/**
 * The maximum number of characters that evaluating a filter on a resource reads: each condition reads its attribute,
 * and nothing else.
 */
export function evaluationCost(filter: Filter, resource: JsonObject): number {
  const lengths = new Map<string, number>()
  const lengthAt = (path: AttributePath): number => {
    const key = `${path.extension ?? ''}:${path.attribute.name}`
    const length = lengths.get(key) ?? charactersIn(attributeValue(resource, path) ?? null)
    lengths.set(key, length)
    return length
  }
  return costOf(filter, lengthAt)
}

function costOf(filter: Filter, lengthAt: (path: AttributePath) => number): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return costOf(filter.left, lengthAt) + costOf(filter.right, lengthAt)
    case 'not':
      return costOf(filter.filter, lengthAt)
    case 'value-path':
      // The conditions inside read the elements of this attribute.
      return costOf(filter.filter, () => lengthAt(filter.path))
    default:
      return lengthAt(filter.path)
  }
}

/** Estimates the length of a value in JSON without serializing it. */
export function charactersIn(value: Json): number {
  if (typeof value === 'string') return value.length
  let sum = 5
  if (Array.isArray(value)) for (const element of value) sum += charactersIn(element)
  else if (isObject(value))
    for (const name of Object.keys(value)) sum += name.length + charactersIn(value[name] ?? null)
  return sum
}
