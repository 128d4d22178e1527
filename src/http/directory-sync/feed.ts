import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FeedAnswer } from '../../delivery/feed/feed.ts'
import { FeedInput } from '../../delivery/feed/input.ts'
import { eventPayload } from '../../delivery/payload.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { HttpContext } from '../context.ts'
import { JsonStream } from '../responses.ts'
import { StoredEventSchema } from './event-schemas.ts'
import { createEventStreams, EventStreamSchema, wantsStream } from './event-streams.ts'
import { routeOptions } from './schemas.ts'
import { addStoredEventRoutes, HeldDirectorySchema } from './stored-events.ts'

const FeedPageSchema = Type.Named('FeedPage', 'Events after a cursor.', {
  data: Type.Array(StoredEventSchema),
  next: Type.String({
    description: 'The cursor after these events; send it as `after`.',
    examples: ['AlJ0w5uxB6Cp3xq3zAtA1AE'],
  }),
  held: Type.Optional(HeldDirectorySchema),
  error: Type.Null(),
})
const feedResponse = {
  content: { 'application/json': { schema: FeedPageSchema }, 'text/event-stream': { schema: EventStreamSchema } },
}

/**
 * The event feed: pages read with a cursor, or a stream of server-sent events. The parent plugin has authorized the
 * caller.
 */
export function addFeedRoutes(app: FastifyInstance, context: HttpContext): void {
  const { feed } = context.service
  const follow = createEventStreams(app, feed.close)
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
    async (request, reply) => (wantsStream(request) ? follow(request, reply, feed.open) : sendPage(request, reply)),
  )
  addStoredEventRoutes(app, context, follow)

  async function sendPage({ query }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const page = await feed.page(query)
    return reply.header('content-type', 'application/json; charset=utf-8').send(new JsonStream(pageTexts(page)))
  }
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
