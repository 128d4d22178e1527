import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Fastify, { LogController } from 'fastify'
import { DirectoryError } from '../directory/errors.ts'
import type { HttpContext } from './context.ts'
import { sendApiError } from './directory-sync/answers.ts'
import { addDirectorySyncRoutes, directorySyncPrefixes } from './directory-sync/routes.ts'
import { docsPage } from './docs-page.ts'
import { addOauthRoutes, oauthPrefix } from './oauth/routes.ts'
import { describeRoutes } from './openapi.ts'
import { addOperationRoutes } from './operations.ts'
import { watchRequests } from './request-log.ts'
import { sendScimError } from './scim/errors.ts'
import { addScimRoutes, scimPrefix } from './scim/routes.ts'

const apiBodyLimit = 262_144
/** How long a client may take to send a request, in milliseconds. */
const requestTimeout = 60_000

/** The HTTP service over a service that is put together. It is not listening yet. */
export async function createApp(context: HttpContext, log: FastifyBaseLogger): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // Lines that are about a request name it themselves: a logger per request costs more than most requests.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    bodyLimit: apiBodyLimit,
    requestTimeout,
    forceCloseConnections: 'idle',
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 600 },
    frameworkErrors: refuseAddress,
  })
  // Inputs are checked by the domain, which the library shares, and most answers are JSON text already: the schemas of
  // the routes describe, and compiling them would take a fifth of the memory and of the start.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  app.setErrorHandler(sendApiError)
  app.setNotFoundHandler(async () => {
    throw new DirectoryError('resource-not-found', 'There is nothing at this address; /docs lists what there is.')
  })
  app.addHook('onRequest', (request, reply, done) => {
    addFixedHeaders(request, reply)
    done()
  })
  watchRequests(app, context.metrics)
  await describeRoutes(app)
  docsPage(app)
  addOperationRoutes(app, context)
  for (const prefix of directorySyncPrefixes) {
    await app.register(async (scope) => addDirectorySyncRoutes(scope, context), { prefix })
  }
  await app.register(async (scope) => addScimRoutes(scope, context), { prefix: scimPrefix })
  await app.register(async (scope) => addOauthRoutes(scope, context), { prefix: oauthPrefix })
  return app
}

/** What every answer carries; pages add what only a browser minds. */
function addFixedHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply
    .header('x-request-id', request.id)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
}

/** Answers an address that the router cannot read, before any route or hook has a say. */
function refuseAddress(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  addFixedHeaders(request, reply)
  const send = /^\/api\/scim\//i.test(request.url) ? sendScimError : sendApiError
  void send(error, request, reply)
  const { id: requestId, method } = request
  request.log.info({ requestId, method, route: 'none', status: reply.statusCode }, 'request')
}
