import type { ListPage, ListPart, ListPosition, ListRow, NamePart } from '../../directory/list.ts'
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
  count(): Promise<number>
  list(part: ListPart): Promise<ListRow<T>[]>
  /** The results of `list` and `count`, with the parts of the items that a response needs. */
  page(part: ListPart): Promise<ListPage<T>>
  /** Rows in the order of the folded userName, or displayName of groups. */
  listByName(part: NamePart): Promise<ListRow<T>[]>
  find(equalities: readonly Equality[], part: ListPart): Promise<ListRow<T>[]>
  countFound(equalities: readonly Equality[]): Promise<number>
  /** The item as a list contains it. */
  get(id: string): Promise<T | undefined>
  /** The items one by one, with those computed attributes; undefined for an item that no longer exists. */
  evaluable(items: readonly T[], computed: ReadonlySet<Computed>): AsyncIterable<Evaluable | undefined>
}

/** Reads rows in an order that the store supports. */
export interface Walk<T> {
  /** The rows after a position or an offset. */
  read(from: ListPosition | number, limit: number): Promise<ListRow<T>[]>
  /** The rows after an offset, and the total number of rows. */
  page(offset: number, limit: number): Promise<ListPage<T>>
}

/** The way to find the resources of one source. */
export interface SearchPlan<T> {
  readonly source: ListSource<T>
  readonly walk: Walk<T>
  /** The part of the filter to evaluate on every row of the walk; undefined when all rows match. */
  readonly rest: Filter | undefined
  /** The order of the matches; undefined when the walk already has it. */
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

/** All rows, in creation order. */
function walkAll<T>(source: ListSource<T>): Walk<T> {
  return {
    read: (from, limit) => source.list({ from, limit }),
    page: async (offset, limit) =>
      limit === 0 ? { rows: [], total: await source.count() } : source.page({ from: offset, limit }),
  }
}

/** All rows, in the order of names. */
function walkByName<T>(source: ListSource<T>, isDescending: boolean): Walk<T> {
  const read: Walk<T>['read'] = (from, limit) =>
    source.listByName({
      from: typeof from === 'number' ? from : { ...from, name: from.name ?? '' },
      limit,
      isDescending,
    })
  return { read, page: readAndCount(read, () => source.count()) }
}

/** The rows that meet all equalities, found by index, in creation order. */
function walkFound<T>(source: ListSource<T>, equalities: readonly Equality[]): Walk<T> {
  const read: Walk<T>['read'] = (from, limit) => source.find(equalities, { from, limit })
  return { read, page: readAndCount(read, () => source.countFound(equalities)) }
}

/** Avoids counting: a page that begins at the start and is not full is the whole list. */
function readAndCount<T>(read: Walk<T>['read'], count: () => Promise<number>): Walk<T>['page'] {
  return async (offset, limit) => {
    const rows = limit === 0 ? [] : await read(offset, limit)
    const isWhole = offset === 0 && rows.length < limit
    return { rows, total: isWhole ? rows.length : await count() }
  }
}

/** Whether a path names the attribute that `listByName` sorts by. */
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
