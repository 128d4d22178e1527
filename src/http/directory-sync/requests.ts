import type { FastifyInstance } from 'fastify'
import { RequestListingInput } from '../../diagnostics/requests/listing.ts'
import { RefusedListInput } from '../../diagnostics/requests/refused.ts'
import { maxRequestsExamined } from '../../diagnostics/requests/request-log-store.ts'
import { TokenPagingInput } from '../../directory/inputs.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { HttpContext } from '../context.ts'
import { dataResponse, pageResponse, sendList } from '../responses.ts'
import { isInScope } from './access.ts'
import type { ById } from './schemas.ts'
import { envelope, exampleId, IdParams, ResourceReferenceSchema, routeOptions } from './schemas.ts'

const optionalText = (description: string, examples?: readonly string[]) =>
  Type.Union([Type.String(), Type.Null()], { description, ...(examples && { examples }) })

const LoggedResourceSchema = Type.Named('LoggedResource', 'The user or group that a request was about.', {
  type: Type.Enum(['User', 'Group']),
  id: Type.Union([Type.String(), Type.Null()], { description: 'Null if it was never stored.' }),
})

/** A SCIM request of the request log as the API returns it. */
export const RequestSchema = Type.Named('LoggedRequest', 'A SCIM request.', {
  id: Type.String({ description: 'The x-request-id of the response.' }),
  at: Type.String({ format: 'date-time', description: 'When it arrived.' }),
  method: Type.String(),
  path: Type.String({ description: "Below the directory's SCIM address, with the query." }),
  status: Type.Integer(),
  scim_type: optionalText('The scimType of the error.'),
  detail: optionalText('Why the request was refused.'),
  duration_ms: Type.Integer(),
  user_agent: optionalText('The User-Agent header.', ['Okta SCIM Client 1.0.0']),
  address: optionalText('The address of the client.'),
  resource: Type.Union([LoggedResourceSchema, Type.Null()], { description: 'The user or group; null if it is none.' }),
  subject: optionalText('The userName, displayName or externalId that the request was about.'),
  event_sequences: Type.Array(Type.Integer(), { description: 'Of the events that it caused: the first 1,000.' }),
})

const RefusedRequestSchema = Type.Named('RefusedRequest', 'A refused SCIM request, with its directory.', {
  directory_id: Type.String(),
  name: Type.String({ description: 'The name of the directory.' }),
  tenant: Type.String(),
  product: Type.String(),
  ...RequestSchema.properties,
})

const DeliveryAttemptSchema = Type.Named('DeliveryAttempt', 'An attempt to deliver an event.', {
  at: Type.String({ format: 'date-time', description: 'When the attempt ended.' }),
  target: Type.Enum(['endpoint', 'on-event'], { description: 'Where it was sent: to the endpoint, or to `onEvent`.' }),
  attempt: Type.Integer({ description: '1, 2, 3 … per event.' }),
  status: Type.Union([Type.Integer(), Type.Null()], { description: 'Null when there was no response.' }),
  error: optionalText('Null when the event was delivered.'),
  duration_ms: Type.Integer(),
  response_body: optionalText(
    'The first 2 KB of the response body, without passwords; kept for refused attempts, and for all while log_webhook_events is on.',
  ),
})
const resourceSchema = (description: string) =>
  Type.Union([Type.Object({}, { title: 'ResourceState', additionalProperties: true }), Type.Null()], {
    ...{ description, examples: [{ userName: 'bjensen@acme.example', active: false }] },
  })
const ChangeSchema = Type.Named('ResourceChange', 'The SCIM resource; of a membership, only the member.', {
  resource: ResourceReferenceSchema,
  before: resourceSchema('What it was; null if it did not exist.'),
  after: resourceSchema('What it is; null if it no longer exists.'),
})
const TracedRequestSchema = Type.Named('TracedRequest', 'A SCIM request with its body.', {
  ...RequestSchema.properties,
  body: Type.Unsafe<unknown>({
    description: 'Without passwords; kept for refused requests, and for all while log_scim_requests is on.',
  }),
  body_omitted: Type.Union([Type.Enum(['too-large', 'unparseable']), Type.Null()], {
    description: 'Why it is not kept.',
  }),
})
const TraceSchema = Type.Named('Trace', 'What a request or sync run has caused.', {
  request: Type.Union([TracedRequestSchema, Type.Null()], { description: 'The request; null for a sync run.' }),
  changes: Type.Array(ChangeSchema, { description: 'What it changed.' }),
  events: Type.Array(
    Type.Object(
      { deliveries: Type.Array(DeliveryAttemptSchema, { description: 'The attempts to deliver it.' }) },
      { additionalProperties: true, description: 'The event as in the feed, with the attempts to deliver it.' },
    ),
  ),
})
/** An entry of a timeline; also part of explanations. */
export const TimelineEntrySchema = Type.Object(
  {
    kind: Type.Enum(['request', 'change', 'event', 'delivery']),
    at: Type.String({ format: 'date-time' }),
  },
  {
    title: 'TimelineEntry',
    additionalProperties: true,
    description:
      'A request of the log, a change (resource, before, after), an event as in the feed, or an attempt to deliver it.',
  },
)
const RequestParams = Type.Object({
  requestId: Type.String({ description: 'An x-request-id, or the id of a sync run.', examples: [exampleId('f001')] }),
})
const UserParams = Type.Object({ id: IdParams.properties.id, userId: Type.String() })
const GroupParams = Type.Object({ id: IdParams.properties.id, groupId: Type.String() })

const pageText = `A page ends after ${maxRequestsExamined.toLocaleString('en')} requests of the log: it may have fewer than pageLimit, or none, and pageToken continues.`

/** The request log, traces and timelines. The parent plugin has authorized the caller. */
export function addRequestLogRoutes(app: FastifyInstance, context: HttpContext): void {
  const { requestLog, refusedRequests } = context.service
  app.get<ById>(
    '/:id/requests',
    routeOptions('directory', 'List the SCIM requests of a directory, newest first', {
      operationId: 'listRequests',
      params: IdParams,
      querystring: RequestListingInput,
      response: envelope(Type.Array(RequestSchema, { description: pageText })),
    }),
    async ({ params, query }, reply) => sendList(reply, await requestLog.list(params.id, query)),
  )
  app.get(
    '/refused-requests',
    routeOptions('query', 'List the refused SCIM requests of many directories, newest first', {
      operationId: 'listRefusedRequests',
      querystring: RefusedListInput,
      response: envelope(Type.Array(RefusedRequestSchema)),
    }),
    async ({ query }) => pageResponse(await refusedRequests.list(query)),
  )
  addTraceRoute(app, context)
  addTimelineRoutes(app, context)
}

function addTraceRoute(app: FastifyInstance, { service: { traces } }: HttpContext): void {
  app.get<{ Params: { requestId: string } }>(
    '/requests/:requestId',
    routeOptions('found', 'Trace a request or sync run: what it changed, its events and their deliveries', {
      operationId: 'getTrace',
      params: RequestParams,
      querystring: TokenPagingInput,
      response: Type.Object({ data: TraceSchema, error: Type.Null(), pageToken: Type.Optional(Type.String()) }),
    }),
    async ({ params, query, keyScope }) => {
      const { data, pageToken } = await traces.get(params.requestId, query, (directory) =>
        isInScope(keyScope, directory),
      )
      return pageToken === undefined ? dataResponse(data) : { data, pageToken, error: null }
    },
  )
}

function addTimelineRoutes(app: FastifyInstance, { service: { timelines } }: HttpContext): void {
  const parts = { querystring: TokenPagingInput, response: envelope(Type.Array(TimelineEntrySchema)) }
  app.get<{ Params: { id: string; userId: string } }>(
    '/:id/users/:userId/timeline',
    routeOptions('directory', 'List the timeline of a user, newest first', {
      operationId: 'getUserTimeline',
      params: UserParams,
      ...parts,
    }),
    async ({ params: { id, userId }, query }, reply) =>
      sendList(reply, await timelines.list(id, { type: 'User', id: userId }, query)),
  )
  app.get<{ Params: { id: string; groupId: string } }>(
    '/:id/groups/:groupId/timeline',
    routeOptions('directory', 'List the timeline of a group, newest first', {
      operationId: 'getGroupTimeline',
      params: GroupParams,
      ...parts,
    }),
    async ({ params: { id, groupId }, query }, reply) =>
      sendList(reply, await timelines.list(id, { type: 'Group', id: groupId }, query)),
  )
}
