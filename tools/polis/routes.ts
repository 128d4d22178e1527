import { provisioningRoute } from './directory-sync.ts'
import type { PolisReply, PolisRequest } from './http.ts'
import { failure } from './http.ts'
import type { PolisControllers } from './library.ts'
import { polisVersion } from './library.ts'
import { setupLinkRoute } from './setup-links.ts'

/** Answers a request by Polis' controllers. */
export type Route = (controllers: PolisControllers, request: PolisRequest) => Promise<PolisReply>

/** The route of a request, by its path. */
export function findRoute({ path: [api, version, family, ...rest] }: PolisRequest): Route {
  if (api !== 'api') return notFound
  if (version === 'health') return async () => ({ status: 200, body: { version: polisVersion } })
  if (version === 'scim' && family === 'v2.0') return scim
  if (version === 'v1' && (family === 'dsync' || family === 'directory-sync')) {
    return rest[0] === 'setuplinks' ? setupLinkRoute : provisioningRoute
  }
  return notFound
}

const notFound: Route = async () => failure(404, 'Not found')

const scim: Route = async ({ directorySyncController }, { method, path, query, body, credential }) => {
  const [directoryId = '', resourceType = '', resourceId] = path.slice(3)
  const { status, data } = await directorySyncController.requests.handle({
    method,
    body,
    directoryId,
    resourceId,
    resourceType: resourceType.toLowerCase() === 'users' ? 'users' : 'groups',
    apiSecret: credential,
    query: {
      ...(query['count'] === undefined ? {} : { count: Number.parseInt(query['count'], 10) }),
      ...(query['startIndex'] === undefined ? {} : { startIndex: Number.parseInt(query['startIndex'], 10) }),
      ...(query['filter'] === undefined ? {} : { filter: query['filter'] }),
    },
  })
  return { status, body: data }
}
