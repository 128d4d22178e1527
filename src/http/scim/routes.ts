import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { scimPath } from '../../directory/directory-view.ts'
import { ScimError } from '../../scim/errors.ts'
import type { BulkOperationEnd, BulkResponse } from '../../service-provider/bulk/execute.ts'
import { performBulk } from '../../service-provider/bulk/execute.ts'
import { operations, perform } from '../../service-provider/operations.ts'
import type { ScimCaller, ScimEndpoint, ScimMethod, ServiceProvider } from '../../service-provider/request.ts'
import { rejectOtherMethods } from '../allowed-methods.ts'
import type { HttpContext } from '../context.ts'
import { acceptJson } from '../json-body.ts'
import { JsonStream } from '../responses.ts'
import { authorizeRequests } from './authorization.ts'
import { addDiscoveryRoutes } from './discovery.ts'
import { documentedOperation } from './documentation.ts'
import { sendScimError } from './errors.ts'
import { asScim } from './media-type.ts'
import { operationExchange, recordRequests } from './recording.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<string | Readable | FastifyReply>
type Params = { directoryId: string; id?: string }

/** The path of the routes. */
export const scimPrefix = scimPath(':directoryId')
export const scimRoot = scimPath('').replace(/\/$/, '')

/** Adds the SCIM service provider of every directory. Requests are authorized before anything else of them is read. */
export function addScimRoutes(app: FastifyInstance, context: HttpContext): void {
  const { scimBodyLimit: bodyLimit } = context
  const { serviceProvider } = context.service
  app.setErrorHandler(sendScimError)
  app.setNotFoundHandler(rejectUnknownAddress)
  authorizeRequests(app, context)
  recordRequests(app, context.service.recordRequest, context.service.clock.now)
  const { slices } = serviceProvider
  acceptJson(app, ['application/scim+json', 'application/json'], { bodyLimit, slices })
  addDiscoveryRoutes(app, context)
  for (const [url, methods] of Object.entries(operations) as [ScimEndpoint, object][]) {
    const names = Object.keys(methods) as ScimMethod[]
    addRoutes(app, bodyLimit, url, names, operationHandler(serviceProvider, url))
  }
  addRoutes(app, bodyLimit, '/Bulk', ['POST'], bulkHandler(context))
  app.all('/Me', { schema: { hide: true }, onRequest: rejectMe }, rejectMe)
}

/** Responds in the format of SCIM to addresses without a directory, too. */
export function rejectScimAddresses(app: FastifyInstance): void {
  app.setErrorHandler(sendScimError)
  app.setNotFoundHandler(rejectUnknownAddress)
}

async function rejectMe(): Promise<never> {
  throw new ScimError(501, undefined, 'The secret belongs to a directory, not to a user: /Me does not exist.')
}

async function rejectUnknownAddress(): Promise<never> {
  throw new ScimError(404, undefined, 'There is nothing at this address: check the base URL.')
}

function addRoutes(
  app: FastifyInstance,
  bodyLimit: number,
  url: ScimEndpoint | '/Bulk',
  methods: readonly ScimMethod[],
  handler: Handler,
): void {
  for (const method of methods) {
    app.route({ url, method, bodyLimit, handler, schema: documentedOperation(url, method) })
  }
  rejectOtherMethods(app, url, methods)
}

function operationHandler(serviceProvider: ServiceProvider, endpoint: ScimEndpoint): Handler {
  return async (request, reply) => {
    const { id: resourceId = '' } = request.params as Params
    const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers
    const response = await perform(serviceProvider, callerOf(request), {
      method: (request.method === 'HEAD' ? 'GET' : request.method) as ScimMethod,
      endpoint,
      resourceId,
      body: request.body,
      query: request.query as Record<string, unknown>,
      ifMatch,
      ifNoneMatch,
      requestId: request.id,
      receivedAt: arrivalOf(reply, serviceProvider),
      isAbandoned: isAbandonedOf(request),
    })
    request.scimResponse = response
    return payloadOf(reply, response)
  }
}

function bulkHandler({ service: { serviceProvider, recordRequest } }: HttpContext): Handler {
  return async (request, reply) => {
    const { body, id: requestId } = request
    const caller = callerOf(request)
    const input = {
      ...{ body, requestId, receivedAt: arrivalOf(reply, serviceProvider), isAbandoned: isAbandonedOf(request) },
      onOperation: (end: BulkOperationEnd) => recordRequest?.(operationExchange(request, caller.directory, end)),
    }
    return payloadOf(reply, await performBulk(serviceProvider, caller, input))
  }
}

/** Time of the request's arrival, in Unix milliseconds. */
function arrivalOf({ elapsedTime }: FastifyReply, { clock }: Pick<ServiceProvider, 'clock'>): number {
  return clock() - Math.round(elapsedTime)
}

/** Returns whether the client has closed the connection. */
function isAbandonedOf({ raw: { socket } }: FastifyRequest): () => boolean {
  return () => socket.destroyed
}

function callerOf({ directory, scimSecret: secret }: FastifyRequest): ScimCaller {
  if (directory === null) throw new Error('A SCIM request reached its handler without authorization.')
  return { directory, secret }
}

/** Returns the payload instead of the reply, because Fastify would wait for the reply. */
function payloadOf(reply: FastifyReply, { status, headers, body }: BulkResponse): string | Readable | FastifyReply {
  reply.code(status).headers(headers)
  if (body === undefined) return reply.send()
  asScim(reply)
  return typeof body === 'string' ? body : new JsonStream(body)
}
