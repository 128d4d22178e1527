import type { FastifyInstance } from 'fastify'
import { addWithAllowedMethods } from '../allowed-methods.ts'
import type { HttpContext } from '../context.ts'
import { acceptJson } from '../json-body.ts'
import { sendApiError } from '../responses.ts'
import { rejectUndeclaredInput } from '../undeclared-input.ts'
import { authorizeApiRoutes } from './access.ts'
import { addAdoptionRoutes } from './adoption.ts'
import { addDeliveryRoutes } from './delivery.ts'
import { addDeliveryLogRoutes } from './delivery-log.ts'
import { addDirectoryRoutes } from './directories.ts'
import { addExplainRoutes } from './explain.ts'
import { addFeedRoutes } from './feed.ts'
import { addGoogleConnectionRoutes } from './google-connection.ts'
import { addHealthRoutes } from './health.ts'
import { addHoldRoutes } from './holds.ts'
import { addMappingRoutes } from './mappings.ts'
import { addOAuthClientRoutes } from './oauth-clients.ts'
import { addOverviewRoutes } from './overview.ts'
import { addPrivacyRoutes } from './privacy.ts'
import { addRequestLogRoutes } from './requests.ts'
import { addResourceRoutes } from './resources.ts'
import { addSearchRoutes } from './search.ts'
import { addSetupLinkRoutes } from './setup-links.ts'
import { addSyncRunRoutes } from './sync-runs.ts'

/** The maximum size of a body, in bytes. */
export const apiBodyLimit = 262_144

export const directorySyncPrefix = '/api/v1/directory-sync'
/** A second prefix for the same routes. */
export const directorySyncAlias = '/api/v1/dsync'

// Linear: the pattern is constant text.
const aliased = new RegExp(`^${RegExp.escape(directorySyncAlias)}(?=[/?]|$)`, 'i')

/** Removes the alias from a URL: registering the routes under two names would take twice the memory. */
export function withoutAlias(url: string): string {
  return url.replace(aliased, directorySyncPrefix)
}

/** The directory-sync API. Every route requires an API key or an admin's credentials. */
export function addDirectorySyncRoutes(app: FastifyInstance, context: HttpContext): void {
  const { compatibility, service } = context
  const { slices } = service.serviceProvider
  acceptJson(app, ['application/json'], { bodyLimit: apiBodyLimit, slices })
  app.addHook('onRoute', (route) => {
    route.bodyLimit = apiBodyLimit
  })
  if (compatibility === undefined) app.setErrorHandler(sendApiError)
  else compatibility.translate(app, context)
  authorizeApiRoutes(app, context)
  rejectUndeclaredInput(app)
  addWithAllowedMethods(app, () => {
    addDirectoryRoutes(app, context)
    addOAuthClientRoutes(app, context)
    addDeliveryRoutes(app, context)
    addResourceRoutes(app, context)
    addAdoptionRoutes(app, context)
    addSearchRoutes(app, context)
    addDeliveryLogRoutes(app, context)
    addFeedRoutes(app, context)
    addHoldRoutes(app, context)
    addMappingRoutes(app, context)
    addRequestLogRoutes(app, context)
    addExplainRoutes(app, context)
    addSyncRunRoutes(app, context)
    addGoogleConnectionRoutes(app, context)
    addHealthRoutes(app, context)
    addOverviewRoutes(app, context)
    addSetupLinkRoutes(app, context)
    compatibility?.addDirectorySyncRoutes(app, context)
    addPrivacyRoutes(app, context)
  })
}
