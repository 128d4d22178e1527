import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Fastify, { LogController } from 'fastify'
import { DirectoryError } from '../directory/errors.ts'
import { addAdminRoutes, adminPrefix } from './admin/routes.ts'
import type { HttpContext } from './context.ts'
import { allowOrigins } from './cors.ts'
import { addDirectorySyncRoutes, directorySyncPrefixes } from './directory-sync/routes.ts'
import { addDocsPage, addOpenApi } from './documentation.ts'
import type { AddFixedHeaders } from './fixed-headers.ts'
import { fixedHeaders } from './fixed-headers.ts'
import { addOauthRoutes, oauthPrefix } from './oauth/routes.ts'
import { addOperationRoutes, logRequests } from './operations.ts'
import { sendApiError } from './responses.ts'
import { sendScimError } from './scim/errors.ts'
import { addScimRoutes, scimPrefix } from './scim/routes.ts'

const apiBodyLimit = 262_144
/** How long a client may take to send a request, in milliseconds. */
const requestTimeout = 60_000

/** The HTTP service over a service that is put together. It is not listening yet. */
export async function createApp(context: HttpContext, log: FastifyBaseLogger): Promise<FastifyInstance> {
  const addFixedHeaders = fixedHeaders(context.service.externalUrl())
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
    trustProxy: trustOf(context.trustProxy),
    frameworkErrors: refuseAddress(addFixedHeaders),
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
  allowOrigins(app, { origins: context.corsOrigins ?? [], prefixes: [...directorySyncPrefixes, adminPrefix] })
  logRequests(app, context.metrics)
  await addOpenApi(app)
  addDocsPage(app)
  addOperationRoutes(app, context)
  for (const prefix of directorySyncPrefixes) {
    await app.register(async (scope) => addDirectorySyncRoutes(scope, context), { prefix })
  }
  await app.register(async (scope) => addAdminRoutes(scope, context), { prefix: adminPrefix })
  await app.register(async (scope) => addScimRoutes(scope, context), { prefix: scimPrefix })
  await app.register(async (scope) => addOauthRoutes(scope, context), { prefix: oauthPrefix })
  return app
}

/** A number is the operator's word that so many proxies are in front and that nobody gets past them. */
function trustOf(trustProxy: HttpContext['trustProxy']) {
  return typeof trustProxy === 'number' ? (_address: string, hop: number) => hop < trustProxy : (trustProxy ?? false)
}

/** Answers an address that the router cannot read, before any route or hook has a say. */
function refuseAddress(addFixedHeaders: AddFixedHeaders) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    addFixedHeaders(request, reply)
    const send = /^\/api\/scim\//i.test(request.url) ? sendScimError : sendApiError
    void send(error, request, reply)
    const { id: requestId, method } = request
    request.log.info({ requestId, method, route: 'none', status: reply.statusCode }, 'request')
  }
}
