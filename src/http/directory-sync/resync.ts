import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { HttpContext } from '../context.ts'
import { documented, envelope, IdParams } from './schemas.ts'

interface ById {
  Params: { id: string }
}

const syncId = Type.String({ description: 'In `data` of every event of this resync.' })

const BegunSchema = Type.Object({ sync_id: syncId, state: Type.Literal('running') })

const ResyncSchema = Type.Object({
  sync_id: syncId,
  state: Type.Union([Type.Literal('running'), Type.Literal('completed')]),
  users: Type.Integer({ description: 'How many were told until now.' }),
  groups: Type.Integer(),
  members: Type.Integer(),
  started_at: Type.String(),
  completed_at: Type.Union([Type.String(), Type.Null()]),
})

/** Resyncs as the product asks for them. The parent plugin has checked the API key. */
export function addResyncRoutes(app: FastifyInstance, { service: { resyncs } }: HttpContext): void {
  app.post<ById>(
    '/:id/resync',
    {
      config: { scope: 'directory' },
      schema: documented('Tell all that a directory holds as events, in the background', {
        params: IdParams,
        response: envelope(BegunSchema),
      }),
    },
    async ({ params, id: requestId, caller }, reply) => {
      reply.code(202)
      return { data: await resyncs.begin(params.id, requestId, caller), error: null }
    },
  )
  app.get<ById>(
    '/:id/resync',
    {
      config: { scope: 'directory' },
      schema: documented('How the last resync of a directory goes', {
        params: IdParams,
        response: envelope(ResyncSchema),
      }),
    },
    async ({ params }) => ({ data: await resyncs.last(params.id), error: null }),
  )
}
