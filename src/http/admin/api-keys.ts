import type { FastifyInstance } from 'fastify'
import { ApiKeyInput } from '../../admin/keys/managed-keys.ts'
import type { Management } from '../../admin/management.ts'
import { DefaultPagingInput } from '../../directory/inputs.ts'
import { Type } from '../../inputs/json-schema.ts'
import { envelope, IdParams, Nothing } from '../directory-sync/schemas.ts'
import { dataResponse, pageResponse } from '../responses.ts'
import { ApiKeySchema, documented, NewApiKeySchema } from './schemas.ts'

/** Management of API keys. The parent plugin has authenticated the admin. */
export function addApiKeyRoutes(app: FastifyInstance, { keys }: Management): void {
  app.post(
    '/apikey',
    {
      schema: documented('Create an API key; the key is only returned here', {
        operationId: 'createApiKey',
        status: 201,
        body: ApiKeyInput,
        response: envelope(NewApiKeySchema),
      }),
    },
    async ({ body, caller }, reply) => {
      const key = await keys.create(body, caller)
      reply.code(201)
      return dataResponse(key)
    },
  )
  app.get(
    '/apikey',
    {
      schema: documented('List the API keys', {
        operationId: 'listApiKeys',
        querystring: DefaultPagingInput,
        response: envelope(Type.Array(ApiKeySchema)),
      }),
    },
    async ({ query }) => pageResponse(await keys.list(query)),
  )
  app.delete<{ Params: { id: string } }>(
    '/apikey/:id',
    { schema: documented('Delete an API key', { operationId: 'deleteApiKey', params: IdParams, response: Nothing }) },
    async ({ params, caller }) => {
      await keys.delete(params.id, caller)
      return dataResponse({})
    },
  )
}
