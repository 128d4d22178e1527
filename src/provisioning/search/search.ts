import type { TimeSlices } from '../../concurrency/time-slices.ts'
import type { Directory } from '../../directory/directory.ts'
import { parseFilter, parseFilterAcrossTypes } from '../../scim/filter/parse.ts'
import type { CursorPage, IndexPage, ListQuery } from '../../scim/list-query.ts'
import type { PageInfo } from '../../scim/messages.ts'
import type { Sort } from '../../scim/sorting/sort.ts'
import { parseSort, parseSortAcrossTypes } from '../../scim/sorting/sort.ts'
import { openCursor, queryDigest, sealCursor } from './cursor.ts'
import type { Found, SearchPlans } from './pages.ts'
import { pageAfter, pageFromOffset } from './pages.ts'
import type { ListSource } from './plan.ts'
import { planSearch } from './plan.ts'
import type { SearchWork } from './scan.ts'
import { beginWork } from './scan.ts'
import { sortedPageAfter, sortedPageFromOffset } from './sorted-pages.ts'

/** The context of a search. */
export interface SearchContext {
  /** The directory, whose SCIM secret encrypts the cursors. */
  readonly directory: Directory
  readonly slices: TimeSlices
  /** Unix milliseconds. */
  readonly now: number
  /** Returns whether the client has closed the connection, which ends the search. */
  readonly isAbandoned: (() => boolean) | undefined
}

/** A page of search results. */
export interface SearchResult {
  readonly found: readonly Found[]
  readonly page: PageInfo
}

/**
 * Finds the resources that match a query (RFC 7644 §3.4.2). The resources of several sources follow one another unless they
 * are sorted (RFC 7644 §3.4.2.1).
 *
 * @throws ScimError 400 when the query is not valid or too expensive
 */
export function search(
  context: SearchContext,
  sources: readonly ListSource<unknown>[],
  query: ListQuery,
): Promise<SearchResult> {
  const isAlone = sources.length === 1
  const plans = sources.map((source) => planOf(source, query, isAlone))
  const work = beginWork(context.slices, context.isAbandoned)
  const sort = plans.find((plan) => plan?.sort !== undefined)?.sort
  if (query.page.kind === 'index') return indexPage(plans, sort, query.page, work)
  const types = sources.map(({ resourceType }) => resourceType.name)
  const digest = queryDigest([types, query.filter, query.sortBy, query.sortOrder])
  return cursorPage(context, plans, sort, query.page, digest, work)
}

/** The plan of a source. A query of one resource type rejects attributes that the type does not have. */
function planOf(source: ListSource<unknown>, query: ListQuery, isAlone: boolean) {
  const { resourceType } = source
  const parseFilterText = isAlone ? parseFilter : parseFilterAcrossTypes
  const filter = query.filter === undefined ? undefined : parseFilterText(query.filter, resourceType)
  const sort = isAlone ? parseSort(query, resourceType) : parseSortAcrossTypes(query, resourceType)
  return planSearch(source, filter, sort, isAlone)
}

async function indexPage(
  plans: SearchPlans,
  sort: Sort | undefined,
  { startIndex, count }: IndexPage,
  work: SearchWork,
): Promise<SearchResult> {
  const offset = startIndex - 1
  const { found, totalResults } =
    sort === undefined
      ? await pageFromOffset(plans, offset, count, work)
      : await sortedPageFromOffset(plans, sort, offset, count, work)
  return { found, page: { totalResults, itemsPerPage: found.length, position: { startIndex } } }
}

async function cursorPage(
  { directory, now }: SearchContext,
  plans: SearchPlans,
  sort: Sort | undefined,
  { cursor, count }: CursorPage,
  query: string,
  work: SearchWork,
): Promise<SearchResult> {
  const previous = cursor === '' ? undefined : openCursor(directory, cursor, { query, count, now })
  const { found: rows, totalResults } =
    sort === undefined
      ? await pageAfter(plans, previous, count, work)
      : await sortedPageAfter(plans, sort, previous?.place, count, work)
  const found = rows.slice(0, count)
  const last = rows.length > count ? found.at(-1) : undefined
  const nextCursor = last && sealCursor(directory, { place: placeOf(last), query, count, totalResults, issuedAt: now })
  return { found, page: { totalResults, itemsPerPage: found.length, position: { nextCursor } } }
}

function placeOf({ source, position, key }: Found) {
  return { source, position, key }
}
