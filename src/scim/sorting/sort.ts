import { ScimError } from '../errors.ts'
import { isWellNamed } from '../filter/attribute-name.ts'
import { comparedAttribute, nameOf } from '../filter/compared-attribute.ts'
import { resolveAttributePath } from '../schema/attribute-path.ts'
import type { AttributePath } from '../schema/known-paths.ts'
import type { ResourceType } from '../schema/resource-type.ts'

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
  const sort = parseSortOfAny(query, resourceType)
  if (sort === undefined || sort.path !== undefined) return sort
  throw new ScimError(400, 'invalidValue', `sortBy names no attribute of ${resourceType.name}.`)
}

/**
 * The same at the root of the server, where several resource types are sorted together: an attribute that the type does
 * not have counts as one without a value (RFC 7644 §3.4.2.1).
 *
 * @throws ScimError as `parseSort`, but for an unknown attribute
 */
export function parseSortOfAny({ sortBy, sortOrder }: SortQuery, resourceType: ResourceType): Sort | undefined {
  if (sortBy === undefined) return undefined
  const path = resolveAttributePath(sortBy.trim(), resourceType)
  const known = path !== undefined && isWellNamed(path) ? path : undefined
  if (known !== undefined) requireSortable(known)
  return { path: known, isDescending: sortOrder === 'descending' }
}

function requireSortable(path: AttributePath): void {
  if (path.attribute.returned === 'never') {
    throw new ScimError(400, 'invalidFilter', `${nameOf(path)} is never shown: nothing can be sorted by it.`)
  }
  if (comparedAttribute(path) !== undefined) return
  throw new ScimError(400, 'invalidValue', `${nameOf(path)} has no value: sort by one of its sub-attributes.`)
}
