import { comparedAttribute } from '../filter/compared-attribute.ts'
import { instantOf } from '../filter/instant.ts'
import { attributeValue, existingKey } from '../filter/read.ts'
import { fold } from '../fold.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject, own } from '../json.ts'
import type { Attribute } from '../schema/attribute.ts'
import type { AttributePath } from '../schema/known-paths.ts'
import type { Sort } from './sort.ts'

/** What a resource is sorted by: folded text, an instant in milliseconds; null for no value. */
export type SortKey = string | number | boolean | null

/** How many characters of a text its order looks at: keys are kept for many resources at once. */
export const maxSortKeyLength = 512

/**
 * What a resource is sorted by (RFC 7644 §3.4.2.3): of a multi-valued attribute the primary value, else the first; text as
 * `caseExact` says, dateTimes as instants.
 */
export function sortKey({ path }: Sort, resource: JsonObject): SortKey {
  const compared = path && comparedAttribute(path)
  if (path === undefined || compared === undefined) return null
  return keyOf(compared, sortedValue(path, preferred(attributeValue(resource, path))))
}

function preferred(value: Json | undefined): Json | undefined {
  if (!Array.isArray(value)) return value
  return value.find((element) => isObject(element) && own(element, 'primary') === true) ?? value[0]
}

/** The value itself, or that of its sub-attribute: without one named, its `value`. */
function sortedValue({ attribute, subAttribute }: AttributePath, value: Json | undefined): Json | undefined {
  if (!isObject(value)) return subAttribute === undefined ? value : undefined
  if (subAttribute === undefined) return own(value, 'value')
  return own(value, attribute.type === 'any' ? existingKey(value, subAttribute.name) : subAttribute.name)
}

function keyOf({ type, caseExact }: Attribute, value: Json | undefined): SortKey {
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value !== 'string' || value === '') return null
  const instant = type === 'dateTime' ? instantOf(value) : Number.NaN
  if (!Number.isNaN(instant)) return instant
  const text = value.slice(0, maxSortKeyLength)
  return caseExact ? text : fold(text)
}

/**
 * Compares two keys in the order that is asked for: negative when the first comes first. Resources without a value are the
 * last in ascending order and the first in descending order; values of different types stand apart.
 */
export function compareKeys({ isDescending }: Pick<Sort, 'isDescending'>, a: SortKey, b: SortKey): number {
  const ascending = rank(a) - rank(b) || compare(a, b)
  return isDescending ? -ascending : ascending
}

function rank(key: SortKey): number {
  if (key === null) return 3
  if (typeof key === 'string') return 2
  return typeof key === 'number' ? 1 : 0
}

function compare(a: SortKey, b: SortKey): number {
  if (a === b || a === null || b === null) return 0
  return a < b ? -1 : 1
}
