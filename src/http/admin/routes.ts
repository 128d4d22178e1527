import type { FastifyInstance } from 'fastify'
import { rotateKeys } from '../../admin/rotate-keys.ts'
import type { HttpContext } from '../context.ts'
import { envelope } from '../directory-sync/schemas.ts'
import { acceptJson } from '../json-body.ts'
import { authorizeAdminRoutes, sendAdminError } from './access.ts'
import { addAccountRoutes, addLoginRoute } from './accounts.ts'
import { addApiKeyRoutes } from './api-keys.ts'
import { addAuditRoutes } from './audit.ts'
import { documented, ResealedSchema } from './schemas.ts'

export const adminPrefix = '/auditlog/admin/v1'

const bodyLimit = 16_384

/** The admin API (design §4.4). While it is off there is nothing at its addresses, and it is not described. */
export async function addAdminRoutes(app: FastifyInstance, context: HttpContext): Promise<void> {
  const { admins } = context.management
  if (admins === undefined) return
  acceptJson(app, ['application/json'])
  app.setErrorHandler(sendAdminError)
  app.addHook('onRoute', (route) => {
    route.bodyLimit = bodyLimit
  })
  addLoginRoute(app, admins)
  await app.register(async (guarded) => {
    authorizeAdminRoutes(guarded, admins)
    addAccountRoutes(guarded, admins)
    addApiKeyRoutes(guarded, context.management)
    addAuditRoutes(guarded, context.management)
    addEncryptionKeyRoutes(guarded, context)
  })
}

/** What secrets are encrypted with. The parent plugin has checked who asks. */
export function addEncryptionKeyRoutes(app: FastifyInstance, { service, management }: HttpContext): void {
  const parts = { store: service.store, audit: management.audit, clock: Date.now }
  app.post(
    '/rotate-keys',
    {
      schema: documented('Encrypt every stored secret with the first of the encryption keys', {
        response: envelope(ResealedSchema),
      }),
    },
    async ({ caller }) => ({ data: await rotateKeys(parts, caller), error: null }),
  )
}
