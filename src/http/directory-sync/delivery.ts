import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { DeadEventsInput, ReplayInput } from '../../delivery/control.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { HttpContext } from '../context.ts'
import type { RouteScope } from './access.ts'
import { documented, envelope, IdParams } from './schemas.ts'

interface ById {
  Params: { id: string }
}

const time = Type.Union([Type.String(), Type.Null()])
const StatusSchema = Type.Object({
  state: Type.Enum(['off', 'flowing', 'failing', 'paused']),
  delivered_sequence: Type.Integer(),
  last_sequence: Type.Integer(),
  undelivered: Type.Integer(),
  failures: Type.Integer({ description: 'Attempts in a row that were in vain.' }),
  failing_since: time,
  next_attempt_at: time,
  paused: Type.Union([
    Type.Object({ reason: Type.Enum(['gone', 'failing', 'operator']), at: Type.String() }),
    Type.Null(),
  ]),
  dead_events: Type.Integer(),
})
const DeadEventSchema = Type.Object({
  sequence: Type.Integer(),
  died_at: Type.String(),
  reason: Type.String(),
  payload: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
})
const TestSchema = Type.Object({
  delivered: Type.Boolean(),
  status_code: Type.Union([Type.Integer(), Type.Null()]),
  latency_ms: Type.Integer(),
  error: Type.Union([Type.String(), Type.Null()]),
})
const ReportSchema = Type.Object({
  directories: Type.Integer(),
  delivered: Type.Integer(),
  failed: Type.Integer(),
  remaining: Type.Integer(),
})

/** What an operator sees of the delivery of events, and does with it. The parent plugin has checked the API key. */
export function addDeliveryRoutes(app: FastifyInstance, { service }: HttpContext): void {
  const { delivery } = service
  const status = (summary: string): { config: { scope: RouteScope }; schema: object } => ({
    config: { scope: 'directory' },
    schema: documented(summary, { params: IdParams, response: envelope(StatusSchema) }),
  })
  app.get<ById>('/:id/delivery', status("How the delivery of a directory's events goes"), async ({ params }) =>
    answer(await delivery.status(params.id)),
  )
  app.post<ById>('/:id/pause', status('Send nothing more until it is resumed'), async ({ params, caller }) =>
    answer(await delivery.pause(params.id, caller)),
  )
  app.post<ById>('/:id/resume', status('Go on where the delivery stopped'), async ({ params, caller }) =>
    answer(await delivery.resume(params.id, caller)),
  )
  app.post<ById>(
    '/:id/replay',
    {
      config: { scope: 'directory' },
      schema: documented('Send one event once more, or all from a place or a time on', {
        params: IdParams,
        body: ReplayInput,
        response: envelope(StatusSchema),
      }),
    },
    async ({ params, body, caller }) => answer(await delivery.replay(params.id, body, caller)),
  )
  app.get<ById>(
    '/:id/dead-events',
    {
      config: { scope: 'directory' },
      schema: documented('List the events that the endpoint refused for good', {
        params: IdParams,
        querystring: DeadEventsInput,
        response: envelope(Type.Array(DeadEventSchema)),
      }),
    },
    async ({ params, query }) => {
      const { rows, next } = await delivery.deadEvents(params.id, withNumbers(query))
      return { data: rows, ...(next === undefined ? {} : { next }), error: null }
    },
  )
  app.post<ById>(
    '/:id/test-event',
    {
      config: { scope: 'directory' },
      schema: documented('Try the endpoint with a test event', { params: IdParams, response: envelope(TestSchema) }),
    },
    async ({ params }) => answer(await delivery.sendTest(params.id)),
  )
  app.post(
    '/cron/process-events',
    {
      config: { scope: 'service' },
      schema: documented('Send the events that are due', { response: envelope(ReportSchema) }),
    },
    async () => {
      const report = await service.processEvents()
      if (report !== undefined) return answer(report)
      throw new DirectoryError('already-running', 'Events are being processed already: nothing was done.')
    },
  )
}

function answer<T>(data: T) {
  return { data, error: null }
}

/** Numbers come as text in a query string. */
function withNumbers(query: unknown): object {
  const entries = Object.entries(query ?? {}).map(([name, value]) => {
    const isNumber = typeof value === 'string' && /^\d{1,15}$/.test(value)
    return [name, isNumber ? Number(value) : value]
  })
  return Object.fromEntries(entries)
}

interface ById {
  Params: { id: string }
}

const syncId = Type.String({ description: 'In `data` of every event of this resync.' })

const BegunSchema = Type.Object({ sync_id: syncId, state: Type.Literal('running') })

const ResyncSchema = Type.Object({
  sync_id: syncId,
  state: Type.Union([Type.Literal('running'), Type.Literal('completed')]),
  users: Type.Integer({ description: 'How many were told until now.' }),
  groups: Type.Integer(),
  members: Type.Integer(),
  started_at: Type.String(),
  completed_at: Type.Union([Type.String(), Type.Null()]),
})

/** Resyncs as the product asks for them. The parent plugin has checked the API key. */
export function addResyncRoutes(app: FastifyInstance, { service: { resyncs } }: HttpContext): void {
  app.post<ById>(
    '/:id/resync',
    {
      config: { scope: 'directory' },
      schema: documented('Tell all that a directory holds as events, in the background', {
        params: IdParams,
        response: envelope(BegunSchema),
      }),
    },
    async ({ params, id: requestId, caller }, reply) => {
      reply.code(202)
      return { data: await resyncs.begin(params.id, requestId, caller), error: null }
    },
  )
  app.get<ById>(
    '/:id/resync',
    {
      config: { scope: 'directory' },
      schema: documented('How the last resync of a directory goes', {
        params: IdParams,
        response: envelope(ResyncSchema),
      }),
    },
    async ({ params }) => ({ data: await resyncs.last(params.id), error: null }),
  )
}
