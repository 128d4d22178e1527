import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Exchange } from '../../diagnostics/requests/exchange.ts'
import { scimPath } from '../../directory/directory-view.ts'
import type { ErrorResponse } from '../../error-response.ts'
import { errorResponseOf, internalError } from '../../error-response.ts'
import { newId } from '../../ids/new-id.ts'
import { newRequestId } from '../../ids/request-id.ts'
import type { BulkOperationEnd } from '../../service-provider/bulk/execute.ts'
import { originOf } from '../authorization.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Time of arrival in Unix milliseconds, by the clock of the request's effects and never after them; undefined if it
     * was refused early.
     */
    arrivedAt: number | undefined
    /** The response of a SCIM operation; its events and address are recorded. */
    scimResponse: Exchange['response'] | undefined
    /** The reason why a SCIM request was refused. */
    scimRefusal: (ErrorResponse & { readonly isUnparseable: boolean }) | undefined
  }
}

// Linear: the pattern has one group, which ends at a slash.
const directoryInPath = new RegExp(`^${scimPath('([^/]+)').replaceAll('.', '\\.')}(?:/|$)`, 'i')

/** The number of path segments up to the directory's id. */
const directorySegments = scimPath('id').split('/').length

/** The id of a request, by which the log finds the request of a directory. */
export function requestIdFor(url = ''): string {
  const [path = ''] = url.split('?', 1)
  const [, directoryId] = directoryInPath.exec(path.includes('%') ? decodedStart(path) : path) ?? []
  return directoryId === undefined ? newId() : newRequestId(directoryId)
}

/** The path up to the directory's id; empty when it is not encoded correctly, so that no route matches. */
function decodedStart(path: string): string {
  try {
    return path.split('/', directorySegments).map(decodeURIComponent).join('/')
  } catch {
    return ''
  }
}

/** Records every SCIM request of an authorized caller after its response. */
export function recordRequests(
  app: FastifyInstance,
  record: ((exchange: Exchange) => void) | undefined,
  clock: () => number,
): void {
  app.decorateRequest('scimResponse', undefined)
  app.decorateRequest('scimRefusal', undefined)
  app.decorateRequest('arrivedAt', undefined)
  if (record === undefined) return
  app.addHook('onRequest', (request, _reply, done) => {
    request.arrivedAt = clock()
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const directory = directoryOf(request)
    if (directory !== undefined && reply.statusCode !== 401) record(exchangeOf(request, reply, directory, clock))
    done()
  })
}

function directoryOf({ directory, deactivation }: FastifyRequest): Exchange['directory'] | undefined {
  return directory ?? (deactivation === null ? undefined : { id: deactivation.directoryId, logScimRequests: false })
}

function exchangeOf(
  request: FastifyRequest,
  reply: FastifyReply,
  directory: Exchange['directory'],
  clock: () => number,
): Exchange {
  const { id, method, body, scimRefusal: error } = request
  const durationMs = reply.elapsedTime
  return {
    directory,
    id,
    method,
    body,
    error,
    durationMs,
    at: request.arrivedAt ?? Math.floor(clock() - durationMs),
    path: pathBelowDirectory(request.raw.url ?? ''),
    query: request.query as Exchange['query'],
    isUnparseable: error?.isUnparseable === true,
    status: reply.statusCode,
    response: request.scimResponse,
    userAgent: request.headers['user-agent'],
    address: originOf(request).address,
  }
}

/** An operation of a bulk request as a request of its own in the log. */
export function operationExchange(
  http: FastifyRequest,
  directory: Exchange['directory'],
  { request, startedAt, durationMs, response, error }: BulkOperationEnd,
): Exchange {
  const { requestId: id, method, endpoint, resourceId, body, query } = request
  const refusal = error === undefined ? undefined : (errorResponseOf(error) ?? internalError(id))
  return {
    ...{ directory, id, method, body, query, response },
    at: startedAt,
    path: endpoint.replace(':id', encodeURIComponent(resourceId)),
    isUnparseable: false,
    status: response?.status ?? refusal?.status ?? 500,
    error: refusal,
    durationMs,
    userAgent: http.headers['user-agent'],
    address: originOf(http).address,
  }
}

const prefixLength = scimPath('').length

/** `/Users?count=1` of `/api/scim/v2.0/<id>/Users?count=1`. */
function pathBelowDirectory(url: string): string {
  const end = url.slice(prefixLength).search(/[/?]/)
  const path = end === -1 ? '' : url.slice(prefixLength + end)
  return path.startsWith('/') ? path : `/${path}`
}
