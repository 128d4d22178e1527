import type { Found } from '../provisioning/search/pages.ts'
import type { ListSource } from '../provisioning/search/plan.ts'
import { search } from '../provisioning/search/search.ts'
import { listText } from '../scim/json-text.ts'
import type { ListQuery } from '../scim/list-query.ts'
import { listResponseEnvelope } from '../scim/messages.ts'
import type { OperationContext, ScimResponse } from './request.ts'

/** JSON text, whole or in pieces. */
export type JsonBody = string | AsyncIterable<string>

/** Representations in their order: all of them, or in parts, of which only one has to be in memory. */
export type Bodies = readonly JsonBody[] | AsyncIterable<readonly JsonBody[]>

/** A source of resources that knows their representations. */
export interface ResponseSource<T> extends ListSource<T> {
  bodies(items: readonly T[]): Bodies
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
  const bodies = bodiesOf(sources, found)
  const body = await joined(bodies, found.length, listResponseEnvelope(page))
  return { status: 200, headers: {}, body, events: [] }
}

/** The representations in the order of the list. */
function bodiesOf(sources: readonly ResponseSource<unknown>[], found: readonly Found[]): Bodies {
  const [alone, another] = sources
  if (alone !== undefined && another === undefined) return alone.bodies(found.map(({ item }) => item))
  return interleaved(sources, found)
}

/** How many representations of several sources are in a part. */
const bodiesPerPart = 20

/** Each source makes the representations of its own items. */
async function* interleaved(
  sources: readonly ResponseSource<unknown>[],
  found: readonly Found[],
): AsyncGenerator<readonly JsonBody[], void, undefined> {
  const bySource = sources.map((source, index) => {
    const items = found.filter((one) => one.source === index).map(({ item }) => item)
    return oneByOne(source.bodies(items))
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

async function* oneByOne(bodies: Bodies): AsyncGenerator<JsonBody, void, undefined> {
  if ('length' in bodies) yield* bodies
  else for await (const part of bodies) yield* part
}

interface Envelope {
  readonly before: string
  readonly after: string
}

/** One text when the first part is all and has only texts, otherwise a stream of pieces. */
async function joined(bodies: Bodies, count: number, { before, after }: Envelope): Promise<JsonBody> {
  if ('length' in bodies && areTexts(bodies)) return listText(before, bodies, after)
  const parts = 'length' in bodies ? inOnePart(bodies) : bodies
  const rest = parts[Symbol.asyncIterator]()
  const first = await rest.next()
  const part = first.done === true ? [] : first.value
  return part.length === count && areTexts(part)
    ? listText(before, part, after)
    : streamed(part, rest, { before, after })
}

function areTexts(bodies: readonly JsonBody[]): bodies is readonly string[] {
  return bodies.every((body) => typeof body === 'string')
}

async function* inOnePart(bodies: readonly JsonBody[]): AsyncGenerator<readonly JsonBody[], void, undefined> {
  yield bodies
}

async function* streamed(
  first: readonly JsonBody[],
  rest: AsyncIterator<readonly JsonBody[]>,
  { before, after }: Envelope,
): AsyncGenerator<string, void, undefined> {
  let separator = ''
  yield before
  for (let bodies = first; ; ) {
    for (const body of bodies) {
      if (typeof body === 'string') yield separator + body
      else {
        yield separator
        yield* body
      }
      separator = ','
    }
    const next = await rest.next()
    if (next.done === true) break
    bodies = next.value
  }
  yield after
}
