import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import Fastify, { LogController } from 'fastify'
import { createLog } from '../../src/app/log.ts'
import { fixedHeaders } from '../../src/http/response-headers.ts'
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
  addEmptyRoute(app)
  return app
}

/** A route that only sends the headers, and about as many bytes, of the service's response to a get. */
function addEmptyRoute(app: FastifyInstance): void {
  const addFixedHeaders = fixedHeaders('http://127.0.0.1')
  const [id, body] = [newId(), JSON.stringify({ text: 'x'.repeat(890) })]
  app.get('/empty', async (request, reply) => {
    addFixedHeaders(request, reply)
    const location = `http://127.0.0.1:5225/api/scim/v2.0/${id}/Users/${id}`
    return reply.headers({ etag: 'W/"1"', 'content-location': location, 'content-type': mediaType }).send(body)
  })
}
