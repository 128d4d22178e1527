import { ScimError } from '../errors.ts'
import { fold } from '../fold.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject, own } from '../json.ts'
import { maxSortKeyLength } from '../limits.ts'
import { attributeValue, comparedAttribute, existingKey } from '../resource/attribute-value.ts'
import { instantOf } from '../resource/coerce-simple.ts'
import { hasValidNames, pathName, requireDefinedName, resolveAttributePath } from '../schema/attribute-path.ts'
import type { AttributePath, ResourceType } from '../schema/resource-type.ts'
import type { Attribute } from '../schema/schema.ts'

/** A sort order (RFC 7644 §3.4.2.3). */
export interface Sort {
  /** Undefined for an attribute that the resource type cannot have: its resources all have no value. */
  readonly path: AttributePath | undefined
  readonly isDescending: boolean
}

/** The parameters of a listing that control sorting. */
export interface SortQuery {
  readonly sortBy: string | undefined
  readonly sortOrder: 'ascending' | 'descending'
}

/**
 * Parses the sort order of a listing; undefined for the default order.
 *
 * @throws ScimError 400 `invalidValue` for a name that no attribute can have, an attribute without a value to sort by, or one
 *   that is never returned: the order would reveal its value
 */
export function parseSort(query: SortQuery, resourceType: ResourceType): Sort | undefined {
  const sort = parseSortAcrossTypes(query, resourceType)
  if (sort === undefined || sort.path !== undefined) return sort
  throw new ScimError(400, 'invalidValue', `sortBy is not an attribute of ${resourceType.name}.`)
}

/**
 * The same for several resource types sorted together: a sub-attribute that only another type has counts as one without a
 * value (RFC 7644 §3.4.2.1).
 *
 * @throws ScimError as `parseSort`, except for a name that no attribute can have; in the strict profile 400 `invalidSyntax` for a name that
 *   no schema has
 */
export function parseSortAcrossTypes({ sortBy, sortOrder }: SortQuery, resourceType: ResourceType): Sort | undefined {
  if (sortBy === undefined) return undefined
  requireDefinedName(sortBy.trim(), resourceType)
  const path = resolveAttributePath(sortBy.trim(), resourceType)
  const isNamed = path !== undefined && hasValidNames(path)
  if (isNamed) requireSortable(path)
  return { path: isNamed ? path : undefined, isDescending: sortOrder === 'descending' }
}

function requireSortable(path: AttributePath): void {
  if (path.attribute.returned === 'never' || path.subAttribute?.returned === 'never') {
    throw new ScimError(400, 'invalidValue', `${pathName(path)} is an attribute that cannot be sorted by.`)
  }
  if (comparedAttribute(path) !== undefined) return
  throw new ScimError(400, 'invalidValue', `${pathName(path)} has no value: sort by one of its sub-attributes.`)
}

/** The value a resource is sorted by: folded text or Unix milliseconds; null for none. */
export type SortKey = string | number | boolean | null

/**
 * The value a resource is sorted by (RFC 7644 §3.4.2.3): for a multi-valued attribute the primary element, else the
 * first. Text is folded unless it is `caseExact`.
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

/** The value itself or its sub-attribute; without a sub-attribute in the path, `value`. */
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
 * Compares two keys; negative when the first one comes first. Resources without a value come last in ascending order
 * and first in descending order; values of different types are grouped.
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
