import type { FastifyInstance, FastifyReply } from 'fastify'
import { scimPath } from '../../directory/directory-view.ts'
import {
  resourceTypeDefinition,
  resourceTypeDefinitions,
  schemaDefinition,
  schemaDefinitions,
} from '../../scim/discovery/definitions.ts'
import { serviceProviderConfig } from '../../scim/discovery/service-provider-config.ts'
import { ScimError } from '../../scim/errors.ts'
import { listResponse } from '../../scim/messages.ts'
import { rejectOtherMethods } from '../allowed-methods.ts'
import type { HttpContext } from '../context.ts'
import { documentedAs } from './documentation.ts'

interface Params {
  readonly directoryId: string
  readonly id: string
}

/** What the service provider can do, and its schemas (RFC 7644 §4). */
export function addDiscoveryRoutes(
  app: FastifyInstance,
  { service, scimBodyLimit: maxPayloadSize }: HttpContext,
): void {
  const options = ({ directoryId }: Params) => ({
    scimUrl: `${service.externalUrl()}${scimPath(directoryId)}`,
    maxPayloadSize,
  })
  const answers = {
    '/ServiceProviderConfig': (params: Params) => serviceProviderConfig(options(params)),
    '/ResourceTypes': (params: Params) => listResponse(resourceTypeDefinitions(options(params))),
    '/ResourceTypes/:id': (params: Params) => resourceTypeDefinition(params.id, options(params)),
    '/Schemas': (params: Params) => listResponse(schemaDefinitions(options(params))),
    '/Schemas/:id': (params: Params) => schemaDefinition(params.id, options(params)),
  }
  for (const [url, answer] of Object.entries(answers)) {
    app.get<{ Params: Params }>(url, { schema: documentedAs(url) }, async ({ params, query }, reply) => {
      refuseFilter(query)
      return send(reply, answer(params))
    })
    rejectOtherMethods(app, url, ['GET'])
  }
}

/** A filter cannot be honoured here and must not be ignored (RFC 7644 §4). */
function refuseFilter(query: unknown): void {
  const names = Object.keys(typeof query === 'object' && query !== null ? query : {})
  if (!names.some((name) => name.toLowerCase() === 'filter')) return
  throw new ScimError(403, undefined, 'A filter is not possible here: leave it out.')
}

function send(reply: FastifyReply, answer: object | undefined): FastifyReply {
  if (answer === undefined) throw new ScimError(404, undefined, 'There is no such definition.')
  return reply.header('content-type', 'application/scim+json; charset=utf-8').send(JSON.stringify(answer))
}
