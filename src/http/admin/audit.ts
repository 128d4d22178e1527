import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { AuditQuery } from '../../admin/audit/entry-view.ts'
import { AuditVerifyQuery } from '../../admin/audit/verify.ts'
import type { Management } from '../../admin/management.ts'
import { envelope } from '../directory-sync/schemas.ts'
import { jsonStream, pageResponse } from '../responses.ts'
import { AuditChainSchema, AuditEntrySchema, documented } from './schemas.ts'

/** A reader of an export that takes nothing for so long, in milliseconds, is cut off. */
const stalledAfterMs = 120_000

/** The audit trail. The parent plugin has checked who asks. */
export function addAuditRoutes(app: FastifyInstance, { audit }: Management): void {
  app.get(
    '/event',
    {
      schema: documented('Read the audit trail, newest first', {
        querystring: AuditQuery,
        response: envelope(Type.Array(AuditEntrySchema)),
      }),
    },
    async ({ query }) => pageResponse(await audit.list(query)),
  )
  app.route({
    method: 'GET',
    url: '/event/export',
    exposeHeadRoute: false,
    schema: documented('Export the whole audit trail, oldest first: one entry a line, as JSON', {
      response: Type.String({ description: 'application/x-ndjson' }),
    }),
    async handler({ caller }, reply) {
      const lines = await begun(audit.exportLines(caller))
      reply.raw.setTimeout(stalledAfterMs)
      return reply.header('content-type', 'application/x-ndjson; charset=utf-8').send(jsonStream(lines))
    },
  })
  app.route({
    method: 'GET',
    url: '/event/verify',
    exposeHeadRoute: false,
    schema: documented('Check that nothing in the audit trail was changed or taken out', {
      querystring: AuditVerifyQuery,
      response: envelope(AuditChainSchema),
    }),
    handler: async ({ query }) => ({ data: await audit.report(query), error: null }),
  })
}

/** Reads the first line before anything is answered: what is wrong from the beginning is still told by the status. */
async function begun(lines: AsyncGenerator<string, void, undefined>): Promise<AsyncIterable<string>> {
  const first = await lines.next()
  return (async function* () {
    if (first.done !== true) yield first.value
    yield* lines
  })()
}
