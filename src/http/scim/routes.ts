import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { Directory } from '../../directory/directory.ts'
import { scimPath } from '../../directory/directory-view.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { ScimRequest, ScimResponse } from '../../provisioning/request.ts'
import { ScimError } from '../../scim/errors.ts'
import { rejectOtherMethods } from '../allowed-methods.ts'
import { authorizationOf, credential } from '../authorization.ts'
import type { HttpContext } from '../context.ts'
import { acceptJson } from '../json-body.ts'
import { jsonStream } from '../responses.ts'
import { addDiscoveryRoutes } from './discovery.ts'
import { documentedAs } from './documentation.ts'
import { sendScimError } from './errors.ts'
import { createRateLimit } from './rate-limit.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The directory that a SCIM request was let in to. */
    directory: Directory | null
    /** What it was let in with. */
    scimSecret: string | undefined
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<string | Readable | FastifyReply>
type Params = { directoryId: string; id?: string }

/** Who may enter and comes too often has to wait: strangers use nothing of a directory's rate up. */
function refusalBy(retryAfterSeconds: number | undefined): Error | undefined {
  if (retryAfterSeconds === undefined) return undefined
  const message = `Too many requests to this directory: go on in ${retryAfterSeconds} s.`
  return new DirectoryError('too-many-attempts', message, [], retryAfterSeconds)
}

/** The SCIM service provider of every directory (design §4.2). Who may enter is decided before anything else is read. */
export function addScimRoutes(app: FastifyInstance, context: HttpContext): void {
  const { service, scimBodyLimit } = context
  const rate = createRateLimit(context.scimRateLimit ?? 0, () => performance.now())
  acceptJson(app, ['application/scim+json', 'application/json'])
  app.decorateRequest('directory', null)
  app.decorateRequest('scimSecret', undefined)
  app.setErrorHandler(sendScimError)
  app.setNotFoundHandler(async () => {
    throw new ScimError(404, undefined, 'There is nothing at this address.')
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const { directoryId } = request.params as Params
    const secret = credential(authorizationOf(request.raw), 'Bearer')
    service.access.authorize(directoryId, secret).then((directory) => {
      request.directory = directory
      request.scimSecret = secret
      done(refusalBy(rate.take(directory.id)))
    }, done)
  })
  addDiscoveryRoutes(app, context)

  const addRoute = (url: string, methods: HTTPMethods[], handler: Handler) => {
    app.route({ url, method: methods, bodyLimit: scimBodyLimit, handler, schema: documentedAs(url) })
    rejectOtherMethods(app, url, methods)
  }
  for (const resourceType of ['users', 'groups'] as const) {
    const collection = resourceType === 'users' ? '/Users' : '/Groups'
    const handler = resourceHandler(context, resourceType)
    addRoute(collection, ['GET', 'POST'], handler)
    addRoute(`${collection}/.search`, ['POST'], handler)
    addRoute(`${collection}/:id`, ['GET', 'PUT', 'PATCH', 'DELETE'], handler)
  }
  addRoute('/', ['GET'], resourceHandler(context, 'all'))
  addRoute('/.search', ['POST'], resourceHandler(context, 'all'))
  addRoute('/Bulk', ['POST'], bulkHandler(context))
  app.all('/Me', { schema: { hide: true } }, async () => {
    throw new ScimError(501, undefined, 'The secret stands for a directory, not for a user: there is no /Me.')
  })
}

function resourceHandler({ service }: HttpContext, resourceType: ScimRequest['resourceType']): Handler {
  return async (request, reply) => {
    const { id } = request.params as Params
    const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers
    const scimRequest: ScimRequest = {
      method: (request.method === 'HEAD' ? 'GET' : request.method) as ScimRequest['method'],
      resourceType,
      resourceId: id,
      isSearch: id === undefined && request.routeOptions.url?.endsWith('/.search') === true,
      body: request.body,
      query: request.query as Record<string, unknown>,
      ifMatch,
      ifNoneMatch,
      requestId: request.id,
      isAbandoned: () => request.raw.socket.destroyed,
    }
    const directory = letIn(request.directory)
    return payloadOf(reply, await service.scim(directory.id, request.scimSecret, scimRequest, directory))
  }
}

/** The hook has let the request in, or has ended it. */
function letIn(directory: Directory | null): Directory {
  if (directory === null) throw new Error('A SCIM request came past its authorization.')
  return directory
}

function bulkHandler({ service }: HttpContext): Handler {
  return async (request, reply) => {
    const { directory, scimSecret, body, id: requestId } = request
    return payloadOf(reply, await service.scimBulk(letIn(directory), scimSecret, { body, requestId }))
  }
}

/** What the handler answers with. A payload is quicker than the reply itself, for which the framework would wait. */
function payloadOf(reply: FastifyReply, { status, headers, body }: ScimResponse): string | Readable | FastifyReply {
  reply.code(status).headers(headers)
  if (body === undefined) return reply.send()
  reply.header('content-type', 'application/scim+json; charset=utf-8')
  return typeof body === 'string' ? body : jsonStream(body)
}

/** Where the routes are mounted. */
export const scimPrefix = scimPath(':directoryId')
