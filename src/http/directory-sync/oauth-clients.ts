import type { FastifyInstance } from 'fastify'
import { Type } from '../../inputs/json-schema.ts'
import { OAuthClientInput } from '../../oauth/inputs.ts'
import type { HttpContext } from '../context.ts'
import { dataResponse } from '../responses.ts'
import type { ById } from './schemas.ts'
import { envelope, exampleId, IdParams, Nothing, routeOptions } from './schemas.ts'

interface ByClient {
  Params: { id: string; clientId: string }
}

const time = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])
const text = Type.Union([Type.String(), Type.Null()])

const clientProperties = {
  client_id: Type.String({ examples: [exampleId('c001')] }),
  type: Type.Enum(['secret', 'federated']),
  name: text,
  created_at: Type.String({ format: 'date-time' }),
  expires_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description: 'Null: never.' }),
  last_used_at: time,
  issuer: Type.Union([Type.String(), Type.Null()], { description: 'Null for a client with a secret, up to jwks_url.' }),
  subject: text,
  audience: text,
  jwks_url: Type.Union([Type.String(), Type.Null()], { description: 'Null: by the discovery document of the issuer.' }),
}

export const OAuthClientSchema = Type.Object(clientProperties, { title: 'OAuthClient' })
export const NewOAuthClientSchema = Type.Named('NewOAuthClient', 'An OAuth client that was created, with its secret.', {
  ...clientProperties,
  client_secret: Type.Optional(
    Type.String({
      description: 'Only here, and only for a client of the type secret.',
      examples: ['rcs_mV0Zb2Xl4oYwT3rK9sPqJ7uHmV0Zb2Xl4oYwT3rK9sP'],
    }),
  ),
})

/** OAuth clients of directories. The parent plugin has authorized the caller. */
export function addOAuthClientRoutes(app: FastifyInstance, { service: { oauthClients } }: HttpContext): void {
  app.post<ById>(
    '/:id/oauth-clients',
    routeOptions('directory', 'Create an OAuth client of a directory; its secret is only returned here', {
      operationId: 'createOAuthClient',
      params: IdParams,
      body: OAuthClientInput,
      response: envelope(NewOAuthClientSchema),
      status: 201,
      errors: [409],
    }),
    async ({ params, body, caller }, reply) => {
      const client = await oauthClients.create(params.id, body, caller)
      reply.code(201)
      return dataResponse(client)
    },
  )
  app.get<ById>(
    '/:id/oauth-clients',
    routeOptions('directory', 'List the OAuth clients of a directory', {
      operationId: 'listOAuthClients',
      params: IdParams,
      response: envelope(Type.Array(OAuthClientSchema)),
    }),
    async ({ params }) => dataResponse(await oauthClients.list(params.id)),
  )
  app.delete<ByClient>(
    '/:id/oauth-clients/:clientId',
    routeOptions('directory', 'Delete an OAuth client, which ends its access tokens', {
      operationId: 'deleteOAuthClient',
      params: Type.Object({
        ...IdParams.properties,
        clientId: Type.String({ description: 'The client_id.', examples: [exampleId('c001')] }),
      }),
      response: Nothing,
    }),
    async ({ params, caller }) => {
      await oauthClients.delete(params.id, params.clientId, caller)
      return dataResponse({})
    },
  )
}
