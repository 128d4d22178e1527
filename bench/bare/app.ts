import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import Fastify, { LogController } from 'fastify'
import { createLog } from '../../src/app/log.ts'
import { newId } from '../../src/ids/new-id.ts'
import type { BareStore } from './store.ts'

const directoryId = '01900000-0000-7000-8000-000000000000'
const mediaType = 'application/scim+json; charset=utf-8'

/** The bare server: Fastify with the service's options, and nothing between the request and the statement. */
export function createBareApp(store: BareStore): FastifyInstance {
  const app = Fastify({
    loggerInstance: createLog('warn') as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    childLoggerFactory: (logger) => logger,
    genReqId: newId,
    requestIdHeader: false,
    bodyLimit: 5_242_880,
    requestTimeout: 60_000,
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 600 },
  })
  app.addContentTypeParser('application/scim+json', { parseAs: 'string' }, (_request, body, done) => {
    done(null, JSON.parse(String(body)))
  })
  app.post('/Users', async (request, reply) => {
    const body = request.body as { userName: string }
    const id = newId()
    const raw = JSON.stringify({ id, ...body })
    await store.insert({ id, directoryId, userName: body.userName, raw })
    return reply.code(201).header('content-type', mediaType).send(raw)
  })
  app.patch<{ Params: { id: string } }>('/Users/:id', async ({ params: { id }, body }, reply) => {
    const before = await store.byId(directoryId, id)
    if (before === undefined) return reply.code(404).send()
    const raw = JSON.stringify({ ...JSON.parse(before), ...(body as object) })
    await store.replace({ id, directoryId, raw, eventId: newId() })
    return reply.header('content-type', mediaType).send(raw)
  })
  app.get<{ Params: { id: string } }>('/Users/:id', async ({ params }, reply) => {
    const raw = await store.byId(directoryId, params.id)
    return raw === undefined ? reply.code(404).send() : reply.header('content-type', mediaType).send(raw)
  })
  app.get<{ Querystring: { userName: string } }>('/Users', async ({ query }, reply) => {
    const raw = await store.byUserName(directoryId, query.userName)
    return raw === undefined ? reply.code(404).send() : reply.header('content-type', mediaType).send(raw)
  })
  return app
}
