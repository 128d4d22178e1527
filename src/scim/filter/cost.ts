import type { Json, JsonObject } from '../json.ts'
import { isObject } from '../json.ts'
import { attributeValue, containerOf } from '../resource/attribute-value.ts'
import type { AttributePath } from '../schema/resource-type.ts'
import type { Filter } from './ast.ts'

/** Folding a character beyond ASCII takes at most this many times as long as another. */
export const beyondAsciiWeight = 16

/** The costs of evaluating filters on a resource: see `evaluationCost`. */
export interface Costs {
  ofFilter(filter: Filter): number
  /** The cost of reading the attribute once. */
  ofPath(path: AttributePath): number
}

/**
 * The maximum number of characters that evaluating a filter on a resource reads. Each condition reads its attribute and, if no
 * schema has that, the names among which it is searched. Characters beyond ASCII count several times.
 *
 * @param limit the cost is not exact above it, as finding it may take as long as the evaluation
 */
export function evaluationCost(filter: Filter, resource: JsonObject, limit: number): number {
  return measureCosts(resource, limit).ofFilter(filter)
}

/** Finds the costs of several filters on one resource: each attribute is measured once. */
export function measureCosts(resource: JsonObject, limit: number): Costs {
  const costs = new Map<string, number>()
  const namesOfResource = namesCost(resource)
  let searched = 0
  const costOfAttribute = (path: AttributePath): number => {
    if (path.attribute.type !== 'any') return readingCost(attributeValue(resource, path) ?? null)
    searched += namesOfResource
    if (searched > limit) return namesOfResource
    const container = path.extension === undefined ? undefined : containerOf(resource, path)
    const names = namesOfResource + (container === undefined ? 0 : namesCost(container))
    return names + readingCost(attributeValue(resource, path) ?? null)
  }
  const ofPath = (path: AttributePath): number => {
    const key = `${path.extension ?? ''}:${path.attribute.name}`
    const cost = costs.get(key) ?? costOfAttribute(path)
    costs.set(key, cost)
    return cost
  }
  return { ofPath, ofFilter: (filter) => costOf(filter, ofPath) }
}

const beyondAscii = /[\u0080-\uffff]/

function textCost(text: string): number {
  return beyondAscii.test(text) ? text.length * beyondAsciiWeight : text.length
}

function namesCost(object: JsonObject): number {
  return Object.keys(object).reduce((sum, name) => sum + textCost(name), 0)
}

/** The cost of comparing a value, with all that it contains. */
export function readingCost(value: Json): number {
  if (typeof value === 'string') return textCost(value)
  if (Array.isArray(value)) return value.reduce((sum: number, element) => sum + readingCost(element), 5)
  if (!isObject(value)) return 5
  return Object.values(value).reduce((sum: number, part) => sum + readingCost(part), 5 + namesCost(value))
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
