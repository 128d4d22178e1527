import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Filter } from '../../scim/filter/ast.ts'
import { predicate } from '../../scim/filter/evaluate.ts'
import type { Equality } from '../../scim/filter/narrow.ts'
import { narrow } from '../../scim/filter/narrow.ts'
import { parseFilter } from '../../scim/filter/parse.ts'
import type { JsonObject } from '../../scim/json.ts'
import type { ListQuery } from '../../scim/list-query.ts'
import type { ResourceType } from '../../scim/schema/resource-type.ts'
import type { Listed, ListPart } from '../store.ts'
import { listStart } from '../store.ts'

/** How one kind of resource is read, within one directory. */
export interface ListSource<T> {
  readonly resourceType: ResourceType
  count(): Promise<number>
  list(part: ListPart): Promise<Listed<T>[]>
  find(equalities: readonly Equality[], part: ListPart): Promise<Listed<T>[]>
  countFound(equalities: readonly Equality[]): Promise<number>
  /** What a filter looks at, with `meta`, and with the computed attributes that the filter names. */
  evaluable(items: readonly T[], filter: Filter): Promise<JsonObject[]>
}

/** One page of a list and how many resources match in all (RFC 7644 §3.4.2). */
export interface ListPage<T> {
  readonly items: readonly T[]
  readonly totalResults: number
}

/**
 * Reads the page that a query asks for. Conditions on indexed attributes are answered by index; the rest of a filter is
 * evaluated over what they leave, in batches between which other requests are served.
 *
 * @throws ScimError 400 `invalidFilter`
 */
export async function readPage<T>(source: ListSource<T>, query: ListQuery): Promise<ListPage<T>> {
  const part: ListPart = { from: query.startIndex - 1, limit: query.count }
  if (query.filter === undefined) {
    return page(part, (asked) => source.list(asked), source.count)
  }
  const { equalities, rest } = narrow(parseFilter(query.filter, source.resourceType), source.resourceType)
  if (rest !== undefined) return scan(source, equalities, rest, query)
  return page(
    part,
    (asked) => source.find(equalities, asked),
    () => source.countFound(equalities),
  )
}

/** Reads a page and counts, unless the page itself tells the count: it began at the start and was not filled. */
async function page<T>(
  part: ListPart,
  read: (part: ListPart) => Promise<Listed<T>[]>,
  count: () => Promise<number>,
): Promise<ListPage<T>> {
  const rows = part.limit === 0 ? [] : await read(part)
  const isWhole = part.from === 0 && rows.length < part.limit
  return { items: rows.map(({ item }) => item), totalResults: isWhole ? rows.length : await count() }
}

const itemsPerBatch = 200

async function scan<T>(
  source: ListSource<T>,
  equalities: readonly Equality[],
  filter: Filter,
  { startIndex, count }: ListQuery,
): Promise<ListPage<T>> {
  const items: T[] = []
  let totalResults = 0
  for await (const item of matching(source, equalities, filter)) {
    totalResults += 1
    if (totalResults >= startIndex && items.length < count) items.push(item)
  }
  return { items, totalResults }
}

async function* matching<T>(source: ListSource<T>, equalities: readonly Equality[], filter: Filter) {
  const read = (part: ListPart) => (equalities.length === 0 ? source.list(part) : source.find(equalities, part))
  const isMatch = predicate(filter)
  let from = listStart
  for (;;) {
    const batch = await read({ from, limit: itemsPerBatch })
    const items = batch.map(({ item }) => item)
    const resources = await source.evaluable(items, filter)
    yield* items.filter((_, index) => isMatch(resources[index] ?? {}))
    const last = batch.at(-1)
    if (last === undefined || batch.length < itemsPerBatch) return
    from = last.position
    await nextTurn()
  }
}

/** Whether a filter looks at an attribute of that name. */
export function looksAt(filter: Filter, name: 'members' | 'groups'): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return looksAt(filter.left, name) || looksAt(filter.right, name)
    case 'not':
      return looksAt(filter.filter, name)
    default:
      return filter.path.attribute.name === name && filter.path.extension === undefined
  }
}
