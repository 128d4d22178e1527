import type { ListPage, ListPosition, ListRow } from '../../directory/list.ts'
import type { CursorPlace } from './cursor.ts'
import type { SearchPlan } from './plan.ts'
import { pageOfRows } from './plan.ts'
import type { SearchWork } from './scan.ts'
import { scanMatches } from './scan.ts'

/** The plan of each source, in the order of the list; undefined where nothing can match. */
export type SearchPlans = readonly (SearchPlan<unknown> | undefined)[]

/** A found resource, and its position. */
export interface Found extends CursorPlace {
  readonly item: unknown
}

/** A page of found resources. */
export interface FoundPage {
  readonly found: readonly Found[]
  /** The number of matches on all pages together. */
  readonly totalResults: number
}

/** The end of the previous page, and the number of matches when the first page was read. */
export interface PreviousPage {
  readonly place: CursorPlace
  readonly totalResults: number
}

/** The page that starts at an offset, in the order of the plans, one source after the other. */
export async function pageFromOffset(
  plans: SearchPlans,
  offset: number,
  count: number,
  work: SearchWork,
): Promise<FoundPage> {
  const found: Found[] = []
  let totalResults = 0
  for (const [source, plan] of plans.entries()) {
    if (plan === undefined) continue
    const part = await partFromOffset(plan, Math.max(0, offset - totalResults), count - found.length, work)
    found.push(...part.rows.map((row) => foundRow(source, row)))
    totalResults += part.total
  }
  return { found, totalResults }
}

/** The page after another one, or the first page; it has one resource more than `count` if more follow. */
export async function pageAfter(
  plans: SearchPlans,
  previous: PreviousPage | undefined,
  count: number,
  work: SearchWork,
): Promise<FoundPage> {
  if (previous === undefined) return pageFromOffset(plans, 0, count + 1, work)
  const { place, totalResults } = previous
  const found: Found[] = []
  for (const [source, plan] of plans.entries()) {
    if (plan === undefined || source < place.source || found.length > count) continue
    const from = source === place.source ? place.position : 0
    const rows = await readRows(plan, from, count + 1 - found.length, work)
    found.push(...rows.map((row) => foundRow(source, row)))
  }
  return { found, totalResults }
}

function foundRow(source: number, { item, position }: ListRow<unknown>): Found {
  return { source, item, position, key: null }
}

function partFromOffset<T>(plan: SearchPlan<T>, offset: number, limit: number, work: SearchWork): Promise<ListPage<T>> {
  return plan.rest === undefined ? pageOfRows(plan, offset, limit) : scannedPage(plan, offset, limit, work)
}

async function scannedPage<T>(
  plan: SearchPlan<T>,
  offset: number,
  limit: number,
  work: SearchWork,
): Promise<ListPage<T>> {
  const rows: ListRow<T>[] = []
  let total = 0
  for await (const matches of scanMatches(plan, 0, work)) {
    const first = Math.max(0, offset - total)
    rows.push(...matches.slice(first, first + limit - rows.length))
    total += matches.length
  }
  return { rows, total }
}

async function readRows<T>(
  plan: SearchPlan<T>,
  from: ListPosition | number,
  limit: number,
  work: SearchWork,
): Promise<ListRow<unknown>[]> {
  if (plan.rest === undefined) return plan.source.list({ ...plan.choice, from, limit })
  const rows: ListRow<unknown>[] = []
  for await (const matches of scanMatches(plan, from, work)) {
    rows.push(...matches.slice(0, limit - rows.length))
    if (rows.length === limit) break
  }
  return rows
}
