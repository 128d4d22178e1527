import type { FastifyInstance } from 'fastify'
import { AuditQuery } from '../../admin/audit/entry-view.ts'
import { AuditVerifyQuery } from '../../admin/audit/verify.ts'
import type { Management } from '../../admin/management.ts'
import { Type } from '../../inputs/json-schema.ts'
import { EventParams, envelope } from '../directory-sync/schemas.ts'
import { dataResponse, JsonStream, pageResponse } from '../responses.ts'
import { AuditChainSchema, AuditEntrySchema, documented } from './schemas.ts'

/** An export whose reader has read nothing for this long is closed. */
const stalledAfterMs = 120_000

/** The audit trail. The parent plugin has authenticated the admin. */
export function addAuditRoutes(app: FastifyInstance, { audit }: Management): void {
  app.get(
    '/event',
    {
      schema: documented('Read the audit trail, newest first', {
        operationId: 'listAuditEntries',
        querystring: AuditQuery,
        response: envelope(Type.Array(AuditEntrySchema)),
      }),
    },
    async ({ query }) => pageResponse(await audit.list(query)),
  )
  app.get<{ Params: { sequence: string } }>(
    '/event/:sequence',
    {
      schema: documented('Get an entry of the audit trail', {
        operationId: 'getAuditEntry',
        params: Type.Object({ sequence: EventParams.properties.sequence }),
        response: envelope(AuditEntrySchema),
      }),
    },
    async ({ params: { sequence } }) => dataResponse(await audit.get(Number(sequence))),
  )
  app.route({
    method: 'GET',
    url: '/event/export',
    exposeHeadRoute: false,
    schema: documented('Export the whole audit trail, oldest first, as one JSON entry per line', {
      operationId: 'exportAuditTrail',
      response: { content: { 'application/x-ndjson': { schema: Type.String({ examples: ['{"sequence":1}\n'] }) } } },
    }),
    async handler({ caller }, reply) {
      const lines = await withFirstLine(audit.exportLines(caller))
      reply.raw.setTimeout(stalledAfterMs)
      return reply.header('content-type', 'application/x-ndjson; charset=utf-8').send(new JsonStream(lines))
    },
  })
  app.route({
    method: 'GET',
    url: '/event/verify',
    exposeHeadRoute: false,
    schema: documented('Verify that no entry of the audit trail was changed or removed', {
      operationId: 'verifyAuditTrail',
      querystring: AuditVerifyQuery,
      response: envelope(AuditChainSchema),
    }),
    handler: async ({ query }) => dataResponse(await audit.report(query)),
  })
}

/** Reads the first line before the response begins, so that an error there still gets an error status. */
async function withFirstLine(lines: AsyncGenerator<string, void, undefined>): Promise<AsyncIterable<string>> {
  const first = await lines.next()
  return (async function* () {
    if (first.done !== true) yield first.value
    yield* lines
  })()
}
