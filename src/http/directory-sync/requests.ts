import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { RequestListingInput } from '../../diagnostics/requests/listing.ts'
import type { HttpContext } from '../context.ts'
import { sendList } from '../responses.ts'
import type { ById } from './schemas.ts'
import { envelope, IdParams, routeOptions } from './schemas.ts'

const optionalText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

/** A SCIM request of the request log as the API returns it. */
export const RequestSchema = Type.Object(
  {
    id: Type.String({ description: 'The x-request-id of the response.' }),
    at: Type.String({ format: 'date-time', description: 'When it arrived.' }),
    method: Type.String(),
    path: Type.String({ description: "Below the directory's SCIM address, with the query." }),
    status: Type.Integer(),
    scim_type: optionalText('The scimType of the error.'),
    detail: optionalText('Why the request was refused.'),
    duration_ms: Type.Integer(),
    user_agent: optionalText('The User-Agent header.'),
    address: optionalText('The address of the client.'),
    resource: Type.Union([
      Type.Object({
        type: Type.Enum(['User', 'Group']),
        id: Type.Union([Type.String(), Type.Null()]),
      }),
      Type.Null(),
    ]),
    subject: optionalText('The userName, displayName or externalId that the request was about.'),
    event_sequences: Type.Array(Type.Integer(), { description: 'Of the events that it caused: the first 1,000.' }),
  },
  { title: 'LoggedRequest' },
)

/** The request log. The parent plugin has authorized the caller. */
export function addRequestLogRoutes(app: FastifyInstance, { service: { requestLog } }: HttpContext): void {
  app.get<ById>(
    '/:id/requests',
    routeOptions('directory', 'List the SCIM requests of a directory, newest first', {
      operationId: 'listRequests',
      params: IdParams,
      querystring: RequestListingInput,
      response: envelope(Type.Array(RequestSchema)),
    }),
    async ({ params, query }, reply) => sendList(reply, await requestLog.list(params.id, query)),
  )
}
