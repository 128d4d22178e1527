import type { FastifyInstance } from 'fastify'
import { eventHoldReasons } from '../../delivery/hold/hold-store.ts'
import { deliveryStates } from '../../delivery/policy.ts'
import { HealthListInput } from '../../diagnostics/health/list.ts'
import { healthReasonCodes, healthStates } from '../../diagnostics/health/state.ts'
import { changeBehaviors } from '../../directory/behaviors.ts'
import { directoryTypes } from '../../directory/provider.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { HttpContext } from '../context.ts'
import { dataResponse, sendList } from '../responses.ts'
import type { ById } from './schemas.ts'
import { envelope, IdParams, routeOptions } from './schemas.ts'

const time = Type.Union([Type.String(), Type.Null()])
const text = Type.Union([Type.String(), Type.Null()])
const milliseconds = Type.Union([Type.Integer(), Type.Null()])
const Observed = Type.Union([Type.Object({ first_at: Type.String(), last_at: Type.String() }), Type.Null()])

const DeliverySchema = Type.Object({
  state: Type.Enum(deliveryStates),
  delivered_sequence: Type.Integer(),
  last_sequence: Type.Integer(),
  pending: Type.Integer({ description: 'Events that the endpoint has not accepted yet.' }),
  failures: Type.Integer({ description: 'Failed attempts in a row.' }),
  failing_since: time,
  next_attempt_at: time,
  paused_at: time,
  pause_reason: Type.Union([Type.Enum(['gone', 'failing', 'operator']), Type.Null()]),
  dead_events: Type.Integer({ description: 'Counted up to 1,000.' }),
  last_error: text,
})

const heldProperties = {
  since: Type.String(),
  reason: Type.Enum(eventHoldReasons),
  removals: Type.Integer({ description: 'How many count.' }),
  first_sequence: Type.Integer({ description: 'Of the first held event.' }),
}

const healthProperties = {
  state: Type.Enum(healthStates),
  reasons: Type.Array(Type.Object({ code: Type.Enum(healthReasonCodes), message: Type.String(), since: time }), {
    description: 'Why the directory is not healthy, the worst first.',
  }),
  last_request_at: time,
  last_success_at: time,
  last_change_at: time,
  failed_authentications: Type.Object({
    count: Type.Integer(),
    last_at: time,
    last_address: text,
    last_problem: Type.Union([Type.String(), Type.Null()], {
      description: 'What was wrong with the last one, if it was more than a wrong or missing secret.',
    }),
    since_last_success: Type.Integer({ description: 'Since the last request with the right secret.' }),
  }),
  delivery: Type.Union([DeliverySchema, Type.Null()], { description: 'Null without an endpoint.' }),
  hold: Type.Union(
    [
      Type.Object({
        ...heldProperties,
        reasons: Type.Array(Type.Object(heldProperties), { description: 'All reasons, by their first events.' }),
      }),
      Type.Null(),
    ],
    { description: 'The first reason for which events are held; null unless they are.' },
  ),
  behaviors: Type.Object({
    connection_tested: Observed,
    ...(Object.fromEntries(changeBehaviors.map((behavior) => [behavior, Observed])) as Record<
      (typeof changeBehaviors)[number],
      typeof Observed
    >),
  }),
}

const HealthSchema = Type.Object(healthProperties, { title: 'DirectoryHealth' })

export const ListedHealthSchema = Type.Object(
  {
    directory_id: Type.String(),
    name: Type.String(),
    tenant: Type.String(),
    product: Type.String(),
    type: Type.Unsafe<string>({ type: 'string', enum: directoryTypes }),
    ...healthProperties,
  },
  { title: 'ListedDirectoryHealth' },
)

const DeprovisioningSchema = Type.Object(
  {
    count: Type.Integer({ description: 'How many ended in the last 30 days.' }),
    p50_ms: milliseconds,
    p95_ms: milliseconds,
    p99_ms: milliseconds,
    target_ms: Type.Integer({ description: 'DEPROVISION_TARGET.' }),
    overdue: Type.Array(
      Type.Object({
        user_id: Type.String(),
        subject: Type.String({ description: 'The userName.' }),
        since: Type.String({ description: 'When the request of the identity provider arrived.' }),
        sequence: Type.Integer({ description: 'Of the event.' }),
      }),
      { description: 'The oldest 100 that the product has not received within the target.' },
    ),
  },
  { title: 'DeprovisioningTimes' },
)

/** The health of directories, and the time that deprovisionings take. The parent plugin has authorized the caller. */
export function addHealthRoutes(app: FastifyInstance, { service: { health, deprovisionings } }: HttpContext): void {
  app.get(
    '/health',
    routeOptions('query', 'List the health of directories', {
      operationId: 'listDirectoryHealth',
      querystring: HealthListInput,
      response: envelope(Type.Array(ListedHealthSchema)),
    }),
    async ({ query }, reply) => sendList(reply, await health.list(query)),
  )
  app.get<ById>(
    '/:id/health',
    routeOptions('directory', 'Get the health of a directory', {
      operationId: 'getDirectoryHealth',
      params: IdParams,
      response: envelope(HealthSchema),
    }),
    async ({ params }) => dataResponse(await health.get(params.id)),
  )
  app.get<ById>(
    '/:id/deprovisioning',
    routeOptions('directory', 'Get how long it takes to notify the product that users lost access', {
      operationId: 'getDeprovisioning',
      params: IdParams,
      response: envelope(DeprovisioningSchema),
    }),
    async ({ params }) => dataResponse(await deprovisionings.times(params.id)),
  )
}
