import type { FastifyInstance } from 'fastify'
import { Type } from '../../inputs/json-schema.ts'
import type { HttpContext } from '../context.ts'
import { dataResponse } from '../responses.ts'
import type { ById } from './schemas.ts'
import { DirectorySchema, envelope, IdParams, routeOptions } from './schemas.ts'

const AuthorizationUrlSchema = Type.Named('AuthorizationUrl', 'A URL to connect a Google Workspace.', {
  url: Type.String({
    description: 'An administrator of the Google Workspace opens it; one completed consent ends it.',
  }),
  expires_at: Type.String({ format: 'date-time' }),
})

/** Management of Google Workspace connections. The parent plugin has authorized the caller. */
export function addGoogleConnectionRoutes(app: FastifyInstance, { service }: HttpContext): void {
  app.post<ById>(
    '/:id/authorization-url',
    routeOptions('directory', 'Create a URL to connect a Google Workspace', {
      operationId: 'createAuthorizationUrl',
      status: 201,
      errors: [409, 501],
      params: IdParams,
      response: envelope(AuthorizationUrlSchema),
    }),
    async ({ params }, reply) => {
      const { url, expiresAt } = await service.authorization.authorizationLink(params.id)
      reply.code(201)
      return dataResponse({ url, expires_at: new Date(expiresAt).toISOString() })
    },
  )
  app.post<ById>(
    '/:id/connection/approve',
    routeOptions('directory', 'Connect the Google Workspace that waits for approval', {
      operationId: 'approveConnection',
      errors: [409, 501],
      params: IdParams,
      response: envelope(DirectorySchema),
    }),
    async ({ params, caller }) =>
      dataResponse(service.directoryView(await service.authorization.approveConnection(params.id, caller))),
  )
}
