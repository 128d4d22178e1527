import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { digestKey } from '../../admin/keys/key-text.ts'
import type { FeedAnswer } from '../../delivery/feed/feed.ts'
import { FeedInput } from '../../delivery/feed/input.ts'
import { eventPayload } from '../../delivery/payload.ts'
import { Type } from '../../inputs/json-schema.ts'
import { isObject } from '../../scim/json.ts'
import { authorizationOf, credential } from '../authorization.ts'
import type { HttpContext } from '../context.ts'
import { JsonStream, TextStream } from '../responses.ts'
import { EventSchema } from './event-schemas.ts'
import { routeOptions } from './schemas.ts'

/**
 * Time after which a stream is closed if its reader has read nothing, in milliseconds; the reader can continue where it
 * stopped.
 */
const stalledAfterMs = 120_000
/** The same time during shutdown. */
const shutdownStalledAfterMs = 500

const FeedPageSchema = Type.Object(
  {
    data: Type.Array(EventSchema),
    next: Type.String({
      description: 'The cursor after these events; send it as `after`.',
      examples: ['AlJ0w5uxB6Cp3xq3zAtA1AE'],
    }),
    held: Type.Optional(
      Type.Object(
        { directory_id: Type.String(), since: Type.String({ format: 'date-time' }) },
        { description: 'A directory of the scope whose further events are held; absent when there is none.' },
      ),
    ),
    error: Type.Null(),
  },
  { title: 'FeedPage' },
)
const EventStreamSchema = Type.String({
  description:
    'Server-sent events: `id` is the cursor after the event, `data` the event as JSON. A comment that begins with `held` says that further events of a directory are held.',
  examples: ['id: AlJ0w5uxB6Cp3xq3zAtA1AE\nevent: user.created\ndata: {}\n\n'],
})
const feedResponse = {
  content: { 'application/json': { schema: FeedPageSchema }, 'text/event-stream': { schema: EventStreamSchema } },
}

/**
 * The event feed: pages read with a cursor, or a stream of server-sent events. The parent plugin has authorized the
 * caller.
 */
export function addFeedRoutes(app: FastifyInstance, { service: { feed } }: HttpContext): void {
  const streams = new Set<ServerResponse>()
  app.addHook('preClose', async () => {
    feed.close()
    for (const stream of streams) endSoon(stream)
  })
  app.get(
    '/feed',
    routeOptions('query', 'Read the events after a cursor', {
      operationId: 'readFeed',
      querystring: FeedInput,
      response: feedResponse,
      errors: [409],
      description:
        'With `Accept: text/event-stream`, the same as server-sent events, continuing with new ones; `Last-Event-ID` takes precedence over `after`. 409 `cursor-diverged`: the stored events are not those that the cursor has passed; request a resync of `diverged.directory_ids`, and continue with `diverged.next`.',
    }),
    async (request, reply) => (wantsStream(request) ? follow(request, reply) : sendPage(request, reply)),
  )

  async function sendPage({ query }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const page = await feed.page(query)
    return reply.header('content-type', 'application/json; charset=utf-8').send(new JsonStream(pageTexts(page)))
  }

  async function follow(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { query, headers } = request
    const gone = new AbortController()
    streams.add(reply.raw)
    reply.raw.once('close', () => {
      streams.delete(reply.raw)
      gone.abort()
    })
    const pieces = await feed.open(resumed(query, headers['last-event-id']), gone.signal, callerKeyOf(request))
    reply.raw.setTimeout(stalledAfterMs)
    // Prevents nginx from buffering the stream.
    reply.header('content-type', 'text/event-stream; charset=utf-8').header('x-accel-buffering', 'no')
    return reply.send(new TextStream(whileAuthorized(request, pieces)))
  }
}

/** Identifies the API key or the admin of a request. */
function callerKeyOf({ raw, caller }: FastifyRequest): string {
  const key = credential(authorizationOf(raw), 'Api-Key')
  return key === undefined ? `${caller.kind}:${caller.id}` : digestKey(key)
}

/** Ends a stream once its caller is no longer authorized: the key was deleted, or the admin logged out. */
async function* whileAuthorized(
  request: FastifyRequest,
  pieces: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  for await (const piece of pieces) {
    if (!(await request.isStillAuthorized())) return
    yield piece
  }
}

/** Lets a stream finish during shutdown, but closes it immediately if its reader does not read. */
function endSoon(stream: ServerResponse): void {
  if (stream.writableNeedDrain) stream.destroy()
  else stream.setTimeout(shutdownStalledAfterMs)
}

/** A HEAD request gets a page, because the response to a stream would never end. */
function wantsStream({ method, headers: { accept = '' } }: FastifyRequest): boolean {
  return method === 'GET' && /\btext\/event-stream\b/i.test(accept)
}

/** Reads the cursor in the header: a reader that reconnects repeats its first URL. */
function resumed(query: unknown, lastEventId: string | string[] | undefined): unknown {
  return isObject(query) && typeof lastEventId === 'string' && lastEventId !== ''
    ? { ...query, after: lastEventId }
    : query
}

async function* pageTexts({ events, next, held }: FeedAnswer): AsyncGenerator<string, void, undefined> {
  yield '{"data":['
  let separator = ''
  for (const { event, directory } of events) {
    yield separator + eventPayload(event, directory)
    separator = ','
  }
  const hold = held === undefined ? '' : `,"held":${JSON.stringify(held)}`
  yield `],"next":${JSON.stringify(next)}${hold},"error":null}`
}
