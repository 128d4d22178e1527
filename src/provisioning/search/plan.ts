import type { Filter } from '../../scim/filter/ast.ts'
import { narrow } from '../../scim/filter/narrow.ts'
import type { AttributePath } from '../../scim/schema/resource-type.ts'
import type { Sort } from '../../scim/sorting/sort.ts'
import type { Computed, ListSource } from './source.ts'
import type { Walk } from './walk.ts'
import { walkByName, walkFound, walkInCreationOrder } from './walk.ts'

/** How the resources of one source are found. */
export interface SearchPlan<T> {
  readonly source: ListSource<T>
  readonly walk: Walk<T>
  /** What must still be looked at in every resource of the walk; undefined when all of them match. */
  readonly rest: Filter | undefined
  /** What the order must be made of, when the walk is not in that order. */
  readonly sort: Sort | undefined
  /** The computed attributes that `rest` and `sort` look at. */
  readonly computed: ReadonlySet<Computed>
}

/**
 * Plans a search: conditions on indexed attributes narrow it, an order that an index has needs no sorting.
 *
 * @param isAlone whether the source's order is that of the whole list: no other source is sorted in between
 * @returns undefined when nothing of the source can match
 */
export function planSearch<T>(
  source: ListSource<T>,
  filter: Filter | undefined,
  sort: Sort | undefined,
  isAlone: boolean,
): SearchPlan<T> | undefined {
  const narrowed = filter === undefined ? { equalities: [], rest: undefined } : narrow(filter, source.resourceType)
  if (narrowed === 'nothing') return undefined
  const { equalities, rest } = narrowed
  const isByName = isAlone && sort?.path !== undefined && isName(sort.path, source)
  if (isByName && equalities.every(({ attribute }) => attribute === 'active')) {
    // Those who are active are nearly all: they are met on the way through the names.
    return planned(source, walkByName(source, sort.isDescending), equalities.length === 0 ? rest : filter, undefined)
  }
  const walk = equalities.length === 0 ? walkInCreationOrder(source) : walkFound(source, equalities)
  return planned(source, walk, rest, sort)
}

function planned<T>(
  source: ListSource<T>,
  walk: Walk<T>,
  rest: Filter | undefined,
  sort: Sort | undefined,
): SearchPlan<T> {
  return { source, walk, rest, sort, computed: new Set([...computedIn(rest), ...computedBy(sort?.path)]) }
}

type Named = Pick<ListSource<unknown>, 'resourceType'>

/** Whether a path leads to the attribute whose folded value has an index that is in its order. */
function isName({ extension, attribute, subAttribute }: AttributePath, { resourceType }: Named): boolean {
  const name = resourceType.name === 'User' ? 'userName' : 'displayName'
  return extension === undefined && subAttribute === undefined && attribute.name === name
}

function computedIn(filter: Filter | undefined): Computed[] {
  if (filter === undefined) return []
  switch (filter.kind) {
    case 'and':
    case 'or':
      return [...computedIn(filter.left), ...computedIn(filter.right)]
    case 'not':
      return computedIn(filter.filter)
    default:
      return computedBy(filter.path)
  }
}

function computedBy(path: AttributePath | undefined): Computed[] {
  const name = path?.extension === undefined ? path?.attribute.name : undefined
  return name === 'members' || name === 'groups' || name === 'meta' ? [name] : []
}
