import { ScimError } from '../errors.ts'
import { fold } from '../fold.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject, own } from '../json.ts'
import { maxSortKeyLength } from '../limits.ts'
import { attributeValue, comparedAttribute, existingKey } from '../resource/attribute-value.ts'
import { instantOf } from '../resource/coerce-simple.ts'
import { hasValidNames, pathName, resolveAttributePath } from '../schema/attribute-path.ts'
import type { AttributePath, ResourceType } from '../schema/resource-type.ts'
import type { Attribute } from '../schema/schema.ts'

/** By what resources are sorted (RFC 7644 §3.4.2.3). */
export interface Sort {
  /** Undefined for an attribute that the resource type does not have: none of its resources has a value. */
  readonly path: AttributePath | undefined
  readonly isDescending: boolean
}

/** The parameters of a listing that ask for an order. */
export interface SortQuery {
  readonly sortBy: string | undefined
  readonly sortOrder: 'ascending' | 'descending'
}

/**
 * Reads by what a listing is to be sorted; undefined when it does not say.
 *
 * @throws ScimError 400 `invalidValue` for an attribute that the resource type does not have, or that has no value to
 *   sort by; `invalidFilter` for one that is never shown, whose order would tell of it
 */
export function parseSort(query: SortQuery, resourceType: ResourceType): Sort | undefined {
  const sort = parseSortAcrossTypes(query, resourceType)
  if (sort === undefined || sort.path !== undefined) return sort
  throw new ScimError(400, 'invalidValue', `sortBy names no attribute of ${resourceType.name}.`)
}

/**
 * The same at the root of the server, where several resource types are sorted together: an attribute that the type does
 * not have counts as one without a value (RFC 7644 §3.4.2.1).
 *
 * @throws ScimError as `parseSort`, but for an unknown attribute
 */
export function parseSortAcrossTypes({ sortBy, sortOrder }: SortQuery, resourceType: ResourceType): Sort | undefined {
  if (sortBy === undefined) return undefined
  const path = resolveAttributePath(sortBy.trim(), resourceType)
  const known = path !== undefined && hasValidNames(path) ? path : undefined
  if (known !== undefined) requireSortable(known)
  return { path: known, isDescending: sortOrder === 'descending' }
}

function requireSortable(path: AttributePath): void {
  if (path.attribute.returned === 'never') {
    throw new ScimError(400, 'invalidFilter', `${pathName(path)} is never shown: nothing can be sorted by it.`)
  }
  if (comparedAttribute(path) !== undefined) return
  throw new ScimError(400, 'invalidValue', `${pathName(path)} has no value: sort by one of its sub-attributes.`)
}

/** What a resource is sorted by: folded text, an instant in milliseconds; null for no value. */
export type SortKey = string | number | boolean | null

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
