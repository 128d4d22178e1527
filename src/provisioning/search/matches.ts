import type { Listed, ListPosition } from '../../directory/store.ts'
import { countTerms } from '../../scim/filter/ast.ts'
import { createPredicate } from '../../scim/filter/evaluate.ts'
import type { JsonObject } from '../../scim/json.ts'
import type { LongWork } from './long-work.ts'
import { requireBriefLook } from './long-work.ts'
import type { SearchPlan } from './plan.ts'

/** A row that matches, with the resource that was looked at. */
export interface Match<T> extends Listed<T> {
  readonly resource: JsonObject
}

const rowsPerBatch = 100

/**
 * What matches of a plan, batch by batch in the order of its walk, from a place or an offset on. Between slices of the
 * work other requests are served.
 *
 * @throws ScimError 400 `tooMany`
 */
export async function* matchesFrom<T>(
  plan: SearchPlan<T>,
  from: ListPosition | number,
  work: LongWork,
): AsyncGenerator<Match<T>[], void, undefined> {
  const look = lookAt(plan)
  let next = from
  for (;;) {
    await work.turn()
    const batch = await plan.walk.read(next, rowsPerBatch)
    yield await look(batch, work)
    const last = batch.at(-1)
    if (last === undefined || batch.length < rowsPerBatch) return
    next = last.position
  }
}

/** Tells which rows of a batch match; the filter is made ready once. */
function lookAt<T>({ source, rest, computed }: SearchPlan<T>) {
  const isMatch = rest === undefined ? () => true : createPredicate(rest)
  const terms = rest === undefined ? 0 : countTerms(rest)
  return async (batch: readonly Listed<T>[], work: LongWork): Promise<Match<T>[]> => {
    const matches: Match<T>[] = []
    const rows = batch.values()
    const items = batch.map(({ item }) => item)
    for await (const { resource, size } of source.evaluable(items, computed)) {
      const { value: row } = rows.next()
      if (work.isOver()) await work.turn()
      requireBriefLook(terms, size)
      if (row !== undefined && isMatch(resource)) matches.push({ ...row, resource })
    }
    return matches
  }
}
