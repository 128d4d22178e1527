import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ScimAnswer, ScimRequest } from '../../directory/answer/request.ts'
import type { Directory } from '../../directory/directory.ts'
import { scimPath } from '../../directory/directory-answer.ts'
import { ScimError } from '../../scim/errors.ts'
import { credential } from '../authorization.ts'
import { streamOf } from '../chunks.ts'
import type { HttpContext } from '../context.ts'
import { acceptJson } from '../json-body.ts'
import { refuseOtherMethods } from '../other-methods.ts'
import { addDiscoveryRoutes } from './discovery.ts'
import { documentedAs } from './documentation.ts'
import { sendScimError } from './errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The directory that a SCIM request was let in to. */
    directory: Directory | null
  }
}

type Params = { directoryId: string; id?: string }

/** The SCIM service provider of every directory (design §4.2). Who may enter is decided before anything else is read. */
export function addScimRoutes(app: FastifyInstance, context: HttpContext): void {
  const { service, scimBodyLimit } = context
  acceptJson(app, ['application/scim+json', 'application/json'])
  app.decorateRequest('directory', null)
  app.setErrorHandler(sendScimError)
  app.setNotFoundHandler(async () => {
    throw new ScimError(404, undefined, 'There is nothing at this address.')
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const { directoryId } = request.params as Params
    const secret = credential(request.headers.authorization, 'Bearer')
    service.access.authorize(directoryId, secret).then((directory) => {
      request.directory = directory
      done()
    }, done)
  })
  addDiscoveryRoutes(app, context)

  for (const resourceType of ['users', 'groups'] as const) {
    const handler = resourceHandler(context, resourceType)
    const collection = resourceType === 'users' ? '/Users' : '/Groups'
    const options = { bodyLimit: scimBodyLimit, handler }
    app.route({ ...options, method: ['GET', 'POST'], url: collection, schema: documentedAs(collection) })
    app.route({
      ...options,
      method: 'POST',
      url: `${collection}/.search`,
      schema: documentedAs(`${collection}/.search`),
    })
    const one = `${collection}/:id`
    app.route({ ...options, method: ['GET', 'PUT', 'PATCH', 'DELETE'], url: one, schema: documentedAs(one) })
    refuseOtherMethods(app, collection, ['GET', 'POST'])
    refuseOtherMethods(app, `${collection}/.search`, ['POST'])
    refuseOtherMethods(app, one, ['GET', 'PUT', 'PATCH', 'DELETE'])
  }
  app.all('/Me', { schema: { hide: true } }, async () => {
    throw new ScimError(501, undefined, 'The secret stands for a directory, not for a user: there is no /Me.')
  })
  app.all('/Bulk', { schema: { hide: true } }, async () => {
    throw new ScimError(501, undefined, 'Bulk requests are not supported: send the operations one by one.')
  })
}

function resourceHandler({ service }: HttpContext, resourceType: ScimRequest['resourceType']) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { directoryId, id } = request.params as Params
    const { authorization, 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers
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
    }
    const secret = credential(authorization, 'Bearer')
    const answer = await service.scim(
      request.directory?.id ?? directoryId,
      secret,
      scimRequest,
      request.directory ?? undefined,
    )
    return payloadOf(reply, answer)
  }
}

/** What the handler answers with. A payload is quicker than the reply itself, for which the framework would wait. */
function payloadOf(reply: FastifyReply, { status, headers, body }: ScimAnswer): string | Readable | FastifyReply {
  reply.code(status).headers(headers)
  if (body === undefined) return reply.send()
  reply.header('content-type', 'application/scim+json; charset=utf-8')
  return typeof body === 'string' ? body : streamOf(body)
}

/** Where the routes are mounted. */
export const scimPrefix = scimPath(':directoryId')
