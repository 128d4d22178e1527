import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { FeedInput } from '../../delivery/feed/input.ts'
import type { FeedEvent } from '../../delivery/feed/page.ts'
import { eventPayload } from '../../delivery/payload.ts'
import { eventTypes } from '../../directory/event.ts'
import { isObject } from '../../scim/json.ts'
import type { HttpContext } from '../context.ts'
import { jsonStream } from '../responses.ts'
import { documented } from './schemas.ts'

/** A reader that takes nothing for so long, in milliseconds, is cut off; it comes back where it was. */
const stalledAfterMs = 120_000
/** The same while the service stops. */
const stalledAtEndMs = 500

/** An event as the product gets it. */
const EventSchema = Type.Object({
  id: Type.String(),
  sequence: Type.Integer({ description: '1, 2, 3 … per directory, without gaps.' }),
  event: Type.Unsafe<string>({ type: 'string', enum: eventTypes }),
  tenant: Type.String(),
  product: Type.String(),
  directory_id: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  data: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
  changes: Type.Optional(Type.Unsafe<object>({ type: 'object', additionalProperties: true })),
})

const FeedAnswer = Type.Object({
  data: Type.Array(EventSchema),
  next: Type.String({ description: 'The cursor behind these events; send it as `after`.' }),
  error: Type.Null(),
})

/** The events of a scope, read with a cursor or followed as server-sent events. The parent plugin has checked the API key. */
export function addFeedRoutes(app: FastifyInstance, { service: { feed } }: HttpContext): void {
  const streams = new Set<ServerResponse>()
  app.addHook('preClose', async () => {
    feed.close()
    for (const stream of streams) hurry(stream)
  })
  app.get(
    '/feed',
    {
      config: { scope: 'query' },
      schema: {
        ...documented('Read the events behind a cursor', { querystring: FeedInput, response: FeedAnswer }),
        description:
          'With `Accept: text/event-stream` the same as server-sent events, which go on with what comes; `Last-Event-ID` counts before `after`.',
      },
    },
    async (request, reply) => (wantsStream(request) ? follow(request, reply) : sendPage(request, reply)),
  )

  async function sendPage({ query }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { events, next } = await feed.page(query)
    return reply.header('content-type', 'application/json; charset=utf-8').send(jsonStream(pageTexts(events, next)))
  }

  async function follow(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { query, headers } = request
    const gone = new AbortController()
    streams.add(reply.raw)
    reply.raw.once('close', () => {
      streams.delete(reply.raw)
      gone.abort()
    })
    const pieces = await feed.open(resumed(query, headers['last-event-id']), gone.signal)
    reply.raw.setTimeout(stalledAfterMs)
    // Proxies that gather answers would hold events back.
    reply.header('content-type', 'text/event-stream; charset=utf-8').header('x-accel-buffering', 'no')
    return reply.send(Readable.from(whileLetIn(request, pieces), { objectMode: false, highWaterMark: 1 }))
  }
}

/** Ends a stream before the first piece that is not for its reader any more: the key is deleted, or the admin logged out. */
async function* whileLetIn(
  request: FastifyRequest,
  pieces: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  for await (const piece of pieces) {
    if (!(await request.isStillAuthorized())) return
    yield piece
  }
}

/** Lets a stream end; one whose reader takes nothing is cut off, as it would hold up the stop. */
function hurry(stream: ServerResponse): void {
  if (stream.writableNeedDrain) stream.destroy()
  else stream.setTimeout(stalledAtEndMs)
}

/** Whether the answer is to be a stream; the head alone of one would never end. */
function wantsStream({ method, headers: { accept = '' } }: FastifyRequest): boolean {
  return method === 'GET' && /\btext\/event-stream\b/i.test(accept)
}

/** A reader that connects again sends the address that it began with, and the last cursor in a header. */
function resumed(query: unknown, lastEventId: string | string[] | undefined): unknown {
  return isObject(query) && typeof lastEventId === 'string' && lastEventId !== ''
    ? { ...query, after: lastEventId }
    : query
}

async function* pageTexts(events: readonly FeedEvent[], next: string): AsyncGenerator<string, void, undefined> {
  yield '{"data":['
  let separator = ''
  for (const { event, directory } of events) {
    yield separator + eventPayload(event, directory)
    separator = ','
  }
  yield `],"next":${JSON.stringify(next)},"error":null}`
}
