import { collectSmallest } from '../../scim/sorting/smallest.ts'
import type { Sort } from '../../scim/sorting/sort.ts'
import { compareKeys } from '../../scim/sorting/sort.ts'
import type { CursorPlace } from './cursor.ts'
import type { Found, FoundPage, SearchPlans } from './pages.ts'
import type { SearchWork } from './scan.ts'
import { scanMatches } from './scan.ts'

/** The number of positions that are kept in memory. A later page needs one more scan for each multiple of it. */
const maxKept = 5000

interface SortedPart {
  /** The positions in order. */
  readonly places: readonly CursorPlace[]
  readonly totalResults: number
}

/** The page that starts at an offset, in an order without an index (RFC 7644 §3.4.2.3). */
export async function sortedPageFromOffset(
  plans: SearchPlans,
  sort: Sort,
  offset: number,
  count: number,
  work: SearchWork,
): Promise<FoundPage> {
  let skip = offset
  let after: CursorPlace | undefined
  for (;;) {
    const limit = skip < maxKept ? skip + count : maxKept
    const { places, totalResults } = await placesAfter(plans, sort, after, limit, work)
    const isLast = skip < maxKept || offset >= totalResults || places.length < limit
    if (isLast) return { found: await foundAt(plans, places.slice(skip), work), totalResults }
    skip -= places.length
    after = places.at(-1)
  }
}

/** The page after a position, or the first page; it has one resource more than `count` if more follow. */
export async function sortedPageAfter(
  plans: SearchPlans,
  sort: Sort,
  after: CursorPlace | undefined,
  count: number,
  work: SearchWork,
): Promise<FoundPage> {
  const { places, totalResults } = await placesAfter(plans, sort, after, count + 1, work)
  return { found: await foundAt(plans, places, work), totalResults }
}

/** Scans all matches once and keeps the first positions after another one. */
async function placesAfter(
  plans: SearchPlans,
  sort: Sort,
  after: CursorPlace | undefined,
  limit: number,
  work: SearchWork,
): Promise<SortedPart> {
  const compare = (a: CursorPlace, b: CursorPlace) => comparePlaces(sort, a, b)
  const first = collectSmallest<CursorPlace>(limit, compare)
  let totalResults = 0
  for (const [source, plan] of plans.entries()) {
    if (plan?.sort === undefined) continue
    for await (const matches of scanMatches(plan, 0, work)) {
      totalResults += matches.length
      for (const { position, key } of matches) {
        const place = { source, position, key }
        if (after === undefined || compare(place, after) > 0) first.offer(place)
      }
    }
  }
  return { places: first.sorted(), totalResults }
}

/** Compares positions. Resources with the same key stay in creation order, which keeps pages stable. */
function comparePlaces(sort: Sort, a: CursorPlace, b: CursorPlace): number {
  return compareKeys(sort, a.key, b.key) || a.source - b.source || a.position.sequence - b.position.sequence
}

/** The number of resources that are read at a time, all of which may be large. */
const resourcesPerRead = 4

/** Reads the resources at these positions, as a list contains them, without those deleted in the meantime. */
async function foundAt(plans: SearchPlans, places: readonly CursorPlace[], work: SearchWork): Promise<Found[]> {
  const found: Found[] = []
  for (let start = 0; start < places.length; start += resourcesPerRead) {
    const part = places.slice(start, start + resourcesPerRead).map(async (place) => {
      return { ...place, item: await plans[place.source]?.source.get(place.position.id) }
    })
    found.push(...(await Promise.all(part)).filter(({ item }) => item !== undefined))
    await work.nextSlice()
  }
  return found
}
