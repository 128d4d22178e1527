import type { FastifyInstance } from 'fastify'
import type { HttpContext } from '../context.ts'
import { acceptJson } from '../json-body.ts'
import { guardAdminRoutes, sendAdminError } from './access.ts'
import { addAccountRoutes } from './accounts.ts'
import { addApiKeyRoutes } from './api-keys.ts'
import { addAuditRoutes } from './audit.ts'
import { addEncryptionKeyRoutes } from './encryption-keys.ts'
import { addLoginRoute } from './login.ts'

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
    guardAdminRoutes(guarded, admins)
    addAccountRoutes(guarded, admins)
    addApiKeyRoutes(guarded, context.management)
    addAuditRoutes(guarded, context.management)
    addEncryptionKeyRoutes(guarded, context)
  })
}
