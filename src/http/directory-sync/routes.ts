import type { FastifyInstance } from 'fastify'
import type { HttpContext } from '../context.ts'
import { acceptJson } from '../json-body.ts'
import { sendApiError } from '../responses.ts'
import { authorizeApiRoutes } from './access.ts'
import { addDeliveryRoutes, addResyncRoutes } from './delivery.ts'
import { addDeliveryLogRoutes } from './delivery-log.ts'
import { addDirectoryRoutes } from './directories.ts'
import { addFeedRoutes } from './feed.ts'
import { addResourceRoutes } from './resources.ts'
import { addSyncRunRoutes } from './sync-runs.ts'

/** Where the API is mounted: the same routes under two names. */
export const directorySyncPrefixes = ['/api/v1/directory-sync', '/api/v1/dsync'] as const

/** The directory-sync API (design §4.1), for products. Every route needs an API key or an admin's credentials. */
export function addDirectorySyncRoutes(app: FastifyInstance, context: HttpContext): void {
  acceptJson(app, ['application/json'])
  app.setErrorHandler(sendApiError)
  authorizeApiRoutes(app, context)
  addDirectoryRoutes(app, context)
  addDeliveryRoutes(app, context)
  addResourceRoutes(app, context)
  addDeliveryLogRoutes(app, context)
  addFeedRoutes(app, context)
  addResyncRoutes(app, context)
  addSyncRunRoutes(app, context)
}
