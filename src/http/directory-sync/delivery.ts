import type { FastifyInstance } from 'fastify'
import { DeadEventsInput, ReplayInput, SkipInput } from '../../delivery/control.ts'
import { DeadEventListInput } from '../../delivery/dead-events.ts'
import { deliveryStates } from '../../delivery/policy.ts'
import { ReplaySeveralInput, ResumeSeveralInput } from '../../delivery/several.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { eventTypes } from '../../directory/event.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { HttpContext } from '../context.ts'
import { dataResponse, pageResponse } from '../responses.ts'
import { StoredEventSchema } from './event-schemas.ts'
import type { ById } from './schemas.ts'
import { ErrorReasonSchema, EventParams, envelope, IdParams, ResourceReferenceSchema, routeOptions } from './schemas.ts'

const time = Type.Union([Type.String(), Type.Null()])
const PauseSchema = Type.Named('DeliveryPause', 'Why the delivery is paused.', {
  reason: Type.Enum(['gone', 'failing', 'operator']),
  at: Type.String({ format: 'date-time' }),
  by: Type.Union([Type.String(), Type.Null()]),
})
const StatusSchema = Type.Named('DeliveryStatus', 'The state of the delivery of a directory.', {
  state: Type.Enum(deliveryStates),
  delivered_sequence: Type.Integer(),
  last_sequence: Type.Integer(),
  undelivered: Type.Integer({ description: 'Events that were not delivered yet.' }),
  failures: Type.Integer({ description: 'Failed attempts in a row.' }),
  failing_since: time,
  next_attempt_at: time,
  paused: Type.Union([PauseSchema, Type.Null()], { description: 'Why and since when it is paused; or null.' }),
  dead_events: Type.Integer({ description: 'Events that are set aside.', examples: [0] }),
})
const RefusalSchema = Type.Named('DirectoryRefusal', 'Why a directory was refused.', {
  reason: ErrorReasonSchema,
  message: Type.String({ description: 'What is wrong, and how to fix it.', examples: ['Another event blocks it.'] }),
})
const OneOfSeveralSchema = Type.Named('DeliveryOfOne', 'What became of one of several directories.', {
  directory_id: Type.String(),
  status: Type.Union([StatusSchema, Type.Null()], { description: 'Null when the directory was refused.' }),
  error: Type.Union([RefusalSchema, Type.Null()], { description: 'Null unless the directory was refused.' }),
})
const severalText =
  'Up to 100 directories by `directory_ids`, or all of a `product`, a `tenant` or both, 100 per call: while more follow, send the `pageToken` of the response with the same body.'
const DeadEventSchema = Type.Named('DeadEvent', 'An event that is set aside.', {
  sequence: Type.Integer(),
  died_at: Type.String({ format: 'date-time' }),
  reason: Type.String({ description: 'Why the last attempt failed, or why somebody skipped the event.' }),
  skipped: Type.Boolean({ description: 'Whether somebody skipped the event.' }),
  payload: StoredEventSchema,
})
const ListedDeadEventSchema = Type.Named('ListedDeadEvent', 'An event that is set aside, with its directory.', {
  directory_id: Type.String(),
  name: Type.String({ description: 'The name of the directory.' }),
  tenant: Type.String(),
  product: Type.String(),
  sequence: Type.Integer(),
  event_id: Type.String(),
  event: Type.Unsafe<string>({ type: 'string', enum: eventTypes }),
  request_id: Type.String({ description: 'The x-request-id of the request that caused the event.' }),
  created_at: Type.String({ format: 'date-time' }),
  resource: Type.Union([ResourceReferenceSchema, Type.Null()], {
    description: 'The user or group that the event is about; null for the events of a resync.',
  }),
  died_at: Type.String({ format: 'date-time' }),
  reason: Type.String({ description: 'Why the last attempt failed, or why somebody skipped the event.' }),
  skipped: Type.Boolean({ description: 'Whether somebody skipped the event.' }),
})
const DeadEventsSchema = Type.Object({
  data: Type.Array(DeadEventSchema),
  next: Type.Optional(Type.Integer({ description: 'The sequence to send as `after` for the next page.' })),
  error: Type.Null(),
})
const TestSchema = Type.Named('TestDelivery', 'The result of a test event.', {
  delivered: Type.Boolean({ description: 'Whether the endpoint accepted it.' }),
  status_code: Type.Union([Type.Integer(), Type.Null()], { description: 'Null without a response.', examples: [204] }),
  latency_ms: Type.Integer(),
  error: Type.Union([Type.String(), Type.Null()]),
})
const ReportSchema = Type.Named('ProcessReport', 'What a call to send events has done.', {
  directories: Type.Integer(),
  delivered: Type.Integer({ description: 'Events that were delivered.', examples: [28] }),
  failed: Type.Integer({ description: 'Attempts that failed.', examples: [0] }),
  remaining: Type.Integer({ description: 'Events that still wait.', examples: [0] }),
})
const syncId = Type.String({ description: 'In `data` of every event of this resync.' })
const ResyncStartedSchema = Type.Object({ sync_id: syncId, state: Type.Literal('running') }, { title: 'StartedResync' })
const ResyncSchema = Type.Named('Resync', 'The progress of a resync.', {
  sync_id: syncId,
  state: Type.Union([Type.Literal('running'), Type.Literal('completed')]),
  users: Type.Integer({ description: 'Sent so far.' }),
  groups: Type.Integer(),
  members: Type.Integer(),
  started_at: Type.String(),
  completed_at: Type.Union([Type.String(), Type.Null()]),
})

/** Status and control of the delivery of events. The parent plugin has authorized the caller. */
export function addDeliveryRoutes(app: FastifyInstance, context: HttpContext): void {
  addStreamRoutes(app, context)
  addSeveralRoutes(app, context)
  addDeadEventRoutes(app, context)
  addResyncRoutes(app, context)
  addProcessingRoutes(app, context)
}

function addStreamRoutes(app: FastifyInstance, { service: { delivery } }: HttpContext): void {
  const options = (operationId: string, summary: string, parts = {}) =>
    routeOptions('directory', summary, { operationId, params: IdParams, ...parts, response: envelope(StatusSchema) })
  app.get<ById>(
    '/:id/delivery',
    options('getDeliveryStatus', 'Get the delivery status of a directory'),
    async ({ params }) => dataResponse(await delivery.status(params.id)),
  )
  app.post<ById>('/:id/pause', options('pauseDelivery', 'Pause the delivery of events'), async ({ params, caller }) =>
    dataResponse(await delivery.pause(params.id, caller)),
  )
  app.post<ById>(
    '/:id/resume',
    options('resumeDelivery', 'Resume the delivery of events'),
    async ({ params, caller }) => dataResponse(await delivery.resume(params.id, caller)),
  )
  app.post<ById>(
    '/:id/replay',
    options('replayEvents', 'Replay one event, or all events from a sequence or time on', {
      errors: [409],
      body: ReplayInput,
    }),
    async ({ params, body, caller }) => dataResponse(await delivery.replay(params.id, body, caller)),
  )
}

function addSeveralRoutes(app: FastifyInstance, { service: { deliveryOfSeveral: several } }: HttpContext): void {
  const response = envelope(Type.Array(OneOfSeveralSchema))
  app.post(
    '/delivery/resume',
    routeOptions('body', 'Resume the delivery of events of several directories', {
      operationId: 'resumeDeliveries',
      body: ResumeSeveralInput,
      response,
      description: severalText,
    }),
    async ({ body, caller }) => pageResponse(await several.resume(body, caller)),
  )
  app.post(
    '/delivery/replay',
    routeOptions('body', 'Replay events in several directories', {
      operationId: 'replayDeliveries',
      body: ReplaySeveralInput,
      response,
      description: severalText,
    }),
    async ({ body, caller }) => pageResponse(await several.replay(body, caller)),
  )
}

function addDeadEventRoutes(app: FastifyInstance, { service: { delivery } }: HttpContext): void {
  app.get(
    '/dead-events',
    routeOptions('query', 'List the dead events of many directories, newest first', {
      operationId: 'listAllDeadEvents',
      querystring: DeadEventListInput,
      response: envelope(Type.Array(ListedDeadEventSchema)),
    }),
    async ({ query }) => pageResponse(await delivery.deadEventsIn(query)),
  )
  app.get<ById>(
    '/:id/dead-events',
    routeOptions('directory', 'List the dead events of a directory: rejected permanently, or skipped', {
      operationId: 'listDeadEvents',
      params: IdParams,
      querystring: DeadEventsInput,
      response: DeadEventsSchema,
    }),
    async ({ params, query }) => {
      const { rows, next } = await delivery.deadEvents(params.id, parseNumbers(query))
      return { data: rows, ...(next === undefined ? {} : { next }), error: null }
    },
  )
  app.post<{ Params: { id: string; sequence: string } }>(
    '/:id/events/:sequence/skip',
    routeOptions('directory', 'Skip the event that blocks the delivery of a directory', {
      operationId: 'skipEvent',
      errors: [409],
      params: EventParams,
      body: SkipInput,
      response: envelope(StatusSchema),
      description:
        'The event becomes dead, with the reason, and can be replayed; delivery continues with the next one. 409 `not-blocking`: it is not the next event of the directory, its delivery neither fails nor is paused, or it is held.',
    }),
    async ({ params: { id, sequence }, body, caller }) =>
      dataResponse(await delivery.skip(id, Number(sequence), body, caller)),
  )
}

function addResyncRoutes(app: FastifyInstance, { service: { resyncs } }: HttpContext): void {
  app.post<ById>(
    '/:id/resync',
    routeOptions('directory', 'Resync a directory: send its whole content as events, in the background', {
      operationId: 'startResync',
      status: 202,
      errors: [409],
      params: IdParams,
      response: envelope(ResyncStartedSchema),
    }),
    async ({ params, id: requestId, caller }, reply) => {
      reply.code(202)
      return dataResponse(await resyncs.begin(params.id, requestId, caller))
    },
  )
  app.get<ById>(
    '/:id/resync',
    routeOptions('directory', 'Get the progress of the last resync', {
      operationId: 'getResync',
      params: IdParams,
      response: envelope(ResyncSchema),
    }),
    async ({ params }) => dataResponse(await resyncs.last(params.id)),
  )
}

function addProcessingRoutes(app: FastifyInstance, { service }: HttpContext): void {
  app.post<ById>(
    '/:id/test-event',
    routeOptions('directory', 'Send a test event to the endpoint', {
      operationId: 'sendTestEvent',
      errors: [409],
      params: IdParams,
      response: envelope(TestSchema),
    }),
    async ({ params }) => dataResponse(await service.delivery.sendTest(params.id)),
  )
  app.post(
    '/cron/process-events',
    routeOptions('service', 'Send the events that are due', {
      operationId: 'processEvents',
      response: envelope(ReportSchema),
      errors: [409],
    }),
    async () => {
      const report = await service.processEvents()
      if (report !== undefined) return dataResponse(report)
      throw new DirectoryError('already-running', 'Events are already being processed; nothing was done.')
    },
  )
}

/** Query parameters are texts: those that look like whole numbers are converted to numbers. */
function parseNumbers(query: unknown): object {
  const entries = Object.entries(query ?? {}).map(([name, value]) => {
    const isNumber = typeof value === 'string' && /^\d{1,15}$/.test(value)
    return [name, isNumber ? Number(value) : value]
  })
  return Object.fromEntries(entries)
}
