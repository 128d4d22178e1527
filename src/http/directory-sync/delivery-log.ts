import type { FastifyInstance } from 'fastify'
import { eventTypes } from '../../directory/event.ts'
import { ListingInput, ScopeInput } from '../../directory/inputs.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { HttpContext } from '../context.ts'
import { dataResponse, sendJson, sendList } from '../responses.ts'
import type { ById } from './schemas.ts'
import { envelope, exampleId, IdParams, Nothing, routeOptions } from './schemas.ts'

/** A delivery as the API returns it. */
const DeliverySchema = Type.Named('Delivery', 'A delivery of the delivery log.', {
  id: Type.String({ description: 'The id of the delivery.', examples: [exampleId('de01')] }),
  directory_id: Type.String(),
  tenant: Type.String({ description: 'The tenant of the directory.' }),
  sequence: Type.Integer({ description: 'The sequence of the event, or of the first event of a batch.' }),
  event_id: Type.String(),
  event: Type.Unsafe<string>({ type: 'string', enum: eventTypes }),
  request_id: Type.String({ description: 'The x-request-id of the request that caused the event.' }),
  event_count: Type.Integer({ description: 'More than 1 for a batch.' }),
  webhook_endpoint: Type.String({ description: 'Without credentials and query.', examples: ['https://crm.example'] }),
  status_code: Type.Union([Type.Integer({ examples: [204] }), Type.Null()], {
    description: 'Null without a response.',
  }),
  latency_ms: Type.Integer(),
  attempt: Type.Integer({ description: '1, 2, 3 … per event.' }),
  error: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed, or null.' }),
  delivered: Type.Boolean({ description: 'Whether the endpoint accepted it.' }),
  created_at: Type.String({ format: 'date-time' }),
  payload: Type.Unsafe<unknown>({ description: 'The request body; null when it was larger than 256 KB.' }),
  payload_truncated: Type.Boolean({ description: 'Whether the body was too large to keep.', examples: [false] }),
  response_body: Type.String({ description: 'The first 2 KB of the response body.' }),
})

const DeletionQuery = Type.Object({
  ...ScopeInput.properties,
  directoryId: Type.String({ description: 'The id of the directory.', examples: [exampleId('d101')] }),
})

/** The delivery log. The parent plugin has authorized the caller. */
export function addDeliveryLogRoutes(app: FastifyInstance, { service: { deliveryLog } }: HttpContext): void {
  app.get(
    '/events',
    routeOptions('query', 'List the logged deliveries, newest first', {
      operationId: 'listDeliveries',
      querystring: ListingInput,
      response: envelope(Type.Array(DeliverySchema)),
    }),
    async ({ query }, reply) => sendList(reply, await deliveryLog.list(query)),
  )
  app.get<ById>(
    '/events/:id',
    routeOptions('query', 'Get a delivery', {
      operationId: 'getDelivery',
      params: IdParams,
      querystring: ScopeInput,
      response: envelope(DeliverySchema),
    }),
    async ({ params, query }, reply) => sendJson(reply, await deliveryLog.get(params.id, query)),
  )
  app.delete(
    '/events',
    routeOptions('query', 'Delete the delivery log of a directory', {
      operationId: 'deleteDeliveries',
      querystring: DeletionQuery,
      response: Nothing,
    }),
    async ({ query, caller }) => {
      await deliveryLog.delete(query, caller)
      return dataResponse({})
    },
  )
}
