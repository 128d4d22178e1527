import type { FastifyInstance } from 'fastify'
import { StoredEventsInput, WatchInput } from '../../delivery/feed/stored.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { HttpContext } from '../context.ts'
import { sendJson, sendList } from '../responses.ts'
import { StoredEventSchema } from './event-schemas.ts'
import type { Follow } from './event-streams.ts'
import { EventStreamSchema, wantsStream } from './event-streams.ts'
import type { ById } from './schemas.ts'
import { EventParams, envelope, IdParams, routeOptions } from './schemas.ts'

const heldText = 'A directory whose further events are held, and not listed; absent when there is none.'
export const HeldDirectorySchema = Type.Named('HeldDirectory', heldText, {
  directory_id: Type.String(),
  since: Type.String({ format: 'date-time' }),
})
const StoredEventsSchema = Type.Named('StoredEvents', 'Stored events of a directory.', {
  data: Type.Array(StoredEventSchema),
  pageToken: Type.Optional(Type.String({ description: 'The token of the next page; absent on the last one.' })),
  next: Type.String({
    description: 'The cursor after the newest event; send it as `after` to follow new events.',
    examples: ['AlJ0w5uxB6Cp3xq3zAtA1AE'],
  }),
  held: Type.Optional(HeldDirectorySchema),
  error: Type.Null(),
})
const response = {
  content: { 'application/json': { schema: StoredEventsSchema }, 'text/event-stream': { schema: EventStreamSchema } },
}

/** The stored events of a directory for whoever looks after it. The parent plugin has authorized the caller. */
export function addStoredEventRoutes(app: FastifyInstance, { service: { feed } }: HttpContext, follow: Follow): void {
  app.get<ById>(
    '/:id/events',
    routeOptions('directory', 'List the stored events of a directory, newest first', {
      operationId: 'listEvents',
      params: IdParams,
      querystring: Type.Object({ ...StoredEventsInput.properties, ...WatchInput.properties }),
      response,
      errors: [409],
      description:
        'For people who look, not for consumers: reading here does not count as reading the feed. With `Accept: text/event-stream`, the events after the cursor `after` as server-sent events, continuing with new ones; an event `heartbeat` at least every seven seconds says that the stream is alive. 409 `cursor-diverged`: the stored events are not those that the cursor has passed; list them again.',
    }),
    async (request, reply) => {
      const { id } = request.params
      if (wantsStream(request)) return follow(request, reply, (query, ...how) => feed.watch(id, query, ...how))
      const { next, held, ...listing } = await feed.list(id, request.query)
      const hold = held === undefined ? '' : `,"held":${JSON.stringify(held)}`
      return sendList(reply, listing, `,"next":${JSON.stringify(next)}${hold},"error":null}`)
    },
  )
  app.get<{ Params: { id: string; sequence: string } }>(
    '/:id/events/:sequence',
    routeOptions('directory', 'Get a stored event of a directory, which may be held', {
      operationId: 'getEvent',
      params: EventParams,
      response: envelope(StoredEventSchema),
    }),
    async ({ params: { id, sequence } }, reply) => sendJson(reply, await feed.get(id, Number(sequence))),
  )
}
