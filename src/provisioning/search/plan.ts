import type { ListPage, ListPart, ListPosition, ListRow, NamePart } from '../../directory/list.ts'
import type { Filter } from '../../scim/filter/ast.ts'
import type { Equality } from '../../scim/filter/narrow.ts'
import { narrow } from '../../scim/filter/narrow.ts'
import type { JsonObject } from '../../scim/json.ts'
import type { AttributePath, ResourceType } from '../../scim/schema/resource-type.ts'
import type { Sort } from '../../scim/sorting/sort.ts'

/** The attributes that are not stored with a resource but computed, or read separately. */
export type Computed = 'members' | 'groups' | 'meta'

/** A resource as filters and sort orders see it. */
export interface Evaluable {
  readonly resource: JsonObject
  /** Its approximate length in JSON, in characters. */
  readonly size: number
}

/**
 * How one kind of resource is read for a search, within one directory. Items are only ever passed back to the source that
 * they came from, so sources of different kinds can be searched together as `ListSource<unknown>`.
 */
export interface ListSource<T> {
  readonly resourceType: ResourceType
  count(): Promise<number>
  list(part: ListPart): Promise<ListRow<T>[]>
  /** What `list` and `count` return, with what a response needs of the items. */
  page(part: ListPart): Promise<ListPage<T>>
  /** In the order of the folded userName, or displayName of groups. */
  listByName(part: NamePart): Promise<ListRow<T>[]>
  find(equalities: readonly Equality[], part: ListPart): Promise<ListRow<T>[]>
  countFound(equalities: readonly Equality[]): Promise<number>
  /** As a list contains it. */
  get(id: string): Promise<T | undefined>
  /** The items one by one, with those computed attributes; undefined for one that is gone. */
  evaluable(items: readonly T[], computed: ReadonlySet<Computed>): AsyncIterable<Evaluable | undefined>
}

/** Rows in an order that the store can read them in. */
export interface Walk<T> {
  /** The rows after a position or an offset. */
  read(from: ListPosition | number, limit: number): Promise<ListRow<T>[]>
  /** The rows after an offset, and how many there are in all. */
  page(offset: number, limit: number): Promise<ListPage<T>>
}

/** How the resources of one source are found. */
export interface SearchPlan<T> {
  readonly source: ListSource<T>
  readonly walk: Walk<T>
  /** The part of the filter to evaluate on every row of the walk; undefined when all rows match. */
  readonly rest: Filter | undefined
  /** How to sort the matches; undefined when the walk has the order already. */
  readonly sort: Sort | undefined
  /** The computed attributes that `rest` and `sort` need. */
  readonly computed: ReadonlySet<Computed>
}

/**
 * Plans a search: conditions on indexed attributes narrow the walk, and an indexed order is not sorted again.
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
    return planned(source, walkByName(source, sort.isDescending), equalities.length === 0 ? rest : filter, undefined)
  }
  const walk = equalities.length === 0 ? walkAll(source) : walkFound(source, equalities)
  return planned(source, walk, rest, sort)
}

const noneComputed: ReadonlySet<Computed> = new Set()

function planned<T>(
  source: ListSource<T>,
  walk: Walk<T>,
  rest: Filter | undefined,
  sort: Sort | undefined,
): SearchPlan<T> {
  const needsNothing = rest === undefined && sort === undefined
  const computed = needsNothing ? noneComputed : new Set([...computedIn(rest), ...computedBy(sort?.path)])
  return { source, walk, rest, sort, computed }
}

/** Every row, in creation order. */
function walkAll<T>(source: ListSource<T>): Walk<T> {
  return {
    read: (from, limit) => source.list({ from, limit }),
    page: async (offset, limit) =>
      limit === 0 ? { rows: [], total: await source.count() } : source.page({ from: offset, limit }),
  }
}

/** Every row, in the order of names. */
function walkByName<T>(source: ListSource<T>, isDescending: boolean): Walk<T> {
  const read: Walk<T>['read'] = (from, limit) =>
    source.listByName({
      from: typeof from === 'number' ? from : { ...from, name: from.name ?? '' },
      limit,
      isDescending,
    })
  return { read, page: readAndCount(read, () => source.count()) }
}

/** The rows that meet every equality, found by index, in creation order. */
function walkFound<T>(source: ListSource<T>, equalities: readonly Equality[]): Walk<T> {
  const read: Walk<T>['read'] = (from, limit) => source.find(equalities, { from, limit })
  return { read, page: readAndCount(read, () => source.countFound(equalities)) }
}

/** A page that begins at the start and is not full is the whole list, so that nothing needs to be counted. */
function readAndCount<T>(read: Walk<T>['read'], count: () => Promise<number>): Walk<T>['page'] {
  return async (offset, limit) => {
    const rows = limit === 0 ? [] : await read(offset, limit)
    const isWhole = offset === 0 && rows.length < limit
    return { rows, total: isWhole ? rows.length : await count() }
  }
}

/** Whether a path names the attribute that `listByName` is ordered by. */
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
