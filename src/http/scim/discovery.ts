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
import { asScim } from './media-type.ts'

interface Params {
  readonly directoryId: string
  readonly id: string
}

/** Adds the discovery endpoints: configuration, resource types and schemas (RFC 7644 §4). */
export function addDiscoveryRoutes(
  app: FastifyInstance,
  { service, scimBodyLimit: maxPayloadSize }: HttpContext,
): void {
  const options = ({ directoryId }: Params) => ({
    scimUrl: `${service.externalUrl()}${scimPath(directoryId)}`,
    maxPayloadSize,
  })
  const definitions = {
    '/ServiceProviderConfig': (params: Params) => serviceProviderConfig(options(params)),
    '/ResourceTypes': (params: Params) => listResponse(resourceTypeDefinitions(options(params))),
    '/ResourceTypes/:id': (params: Params) => resourceTypeDefinition(params.id, options(params)),
    '/Schemas': (params: Params) => listResponse(schemaDefinitions(options(params))),
    '/Schemas/:id': (params: Params) => schemaDefinition(params.id, options(params)),
  }
  for (const [url, definition] of Object.entries(definitions)) {
    app.get<{ Params: Params }>(url, { schema: documentedAs(url) }, async ({ params, query }, reply) => {
      rejectFilter(query)
      return send(reply, definition(params))
    })
    rejectOtherMethods(app, url, ['GET'])
  }
}

/** Filters are not supported here and must not be ignored (RFC 7644 §4). */
function rejectFilter(query: unknown): void {
  const names = Object.keys(typeof query === 'object' && query !== null ? query : {})
  if (!names.some((name) => name.toLowerCase() === 'filter')) return
  throw new ScimError(403, undefined, 'Filters are not supported here: leave the filter out.')
}

function send(reply: FastifyReply, definition: object | undefined): FastifyReply {
  if (definition === undefined) throw new ScimError(404, undefined, 'There is no such definition.')
  return asScim(reply).send(JSON.stringify(definition))
}
