import type { Listed, ListPosition } from '../../directory/store.ts'
import type { FoundPage, PageBefore } from './found-page.ts'
import type { LongWork } from './long-work.ts'
import { matchesFrom } from './matches.ts'
import type { SearchPlan } from './plan.ts'

/** Plans by source, in the order of the list; undefined where nothing can match. */
export type SearchPlans = readonly (SearchPlan<unknown> | undefined)[]

/** A part of what matches of one plan. */
interface Part {
  readonly rows: readonly Listed<unknown>[]
  /** Of the whole plan. */
  readonly totalResults: number
}

/** The page from an offset on, in the order of the walks, one source behind the other. */
export async function pageFromOffset(
  plans: SearchPlans,
  offset: number,
  count: number,
  work: LongWork,
): Promise<FoundPage> {
  const found: FoundPage['found'][number][] = []
  let totalResults = 0
  for (const [source, plan] of plans.entries()) {
    if (plan === undefined) continue
    const part = await partFromOffset(plan, Math.max(0, offset - totalResults), count - found.length, work)
    found.push(...part.rows.map(({ item, position }) => ({ source, item, position, key: null })))
    totalResults += part.totalResults
  }
  return { found, totalResults }
}

/** The page behind another, or the first one; with one resource more than `count` when more follow. */
export async function pageBehind(
  plans: SearchPlans,
  before: PageBefore | undefined,
  count: number,
  work: LongWork,
): Promise<FoundPage> {
  if (before === undefined) return pageFromOffset(plans, 0, count + 1, work)
  const found: FoundPage['found'][number][] = []
  for (const [source, plan] of plans.entries()) {
    if (plan === undefined || source < before.place.source || found.length > count) continue
    const from = source === before.place.source ? before.place.position : 0
    const rows = await rowsFrom(plan, from, count + 1 - found.length, work)
    found.push(...rows.map(({ item, position }) => ({ source, item, position, key: null })))
  }
  return { found, totalResults: before.totalResults }
}

/** Reads and counts; the part itself tells the count when it began at the start and was not filled. */
async function partFromOffset<T>(plan: SearchPlan<T>, offset: number, limit: number, work: LongWork): Promise<Part> {
  if (plan.rest !== undefined) return scannedPart(plan, offset, limit, work)
  const rows = limit === 0 ? [] : await plan.walk.read(offset, limit)
  const isWhole = offset === 0 && rows.length < limit
  return { rows, totalResults: isWhole ? rows.length : await plan.walk.count() }
}

async function scannedPart<T>(plan: SearchPlan<T>, offset: number, limit: number, work: LongWork): Promise<Part> {
  const rows: Listed<unknown>[] = []
  let totalResults = 0
  for await (const matches of matchesFrom(plan, 0, work)) {
    const first = Math.max(0, offset - totalResults)
    rows.push(...matches.slice(first, first + limit - rows.length))
    totalResults += matches.length
  }
  return { rows, totalResults }
}

async function rowsFrom<T>(
  plan: SearchPlan<T>,
  from: ListPosition | number,
  limit: number,
  work: LongWork,
): Promise<Listed<unknown>[]> {
  if (plan.rest === undefined) return plan.walk.read(from, limit)
  const rows: Listed<unknown>[] = []
  for await (const matches of matchesFrom(plan, from, work)) {
    rows.push(...matches.slice(0, limit - rows.length))
    if (rows.length === limit) break
  }
  return rows
}
