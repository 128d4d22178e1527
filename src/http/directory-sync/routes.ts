import type { FastifyInstance } from 'fastify'
import type { HttpContext } from '../context.ts'
import { acceptJson } from '../json-body.ts'
import { guardRoutes } from './access.ts'
import { sendApiError } from './answers.ts'
import { addDeliveryRoutes } from './delivery.ts'
import { addDirectoryRoutes } from './directories.ts'
import { addEventRoutes } from './events.ts'
import { addFeedRoutes } from './feed.ts'
import { addResourceRoutes } from './resources.ts'
import { addResyncRoutes } from './resync.ts'
import { addSyncRunRoutes } from './sync-runs.ts'

/** Where the API is mounted: the same routes under two names. */
export const directorySyncPrefixes = ['/api/v1/directory-sync', '/api/v1/dsync'] as const

/** The directory-sync API (design §4.1), for products. Every route needs an API key or an admin's credentials. */
export function addDirectorySyncRoutes(app: FastifyInstance, context: HttpContext): void {
  acceptJson(app, ['application/json'])
  app.setErrorHandler(sendApiError)
  guardRoutes(app, context)
  addDirectoryRoutes(app, context)
  addDeliveryRoutes(app, context)
  addResourceRoutes(app, context)
  addEventRoutes(app, context)
  addFeedRoutes(app, context)
  addResyncRoutes(app, context)
  addSyncRunRoutes(app, context)
}
