import type { Found } from '../provisioning/search/pages.ts'
import type { ListSource } from '../provisioning/search/plan.ts'
import { search } from '../provisioning/search/search.ts'
import { listText } from '../scim/json-text.ts'
import type { ListQuery } from '../scim/list-query.ts'
import { listResponseEnvelope } from '../scim/messages.ts'
import type { Projection } from '../scim/projection.ts'
import { parseProjection } from '../scim/projection.ts'
import type { OperationContext, ScimResponse } from './request.ts'

/** JSON text, whole or in pieces. */
export type JsonBody = string | AsyncIterable<string>

/** A source of resources that knows their representations. */
export interface ResponseSource<T> extends ListSource<T> {
  /** The representations of the items, in their order. */
  bodies(items: readonly T[], projection: Projection | undefined): Promise<JsonBody[]>
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
  const { attributes, excludedAttributes } = query
  const projections = sources.map((source) => parseProjection({ attributes, excludedAttributes }, source.resourceType))
  const { found, page } = await search({ directory, slices, now: cause.at, isAbandoned }, sources, query)
  const bodies = await bodiesOf(sources, found, projections)
  return { status: 200, headers: {}, body: joined(bodies, listResponseEnvelope(page)), events: [] }
}

/** The representations in the order of the list; each source makes its own in one call. */
async function bodiesOf(
  sources: readonly ResponseSource<unknown>[],
  found: readonly Found[],
  projections: readonly (Projection | undefined)[],
): Promise<JsonBody[]> {
  const [alone, another] = sources
  if (alone !== undefined && another === undefined)
    return alone.bodies(
      found.map(({ item }) => item),
      projections[0],
    )
  const bySource = await Promise.all(
    sources.map(async (source, index) => {
      const items = found.filter((one) => one.source === index).map(({ item }) => item)
      return (await source.bodies(items, projections[index])).values()
    }),
  )
  return found.flatMap(({ source }) => bySource[source]?.next().value ?? [])
}

interface Envelope {
  readonly before: string
  readonly after: string
}

/** One text when all bodies are texts, otherwise a stream of pieces. */
function joined(bodies: readonly JsonBody[], { before, after }: Envelope): JsonBody {
  return bodies.every((body) => typeof body === 'string')
    ? listText(before, bodies, after)
    : streamed(bodies, { before, after })
}

async function* streamed(
  bodies: readonly JsonBody[],
  { before, after }: Envelope,
): AsyncGenerator<string, void, undefined> {
  yield before
  for (const [index, body] of bodies.entries()) {
    if (index > 0) yield ','
    if (typeof body === 'string') yield body
    else yield* body
  }
  yield after
}
