import type { ListChoice, ListPage, ListPart, ListRow } from '../../directory/list.ts'
import type { Filter } from '../../scim/filter/ast.ts'
import type { Equality } from '../../scim/filter/narrow.ts'
import { narrow } from '../../scim/filter/narrow.ts'
import type { JsonObject } from '../../scim/json.ts'
import type { AttributePath, ResourceType } from '../../scim/schema/resource-type.ts'
import type { Sort } from '../../scim/sorting/sort.ts'

/** The attributes that are computed, or read separately, instead of stored with a resource. */
export type Computed = 'members' | 'groups' | 'meta'

/** A resource in the form that filters and sort orders are evaluated on. */
export interface Evaluable {
  readonly resource: JsonObject
  /** Its approximate length in JSON, in characters. */
  readonly size: number
}

/**
 * Reads one kind of resource for a search, within one directory. Items are only passed back to the source that they
 * came from, so sources of different kinds can be searched together as `ListSource<unknown>`.
 */
export interface ListSource<T> {
  readonly resourceType: ResourceType
  count(where?: readonly Equality[]): Promise<number>
  list(part: ListPart & ListChoice): Promise<ListRow<T>[]>
  /** The results of `list` and `count`, with the parts of the items that a response needs. */
  page(part: ListPart): Promise<ListPage<T>>
  /** The item as a list contains it. */
  get(id: string): Promise<T | undefined>
  /** The items one by one, with those computed attributes; undefined for an item that no longer exists. */
  evaluable(items: readonly T[], computed: ReadonlySet<Computed>): AsyncIterable<Evaluable | undefined>
}

/** The way to find the resources of one source. */
export interface SearchPlan<T> {
  readonly source: ListSource<T>
  /** The rows that the store finds by an index, and their order. */
  readonly choice: ListChoice
  /** The part of the filter to evaluate on every row; undefined when all rows match. */
  readonly rest: Filter | undefined
  /** The order of the matches; undefined when the rows already have it. */
  readonly sort: Sort | undefined
  /** The computed attributes that `rest` and `sort` need. */
  readonly computed: ReadonlySet<Computed>
}

/**
 * Plans a search: conditions on indexed attributes choose the rows, and an indexed order is not sorted again.
 *
 * @param isAlone whether this is the only source of the search
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
    // Nearly all users are active: reading them by name and checking each is cheaper than sorting them.
    const order = sort.isDescending ? 'name-descending' : 'name'
    return planned(source, { order }, equalities.length === 0 ? rest : filter, undefined)
  }
  return planned(source, { where: equalities }, rest, sort)
}

const noneComputed: ReadonlySet<Computed> = new Set()

function planned<T>(
  source: ListSource<T>,
  choice: ListChoice,
  rest: Filter | undefined,
  sort: Sort | undefined,
): SearchPlan<T> {
  const needsNothing = rest === undefined && sort === undefined
  const computed = needsNothing ? noneComputed : new Set([...computedIn(rest), ...computedBy(sort?.path)])
  return { source, choice, rest, sort, computed }
}

/** A page of the rows that a plan chooses, and the number of all of them. */
export async function pageOfRows<T>(
  { source, choice }: SearchPlan<T>,
  from: number,
  limit: number,
): Promise<ListPage<T>> {
  if (limit === 0) return { rows: [], total: await source.count(choice.where) }
  const { where = [], order } = choice
  if (where.length === 0 && order === undefined) return source.page({ from, limit })
  const rows = await source.list({ ...choice, from, limit })
  const isWhole = from === 0 && rows.length < limit
  return { rows, total: isWhole ? rows.length : await source.count(choice.where) }
}

/** Returns whether a path names the attribute whose order the store has. */
function isName(
  { extension, attribute, subAttribute }: AttributePath,
  { resourceType }: Pick<ListSource<unknown>, 'resourceType'>,
): boolean {
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
