import type { FastifyInstance } from 'fastify'
import { scimPath } from '../../directory/directory-view.ts'
import { discover, discoveryEndpoints } from '../../service-provider/discovery.ts'
import { rejectOtherMethods } from '../allowed-methods.ts'
import type { HttpContext } from '../context.ts'
import { documentedDiscovery } from './documentation.ts'
import { asScim } from './media-type.ts'

interface Params {
  readonly directoryId: string
  readonly id?: string
}

/** Adds the discovery endpoints: configuration, resource types and schemas (RFC 7644 §4). */
export function addDiscoveryRoutes(
  app: FastifyInstance,
  { service, scimBodyLimit: maxPayloadSize }: HttpContext,
): void {
  for (const url of discoveryEndpoints) {
    app.get<{ Params: Params }>(
      url,
      { schema: documentedDiscovery(url) },
      async ({ params, query, directory }, reply) => {
        const scimUrl = `${service.externalUrl()}${scimPath(params.directoryId)}`
        return asScim(reply).send(
          discover(url, params.id ?? '', query, {
            scimUrl,
            maxPayloadSize,
            profile: directory?.scimProfile ?? 'tolerant',
          }),
        )
      },
    )
    rejectOtherMethods(app, url, ['GET'])
  }
}
