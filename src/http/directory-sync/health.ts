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
import { countedEnvelope, envelope, IdParams, routeOptions } from './schemas.ts'

const time = (what: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description: `When ${what}; null if it did not.` })
const text = (description: string, example: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] })
const milliseconds = (description: string) =>
  Type.Union([Type.Integer({ examples: [840] }), Type.Null()], { description })
export const ObservedSchema = Type.Named('ObservedBehavior', 'When something was seen.', {
  first_at: Type.String({ format: 'date-time' }),
  last_at: Type.String({ format: 'date-time' }),
})
const Observed = (behavior: string) =>
  Type.Union([ObservedSchema, Type.Null()], { description: `When ${behavior} was seen; null: never.` })

const DeliverySchema = Type.Named('DeliveryHealth', 'The state of the delivery.', {
  state: Type.Enum(deliveryStates),
  delivered_sequence: Type.Integer(),
  last_sequence: Type.Integer(),
  pending: Type.Integer({ description: 'Events that the endpoint has not accepted yet.' }),
  failures: Type.Integer({ description: 'Failed attempts in a row.' }),
  failing_since: time('the first failed attempt in a row was made'),
  next_attempt_at: time('the next attempt is made'),
  paused_at: time('the delivery was paused'),
  pause_reason: Type.Union([Type.Enum(['gone', 'failing', 'operator']), Type.Null()], {
    description: 'Why it is paused.',
  }),
  dead_events: Type.Integer({ description: 'Counted up to 1,000.' }),
  last_error: text('Why the last attempt failed; null if it did not.', 'answered 500'),
})

const heldProperties = {
  since: Type.String({ format: 'date-time' }),
  reason: Type.Enum(eventHoldReasons),
  removals: Type.Integer({ description: 'How many count.' }),
  first_sequence: Type.Integer({ description: 'Of the first held event.' }),
}

const healthProperties = {
  state: Type.Enum(healthStates),
  reasons: Type.Array(
    Type.Named('HealthReason', 'A reason why a directory is not healthy.', {
      code: Type.Enum(healthReasonCodes),
      message: Type.String(),
      since: time('it began'),
    }),
    { description: 'Why the directory is not healthy, the worst first.' },
  ),
  last_request_at: time('the last request of the identity provider arrived'),
  last_success_at: time('the last request succeeded'),
  last_change_at: time('the last request changed something'),
  failed_authentications: Type.Named('FailedAuthentications', 'Requests without the right credentials.', {
    count: Type.Integer(),
    last_at: time('the last one arrived'),
    last_address: text('The address of the client of the last one.', '203.0.113.7'),
    last_problem: text(
      'What was wrong with the last one, if it was more than a wrong or missing secret.',
      'The access token has expired.',
    ),
    since_last_success: Type.Integer({ description: 'Since the last request with the right secret.' }),
  }),
  delivery: Type.Union([DeliverySchema, Type.Null()], { description: 'Null without an endpoint.' }),
  hold: Type.Union(
    [
      Type.Named('HealthHold', 'Why the events are held.', {
        ...heldProperties,
        reasons: Type.Array(Type.Object(heldProperties, { title: 'HealthHoldReason' }), {
          description: 'All reasons, by their first events.',
        }),
      }),
      Type.Null(),
    ],
    { description: 'The first reason for which events are held; null unless they are.' },
  ),
  behaviors: Type.Named('ObservedBehaviors', 'What the identity provider has done at least once.', {
    connection_tested: Observed('connection_tested'),
    ...(Object.fromEntries(changeBehaviors.map((behavior) => [behavior, Observed(behavior)])) as Record<
      (typeof changeBehaviors)[number],
      ReturnType<typeof Observed>
    >),
  }),
}

const HealthSchema = Type.Object(healthProperties, { title: 'DirectoryHealth' })

export const ListedHealthSchema = Type.Named('ListedDirectoryHealth', 'The health of a directory in a list.', {
  directory_id: Type.String(),
  name: Type.String(),
  tenant: Type.String(),
  product: Type.String(),
  type: Type.Unsafe<string>({ type: 'string', enum: directoryTypes }),
  ...healthProperties,
})

const DeprovisioningSchema = Type.Named('DeprovisioningTimes', 'How long it takes until the product is notified.', {
  count: Type.Integer({ description: 'How many ended in the last 30 days.' }),
  p50_ms: milliseconds('The median; null if none ended.'),
  p95_ms: milliseconds('The 95th percentile; null if none ended.'),
  p99_ms: milliseconds('The 99th percentile; null if none ended.'),
  target_ms: Type.Integer({ description: 'DEPROVISION_TARGET.', examples: [900_000] }),
  overdue: Type.Array(
    Type.Named('OverdueDeprovisioning', 'A user who lost access, of which the product was not notified in time.', {
      user_id: Type.String(),
      subject: Type.String({ description: 'The userName.' }),
      since: Type.String({ format: 'date-time', description: 'When the request of the identity provider arrived.' }),
      sequence: Type.Integer({ description: 'Of the event.' }),
    }),
    { description: 'The oldest 100 that the product has not received within the target.' },
  ),
})

/** The health of directories, and the time that deprovisionings take. The parent plugin has authorized the caller. */
export function addHealthRoutes(app: FastifyInstance, { service: { health, deprovisionings } }: HttpContext): void {
  app.get(
    '/health',
    routeOptions('query', 'List the health of directories', {
      operationId: 'listDirectoryHealth',
      querystring: HealthListInput,
      response: countedEnvelope(Type.Array(ListedHealthSchema)),
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
    routeOptions('directory', 'Get the deprovisioning latency of a directory', {
      operationId: 'getDeprovisioning',
      params: IdParams,
      response: envelope(DeprovisioningSchema),
    }),
    async ({ params }) => dataResponse(await deprovisionings.times(params.id)),
  )
}
