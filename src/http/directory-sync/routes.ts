import type { FastifyInstance } from 'fastify'
import { DirectoryError } from '../../directory/errors.ts'
import { credential } from '../authorization.ts'
import type { HttpContext } from '../context.ts'
import { acceptJson } from '../json-body.ts'
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

/** The directory-sync API (design §4.1), for products. Every route needs an API key. */
export function addDirectorySyncRoutes(app: FastifyInstance, context: HttpContext): void {
  acceptJson(app, ['application/json'])
  app.setErrorHandler(sendApiError)
  app.addHook('onRequest', async (request) => {
    const key = credential(request.headers.authorization, 'Api-Key')
    if (key !== undefined && context.apiKeys.isKey(key)) return
    throw new DirectoryError('unauthorized', 'Send an API key: "Authorization: Api-Key <key>".')
  })
  addDirectoryRoutes(app, context)
  addDeliveryRoutes(app, context)
  addResourceRoutes(app, context)
  addEventRoutes(app, context)
  addFeedRoutes(app, context)
  addResyncRoutes(app, context)
  addSyncRunRoutes(app, context)
}
