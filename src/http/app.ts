import type { RequestListener, Server } from 'node:http'
import type {
  FastifyBaseLogger,
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyServerOptions,
} from 'fastify'
import Fastify, { LogController } from 'fastify'
import { DirectoryError } from '../directory/errors.ts'
import { createServer } from '../node-http.ts'
import { addAdminRoutes, adminPrefix } from './admin/routes.ts'
import { admitRequests } from './admission.ts'
import type { RouteRoots } from './base-path.ts'
import { basePathOf, basePathRemoval, collectRouteRoots } from './base-path.ts'
import { ignoreTypesWithoutBody } from './body-encoding.ts'
import { compressForBrowsers } from './compression.ts'
import { limitConnections } from './connections.ts'
import { addConsoleRoutes, consolePrefix } from './console/routes.ts'
import type { HttpContext } from './context.ts'
import { addDirectorySyncRoutes, apiBodyLimit, directorySyncPrefix, withoutAlias } from './directory-sync/routes.ts'
import { addDocsPage, addOpenApi } from './documentation.ts'
import { addMetadataRoute } from './oauth/metadata.ts'
import { addOauthRoutes, oauthPrefix } from './oauth/routes.ts'
import { addTokenRoute } from './oauth/token.ts'
import { addOperationRoutes, isLogged, logRequests, traceRequests } from './operations.ts'
import { addReceiptKeysRoute } from './receipt-keys.ts'
import { normalizedUrl, rejectForeignQueries } from './request-target.ts'
import type { AddFixedHeaders } from './response-headers.ts'
import { allowOrigins, fixedHeaders } from './response-headers.ts'
import { sendApiError } from './responses.ts'
import { sendScimError } from './scim/errors.ts'
import { requestIdFor } from './scim/recording.ts'
import { addScimRoutes, rejectScimAddresses, scimPrefix, scimRoot } from './scim/routes.ts'
import { addSetup } from './setup/routes.ts'
import { warnOfUntrustedProxy } from './untrusted-proxy.ts'

/** The types of Fastify require a validator of Ajv. */
type SchemaCompilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>

/** The maximum size of other bodies, in bytes: those of requests without a key are read as well. */
const bodyLimit = 32_768
/** Time that a client may take to send a request, in milliseconds. */
const requestTimeout = 30_000
/** Builds the HTTP server of a service; it does not listen yet. */
export async function createApp(context: HttpContext, log: FastifyBaseLogger): Promise<FastifyInstance> {
  const addFixedHeaders = fixedHeaders(context.service.externalUrl())
  const app = createFastify(context, log, addFixedHeaders)
  app.addHook('onRequest', (request, reply, done) => {
    addFixedHeaders(request, reply)
    done()
  })
  logRequests(app, context)
  if (context.service.tracing !== undefined) traceRequests(app, context.service.tracing)
  if (context.trustProxy === undefined) warnOfUntrustedProxy(app, log)
  endConnectionsOnClose(app)
  ignoreTypesWithoutBody(app)
  rejectForeignQueries(app)
  admitRequests(app, {
    keyOf: shareKeyOf,
    largestBody: Math.max(apiBodyLimit, context.scimBodyLimit),
    slices: context.service.serviceProvider.slices,
  })
  compressForBrowsers(app)
  addOpenApi(app, context.service.externalUrl)
  addDocsPage(app, basePathOf(context.service.externalUrl()))
  addOperationRoutes(app, context)
  await addApi(app, directorySyncPrefix, context, addDirectorySyncRoutes)
  await addApi(app, adminPrefix, context, addAdminRoutes)
  await app.register(async (scope) => rejectScimAddresses(scope), { prefix: scimRoot })
  await app.register(async (scope) => addScimRoutes(scope, context), { prefix: scimPrefix })
  await app.register(async (scope) => addOauthRoutes(scope, context), { prefix: oauthPrefix })
  await app.register(async (scope) => addTokenRoute(scope, context), { prefix: oauthPrefix })
  addMetadataRoute(app, context)
  addReceiptKeysRoute(app, context)
  await addSetup(app, context)
  await context.compatibility?.addOtherRoutes(app, context)
  await app.register(async (scope) => addConsoleRoutes(scope, context), { prefix: consolePrefix })
  return app
}

function createFastify(context: HttpContext, log: FastifyBaseLogger, addFixedHeaders: AddFixedHeaders) {
  let roots: RouteRoots = new Set()
  const withoutBasePath = basePathRemoval(basePathOf(context.service.externalUrl()), () => roots)
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // Log lines about a request contain its id; a child logger per request would cost more than most requests.
    childLoggerFactory: (logger) => logger,
    genReqId: ({ url }) => requestIdFor(url),
    requestIdHeader: false,
    rewriteUrl: ({ url = '' }) => withoutAlias(withoutBasePath(normalizedUrl(url))),
    bodyLimit,
    serverFactory: serverFactory(context),
    forceCloseConnections: 'idle',
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 600 },
    trustProxy: trustedProxies(context.trustProxy),
    frameworkErrors: rejectMalformedUrl(context, addFixedHeaders),
    schemaController: { compilersFactory: withoutCompilers },
  })
  roots = collectRouteRoots(app)
  // Each API adds its own; a body that is sent elsewhere is not read.
  app.removeAllContentTypeParsers()
  app.setErrorHandler(sendApiError)
  app.setNotFoundHandler(rejectUnknownUrl)
  return app
}

/**
 * Creates the server, and a second one if `localhost` has two addresses. Its limits for sending a request and its head begin
 * with the request, so they may be shorter than the time that a connection waits for one.
 */
function serverFactory({ keepAliveSeconds = 72 }: HttpContext) {
  return (handler: RequestListener): Server => {
    const server = createServer({ keepAliveTimeout: keepAliveSeconds * 1_000, requestTimeout }, handler)
    limitConnections(server)
    return server
  }
}

/**
 * Disables the compilation of route schemas, which only document: the domain checks inputs, also for the library, and
 * most responses are JSON text already. The compilers would take a fifth of the memory and of the start-up time.
 */
const withoutCompilers = {
  buildValidator: () => () => () => true,
  buildSerializer: () => () => (data: unknown) => JSON.stringify(data),
} as unknown as SchemaCompilers

/** The key that a request counts for in admission: the tenant over SCIM, otherwise the API key, admin or setup link. */
function shareKeyOf({ directory, caller, setupLink }: Partial<FastifyRequest>): string | undefined {
  if (directory !== undefined && directory !== null) return `tenant ${directory.tenant}`
  if (setupLink !== undefined) return `setup ${setupLink.id}`
  return caller === undefined ? undefined : `${caller.kind} ${caller.id}`
}

/** Closes each connection after its current response while the server closes. */
function endConnectionsOnClose(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', (done) => {
    isClosing = true
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isClosing) reply.header('connection', 'close')
    done()
  })
}

/** Adds an API that pages of the configured origins may call, including its 404 responses. */
async function addApi(
  app: FastifyInstance,
  prefix: string,
  context: HttpContext,
  addRoutes: (app: FastifyInstance, context: HttpContext) => Promise<void> | void,
): Promise<void> {
  const add = async (api: FastifyInstance) => {
    await allowOrigins(api, context.corsOrigins ?? [])
    api.setNotFoundHandler(rejectUnknownUrl)
    await api.register(async (routes) => addRoutes(routes, context))
  }
  await app.register(add, { prefix })
}

async function rejectUnknownUrl(): Promise<never> {
  throw new DirectoryError('resource-not-found', 'Unknown URL; see /docs for the API.')
}

/** A number is trusted blindly: the operator asserts that this many proxies are always in front. */
function trustedProxies(trustProxy: HttpContext['trustProxy']) {
  return typeof trustProxy === 'number' ? (_address: string, hop: number) => hop < trustProxy : (trustProxy ?? false)
}

/** Responds to a URL that the router cannot parse; no route or hook runs for it. */
function rejectMalformedUrl({ accessLog }: HttpContext, addFixedHeaders: AddFixedHeaders) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    addFixedHeaders(request, reply)
    const send = /^\/api\/scim\//i.test(request.url) ? sendScimError : sendApiError
    void send(error, request, reply)
    const { id: requestId, method } = request
    const line = { requestId, method, route: 'none', status: reply.statusCode }
    if (isLogged(reply.statusCode, accessLog)) request.log.info(line, 'request')
  }
}
