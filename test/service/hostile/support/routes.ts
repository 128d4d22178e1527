import type { RouteScope } from '../../../../src/http/directory-sync/access.ts'
import { apiPrefix } from '../../../support/client.ts'
import type { TestService } from '../../../support/service.ts'
import type { Place } from './place.ts'

/** The call of a directory-sync route, and its restriction to a scope. */
export interface RouteUse {
  readonly confinedBy: RouteScope
  /** The path, relative to the prefix, for the data of a place, without a query. */
  readonly path: (place: Place) => string
  readonly body?: unknown
  /** The status of a call within the scope. */
  readonly status: number
  /** The status of a call with a key for all tenants of the product, if it is another one. */
  readonly statusOfProduct?: number
  /** Whether the call deletes the directory. */
  readonly isLast?: boolean
}

const directory = (rest: string, status: number, body?: unknown): RouteUse => ({
  ...{ confinedBy: 'directory', path: ({ directory: { id } }) => `/${id}${rest}`, status, body },
})
const ofDirectory = (rest: (place: Place) => string): RouteUse => ({
  ...{ confinedBy: 'directory', path: (place) => `/${place.directory.id}${rest(place)}`, status: 200 },
})
const pulled = (status: number, rest: (place: Place) => string): RouteUse => ({
  ...{ confinedBy: 'directory', path: (place) => `/${place.pulled.id}${rest(place)}`, status },
})
/** The mapping of a product concerns all its tenants: keys of a tenant do not find it. */
const ofProduct = (path: string, body?: unknown): RouteUse => ({
  ...{
    confinedBy: 'found',
    path: ({ product }) => `${path}?product=${product}`,
    status: 404,
    statusOfProduct: 200,
    body,
  },
})
const query = (path: (place: Place) => string): RouteUse => ({ confinedBy: 'query', path, status: 200 })
const service = (path: string): RouteUse => ({ confinedBy: 'service', path: () => path, status: 403 })

/** Every route, by its documented method and path. */
export const routeUses: Readonly<Record<string, RouteUse>> = {
  'GET /providers': { confinedBy: 'open', path: () => '/providers', status: 200 },
  'POST /': { confinedBy: 'body', path: () => '', body: { tenant: 'acme', product: 'crm' }, status: 201 },
  'GET /': query(() => ''),
  'GET /product': query(() => '/product'),
  'GET /directories': query(() => '/directories'),
  'GET /search': query(() => '/search?q=acme'),
  'GET /{id}': directory('', 200),
  'PATCH /{id}': directory('', 200, { name: 'Renamed' }),
  'DELETE /{id}': { ...directory('', 200), isLast: true },
  'POST /{id}/rotate-secret': directory('/rotate-secret', 200, {}),
  'POST /{id}/rotate-webhook-secret': directory('/rotate-webhook-secret', 200, {}),
  'POST /{id}/oauth-clients': directory('/oauth-clients', 201, { type: 'secret' }),
  'GET /{id}/oauth-clients': directory('/oauth-clients', 200),
  'DELETE /{id}/oauth-clients/{clientId}': directory('/oauth-clients/unknown', 404),
  'GET /{id}/mapping': directory('/mapping', 200),
  'PUT /{id}/mapping': directory('/mapping', 200, { mapping: {} }),
  'GET /{id}/mapping/versions': directory('/mapping/versions', 200),
  'DELETE /{id}/mapping': directory('/mapping', 200),
  'POST /{id}/mapping/preview': directory('/mapping/preview', 200, { mapping: {} }),
  'GET /{id}/mapping/attributes': directory('/mapping/attributes', 200),
  'GET /{id}/users/{userId}/roles': ofDirectory((place) => `/users/${place.userId}/roles`),
  'GET /{id}/digest': directory('/digest?fields=active', 200),
  'PUT /{id}/users/{userId}/account': {
    ...ofDirectory((place) => `/users/${place.userId}/account`),
    body: { account_id: 'account of a key' },
  },
  'POST /{id}/adoption': directory('/adoption', 200, [{ account_id: 'account' }]),
  'GET /{id}/adoption': directory('/adoption', 200),
  'POST /{id}/adoption/apply': directory('/adoption/apply', 409, { version: 'f'.repeat(64) }),
  'DELETE /{id}/adoption': directory('/adoption', 200),
  'POST /mapping/preview': ofProduct('/mapping/preview', { mapping: {} }),
  'GET /mapping': ofProduct('/mapping'),
  'PUT /mapping': ofProduct('/mapping', { mapping: {} }),
  'GET /mapping/versions': ofProduct('/mapping/versions'),
  'DELETE /mapping': ofProduct('/mapping'),
  'GET /{id}/delivery': directory('/delivery', 200),
  'POST /{id}/pause': directory('/pause', 200),
  'POST /{id}/resume': directory('/resume', 200),
  'POST /{id}/replay': directory('/replay', 200, { sequence: 1 }),
  'POST /delivery/resume': {
    confinedBy: 'body',
    path: () => '/delivery/resume',
    body: { tenant: 'acme', product: 'crm' },
    status: 200,
  },
  'POST /delivery/replay': {
    confinedBy: 'body',
    path: () => '/delivery/replay',
    body: { tenant: 'acme', product: 'crm', since: '2026-11-20T08:00:00Z' },
    status: 200,
  },
  'GET /{id}/events': directory('/events', 200),
  'GET /{id}/events/{sequence}': directory('/events/1', 200),
  // the last event does not block delivery
  'POST /{id}/events/{sequence}/skip': directory('/events/6/skip', 409, { reason: 'a test' }),
  'GET /{id}/dead-events': directory('/dead-events', 200),
  'GET /{id}/requests': directory('/requests', 200),
  'GET /{id}/health': directory('/health', 200),
  'GET /{id}/deprovisioning': directory('/deprovisioning', 200),
  'GET /health': query(() => '/health'),
  'GET /overview': query(() => '/overview'),
  'GET /tenant': query(() => '/tenant'),
  'GET /explain': query(({ userId }) => `/explain?subject=${userId}`),
  'GET /requests/{requestId}': { confinedBy: 'found', path: ({ runId }) => `/requests/${runId}`, status: 200 },
  'GET /{id}/users/{userId}/timeline': ofDirectory((place) => `/users/${place.userId}/timeline`),
  'GET /{id}/groups/{groupId}/timeline': ofDirectory((place) => `/groups/${place.groupId}/timeline`),
  'POST /{id}/test-event': directory('/test-event', 200),
  'POST /{id}/resync': directory('/resync', 202),
  'GET /{id}/resync': directory('/resync', 200),
  'GET /{id}/hold': directory('/hold', 200),
  'POST /{id}/hold/release': directory('/hold/release', 200),
  'POST /{id}/hold/discard': directory('/hold/discard', 200),
  'POST /{id}/sync': pulled(202, () => '/sync'),
  'GET /{id}/sync-runs': pulled(200, () => '/sync-runs'),
  'GET /{id}/sync-runs/{run}': pulled(200, ({ runId }) => `/sync-runs/${runId}`),
  'GET /{id}/sync-runs/{run}/held': pulled(200, ({ runId }) => `/sync-runs/${runId}/held`),
  // the run holds nothing, or another run is in progress
  'POST /{id}/sync-runs/{run}/approve': pulled(409, ({ runId }) => `/sync-runs/${runId}/approve`),
  'POST /{id}/authorization-url': pulled(201, () => '/authorization-url'),
  // no Workspace waits for approval
  'POST /{id}/connection/approve': pulled(409, () => '/connection/approve'),
  'GET /users': query(() => '/users'),
  'GET /users/{id}': query(({ userId }) => `/users/${userId}`),
  'GET /groups': query(() => '/groups'),
  'GET /groups/{id}': query(({ groupId }) => `/groups/${groupId}`),
  'GET /groups/{id}/members': query(({ groupId }) => `/groups/${groupId}/members`),
  'GET /events': query(() => '/events'),
  'GET /events/{id}': query(({ deliveryId }) => `/events/${deliveryId}`),
  'DELETE /events': query(() => '/events'),
  'GET /dead-events': query(() => '/dead-events'),
  'GET /refused-requests': query(() => '/refused-requests'),
  'GET /feed': query(() => '/feed'),
  'POST /setuplinks': {
    confinedBy: 'body',
    path: () => '/setuplinks',
    body: { tenant: 'acme', product: 'crm' },
    status: 201,
  },
  'GET /setuplinks': query(({ setupId }) => `/setuplinks?id=${setupId}`),
  'GET /setuplinks/product': query(() => '/setuplinks/product'),
  'GET /setuplinks/all': query(() => '/setuplinks/all'),
  'DELETE /setuplinks': query(({ setupId }) => `/setuplinks?id=${setupId}`),
  'POST /privacy/export': {
    confinedBy: 'body',
    path: () => '/privacy/export',
    body: { tenant: 'acme', product: 'crm', subject: 'nobody@acme.example' },
    status: 404,
  },
  'POST /privacy/erase': {
    confinedBy: 'body',
    path: () => '/privacy/erase',
    body: { tenant: 'acme', product: 'crm', subject: 'nobody@acme.example' },
    status: 404,
  },
  'GET /privacy/erasures': query(() => '/privacy/erasures'),
  'POST /cron/process-events': service('/cron/process-events'),
  'POST /cron/sync-extdir': service('/cron/sync-extdir'),
}

/** A row of the table with its method and name. */
export interface NamedUse extends RouteUse {
  readonly name: string
  readonly method: string
}

export const namedUses: readonly NamedUse[] = Object.entries(routeUses).map(([name, use]) => ({
  ...use,
  ...{ name, method: name.split(' ')[0] ?? '' },
}))

/** The rows of one kind. */
export function usesBy(confinedBy: RouteScope): readonly NamedUse[] {
  return namedUses.filter((use) => use.confinedBy === confinedBy)
}

/** The documented routes of the directory-sync API, in the form of the table. */
export async function describedRoutes(service: TestService): Promise<readonly string[]> {
  const { text } = await service.request('GET', '/openapi.json')
  const { paths } = JSON.parse(text) as { readonly paths: Readonly<Record<string, object>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    path.startsWith(apiPrefix)
      ? Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.slice(apiPrefix.length) || '/'}`)
      : [],
  )
}
