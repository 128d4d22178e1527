import type { TimeSlices } from '../../concurrency/time-slices.ts'
import type { ListPosition, ListRow } from '../../directory/list.ts'
import { ScimError } from '../../scim/errors.ts'
import { countTerms } from '../../scim/filter/ast.ts'
import { beyondAsciiWeight, evaluationCost } from '../../scim/filter/cost.ts'
import { createPredicate } from '../../scim/filter/evaluate.ts'
import type { SortKey } from '../../scim/sorting/sort.ts'
import { sortKey } from '../../scim/sorting/sort.ts'
import type { SearchPlan } from './plan.ts'

/** Duration of a slice of a search, after which other requests are served, in milliseconds. */
const sliceMs = 5

/** The maximum time that a search may work, in milliseconds, without the time that it waits for other requests. */
const maxWorkMs = 20_000

/** The maximum cost of evaluating a filter on one resource, by `evaluationCost`: the evaluation cannot be interrupted. */
const maxEvaluation = 4_000_000

const rowsPerBatch = 100

/** The work of one search, in slices between which other requests are served. */
export interface SearchWork {
  /**
   * Waits for the next slice.
   *
   * @throws ScimError 400 `tooMany` when the search takes too long or its client has disconnected
   */
  nextSlice(): Promise<void>
  /** Returns whether the time of the slice is over. */
  isSliceOver(): boolean
}

/** Begins the work of a search. */
export function beginWork(
  slices: TimeSlices,
  isAbandoned: () => boolean = () => false,
  now: () => number = () => performance.now(),
): SearchWork {
  let worked = 0
  let sliceBegan = now()
  return {
    async nextSlice() {
      worked += now() - sliceBegan
      if (worked > maxWorkMs) throw tooMany('This search takes too long')
      await slices.next()
      if (isAbandoned()) throw tooMany('The client has closed the connection')
      sliceBegan = now()
    },
    isSliceOver: () => now() - sliceBegan >= sliceMs,
  }
}

/** A matching row, with its key in the order of the plan; null when the rows are read in that order. */
export interface Match<T> extends ListRow<T> {
  readonly key: SortKey
}

/**
 * The matches of a plan, batch by batch in the order of its rows, starting after a position or at an offset.
 *
 * @throws ScimError 400 `tooMany`
 */
export async function* scanMatches<T>(
  plan: SearchPlan<T>,
  from: ListPosition | number,
  work: SearchWork,
): AsyncGenerator<Match<T>[], void, undefined> {
  const select = createSelect(plan)
  let next = from
  for (;;) {
    await work.nextSlice()
    const batch = await plan.source.list({ ...plan.choice, from: next, limit: rowsPerBatch })
    yield await select(batch, work)
    const last = batch.at(-1)
    if (last === undefined || batch.length < rowsPerBatch) return
    next = last.position
  }
}

/** Selects the matching rows of a batch; the filter is compiled once. */
function createSelect<T>({ source, rest, sort, computed }: SearchPlan<T>) {
  const isMatch = rest === undefined ? () => true : createPredicate(rest)
  const terms = rest === undefined ? 0 : countTerms(rest)
  return async (batch: readonly ListRow<T>[], work: SearchWork): Promise<Match<T>[]> => {
    const matches: Match<T>[] = []
    const rows = batch.values()
    const items = batch.map(({ item }) => item)
    for await (const evaluable of source.evaluable(items, computed)) {
      const { value: row } = rows.next()
      if (work.isSliceOver()) await work.nextSlice()
      if (evaluable === undefined || row === undefined) continue
      const { resource, size } = evaluable
      const mayBeExpensive = terms * size * beyondAsciiWeight > maxEvaluation
      if (rest !== undefined && mayBeExpensive && evaluationCost(rest, resource, maxEvaluation) > maxEvaluation) {
        throw tooMany('The filter has too many terms for a resource of this size')
      }
      if (isMatch(resource)) matches.push({ ...row, key: sort === undefined ? null : sortKey(sort, resource) })
    }
    return matches
  }
}

/** RFC 7644 §3.12, `tooMany`: more than the service provider is willing to process. */
function tooMany(problem: string): ScimError {
  const detail = `${problem}: narrow it by an eq condition on userName, externalId, emails, displayName or id.`
  return new ScimError(400, 'tooMany', detail)
}
