import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { ApiKeyInput } from '../../admin/keys/managed-keys.ts'
import type { Management } from '../../admin/management.ts'
import { AdminPagingInput } from '../../admin/paging.ts'
import { envelope, IdParams } from '../directory-sync/schemas.ts'
import { pageResponse } from '../responses.ts'
import { ApiKeySchema, documented, NewApiKeySchema, Nothing } from './schemas.ts'

/** The keys of the directory-sync API that admins make. The parent plugin has checked who asks. */
export function addApiKeyRoutes(app: FastifyInstance, { keys }: Management): void {
  app.post(
    '/apikey',
    {
      schema: documented('Make an API key; it is shown here and never again', {
        body: ApiKeyInput,
        response: envelope(NewApiKeySchema),
      }),
    },
    async ({ body, caller }, reply) => {
      const data = await keys.create(body, caller)
      reply.code(201)
      return { data, error: null }
    },
  )
  app.get(
    '/apikey',
    {
      schema: documented('List the API keys', {
        querystring: AdminPagingInput,
        response: envelope(Type.Array(ApiKeySchema)),
      }),
    },
    async ({ query }) => pageResponse(await keys.list(query)),
  )
  app.delete<{ Params: { id: string } }>(
    '/apikey/:id',
    { schema: documented('Delete an API key', { params: IdParams, response: Nothing }) },
    async ({ params, caller }) => {
      await keys.delete(params.id, caller)
      return { data: {}, error: null }
    },
  )
}
