import type { TimeSlices } from '../../concurrency/time-slices.ts'
import type { Directory } from '../../directory/directory.ts'
import type { Filter } from '../../scim/filter/ast.ts'
import { parseFilter, parseFilterAcrossTypes } from '../../scim/filter/parse.ts'
import type { ListQuery, PageQuery } from '../../scim/list-query.ts'
import type { PageInfo } from '../../scim/messages.ts'
import { listResponseEnvelope } from '../../scim/messages.ts'
import type { Projection } from '../../scim/projection.ts'
import { parseProjection } from '../../scim/projection.ts'
import type { ResourceType } from '../../scim/schema/resource-type.ts'
import type { Sort } from '../../scim/sorting/sort.ts'
import { parseSort, parseSortAcrossTypes } from '../../scim/sorting/sort.ts'
import type { ScimResponse } from '../request.ts'
import { openCursor, queryDigest, sealCursor } from './cursor.ts'
import type { Found, FoundPage } from './found-page.ts'
import type { LongWork } from './long-work.ts'
import { beginWork } from './long-work.ts'
import type { SearchPlans } from './pages-in-order.ts'
import { pageBehind, pageFromOffset } from './pages-in-order.ts'
import { planSearch } from './plan.ts'
import { sortedPageBehind, sortedPageFromOffset } from './sorted-pages.ts'
import type { Body, ListSource } from './source.ts'

/** What a search needs beside its query. */
export interface SearchContext {
  readonly directory: Directory
  readonly slices: TimeSlices
  /** Unix milliseconds. */
  readonly now: number
  readonly isAbandoned: (() => boolean) | undefined
}

/** How the filter and the order of a query are read for a resource type. */
interface Reading {
  filter(text: string, resourceType: ResourceType): Filter
  sort(query: ListQuery, resourceType: ResourceType): Sort | undefined
}

const ofOneType: Reading = { filter: parseFilter, sort: parseSort }
const ofAnyType: Reading = { filter: parseFilterAcrossTypes, sort: parseSortAcrossTypes }

/**
 * Answers a query of one kind of resource (RFC 7644 §3.4.2).
 *
 * @throws ScimError 400 for a query that cannot be answered
 */
export function search<T>(context: SearchContext, source: ListSource<T>, query: ListQuery): Promise<ScimResponse> {
  return answerFrom(context, [source], query, ofOneType)
}

/**
 * Answers a query of all kinds of resources together, one behind the other unless they are sorted (RFC 7644 §3.4.2.1).
 *
 * @throws ScimError 400 for a query that cannot be answered
 */
export function searchAll(
  context: SearchContext,
  sources: readonly ListSource<unknown>[],
  query: ListQuery,
): Promise<ScimResponse> {
  return answerFrom(context, sources, query, ofAnyType)
}

async function answerFrom(
  context: SearchContext,
  sources: readonly ListSource<unknown>[],
  query: ListQuery,
  reading: Reading,
): Promise<ScimResponse> {
  const projections = sources.map(({ resourceType }) => parseProjection(query, resourceType))
  const plans = sources.map((source) => {
    const filter = query.filter === undefined ? undefined : reading.filter(query.filter, source.resourceType)
    return planSearch(source, filter, reading.sort(query, source.resourceType), sources.length === 1)
  })
  const { found, numbers } = await pageOf(context, sources, plans, query)
  const bodies = await bodiesOf(sources, found, projections)
  return { status: 200, headers: {}, body: listBody(bodies, listResponseEnvelope(numbers)), events: [] }
}

interface ShownPage {
  readonly found: readonly Found[]
  readonly numbers: PageInfo
}

function pageOf(
  context: SearchContext,
  sources: readonly ListSource<unknown>[],
  plans: SearchPlans,
  query: ListQuery,
): Promise<ShownPage> {
  const work = beginWork(context.slices, context.isAbandoned)
  const sort = plans.find((plan) => plan?.sort !== undefined)?.sort
  const { page } = query
  if (page.kind === 'index') return indexPage(plans, sort, page, work)
  const types = sources.map(({ resourceType }) => resourceType.name)
  const digest = queryDigest([types, query.filter, query.sortBy, query.sortOrder])
  return cursorPage(context, plans, sort, page, digest, work)
}

async function indexPage(
  plans: SearchPlans,
  sort: Sort | undefined,
  { startIndex, count }: Extract<PageQuery, { kind: 'index' }>,
  work: LongWork,
): Promise<ShownPage> {
  const offset = startIndex - 1
  const { found, totalResults } =
    sort === undefined
      ? await pageFromOffset(plans, offset, count, work)
      : await sortedPageFromOffset(plans, sort, offset, count, work)
  return { found, numbers: { totalResults, itemsPerPage: found.length, position: { startIndex } } }
}

async function cursorPage(
  { directory, now }: SearchContext,
  plans: SearchPlans,
  sort: Sort | undefined,
  { cursor, count }: Extract<PageQuery, { kind: 'cursor' }>,
  query: string,
  work: LongWork,
): Promise<ShownPage> {
  const before = cursor === '' ? undefined : openCursor(directory, cursor, { query, count, now })
  const page: FoundPage =
    sort === undefined
      ? await pageBehind(plans, before, count, work)
      : await sortedPageBehind(plans, sort, before?.place, count, work)
  const found = page.found.slice(0, count)
  const last = page.found.length > count ? found.at(-1) : undefined
  const { totalResults } = page
  const nextCursor = last && sealCursor(directory, { place: placeOf(last), query, count, totalResults, issuedAt: now })
  return { found, numbers: { totalResults, itemsPerPage: found.length, position: { nextCursor } } }
}

function placeOf({ source, position, key }: Found) {
  return { source, position, key }
}

/** The bodies of what was found, in its order; each source makes all of its own together. */
async function bodiesOf(
  sources: readonly ListSource<unknown>[],
  found: readonly Found[],
  projections: readonly (Projection | undefined)[],
): Promise<Body[]> {
  const bySource = await Promise.all(
    sources.map(async (source, index) => {
      const items = found.filter((one) => one.source === index).map(({ item }) => item)
      return (await source.bodies(items, projections[index])).values()
    }),
  )
  return found.flatMap(({ source }) => bySource[source]?.next().value ?? [])
}

/** One text when all bodies are, else the pieces one after the other. */
function listBody(
  bodies: readonly Body[],
  { before, after }: { readonly before: string; readonly after: string },
): Body {
  return bodies.every((body) => typeof body === 'string')
    ? `${before}${bodies.join(',')}${after}`
    : inPieces(bodies, before, after)
}

async function* inPieces(
  bodies: readonly Body[],
  before: string,
  after: string,
): AsyncGenerator<string, void, undefined> {
  yield before
  for (const [index, body] of bodies.entries()) {
    if (index > 0) yield ','
    if (typeof body === 'string') yield body
    else yield* body
  }
  yield after
}
