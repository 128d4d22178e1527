import type { Found } from '../provisioning/search/pages.ts'
import type { ListSource } from '../provisioning/search/plan.ts'
import { search } from '../provisioning/search/search.ts'
import type { JsonBody, JsonItems } from '../scim/json-list.ts'
import { eachItem, jsonList } from '../scim/json-list.ts'
import type { ListQuery } from '../scim/list-query.ts'
import { listResponseEnvelope } from '../scim/messages.ts'
import type { OperationContext, ScimResponse } from './request.ts'

/** A source of resources that can represent them. */
export interface ResponseSource<T> extends ListSource<T> {
  bodies(items: readonly T[]): JsonItems
}

/**
 * A list of the resources that match a query (RFC 7644 §3.4.2); those of several sources follow one another unless they
 * are sorted.
 *
 * @throws ScimError 400 when the query is not valid or too expensive
 */
export async function listResponse(
  { directory, slices, cause }: OperationContext,
  sources: readonly ResponseSource<unknown>[],
  query: ListQuery,
  isAbandoned: (() => boolean) | undefined,
): Promise<ScimResponse> {
  const { found, page } = await search({ directory, slices, now: cause.at, isAbandoned }, sources, query)
  const { before, after } = listResponseEnvelope(page)
  const body = await jsonList(before, bodiesOf(sources, found), after, found.length)
  return { status: 200, headers: {}, body, events: [] }
}

/** The representations in the order of the list. */
function bodiesOf(sources: readonly ResponseSource<unknown>[], found: readonly Found[]): JsonItems {
  const [alone, another] = sources
  if (alone !== undefined && another === undefined) return alone.bodies(found.map(({ item }) => item))
  return interleaved(sources, found)
}

/** The number of representations of several sources in a part. */
const bodiesPerPart = 20

/** Lets each source represent its own items. */
async function* interleaved(
  sources: readonly ResponseSource<unknown>[],
  found: readonly Found[],
): AsyncGenerator<readonly JsonBody[], void, undefined> {
  const bySource = sources.map((source, index) => {
    const items = found.filter((one) => one.source === index).map(({ item }) => item)
    return eachItem(source.bodies(items))
  })
  let part: JsonBody[] = []
  for (const { source } of found) {
    const next = await bySource[source]?.next()
    if (next?.done === false) part.push(next.value)
    if (part.length < bodiesPerPart) continue
    yield part
    part = []
  }
  yield part
}
