import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Admins } from '../../admin/accounts/admins.ts'
import type { AdminSession } from '../../admin/accounts/session.ts'
import { adminCaller } from '../../admin/accounts/session.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { Type } from '../../inputs/json-schema.ts'
import { addWithAllowedMethods } from '../allowed-methods.ts'
import { authorizationOf, originOf } from '../authorization.ts'
import { signedInBy } from '../console/session-cookie.ts'
import type { HttpContext } from '../context.ts'
import { envelope } from '../directory-sync/schemas.ts'
import { acceptJson } from '../json-body.ts'
import { dataResponse, sendApiError } from '../responses.ts'
import { rejectUndeclaredInput } from '../undeclared-input.ts'
import { addAccountRoutes, addLoginRoute } from './accounts.ts'
import { addApiKeyRoutes } from './api-keys.ts'
import { addAuditRoutes } from './audit.ts'
import { documented, ResealedSchema, SettingSchema } from './schemas.ts'

export const adminPrefix = '/auditlog/admin/v1'

const bodyLimit = 16_384

/** The admin API. Without `ADMIN_ROOT_TOKEN` its routes do not exist and are not documented. */
export async function addAdminRoutes(app: FastifyInstance, context: HttpContext): Promise<void> {
  const { admins } = context.management
  if (admins === undefined) return
  acceptJson(app, ['application/json'])
  app.setErrorHandler(sendAdminError)
  app.addHook('onRoute', (route) => {
    route.bodyLimit = bodyLimit
  })
  rejectUndeclaredInput(app)
  addWithAllowedMethods(app, () => addLoginRoute(app, admins))
  await app.register(async (guarded) => {
    authorizeAdminRoutes(guarded, admins, context)
    addWithAllowedMethods(guarded, () => {
      addAccountRoutes(guarded, admins)
      addApiKeyRoutes(guarded, context.management)
      addAuditRoutes(guarded, context.management)
      addEncryptionKeyRoutes(guarded, context)
      addSettingsRoute(guarded, context)
    })
  })
}

function addEncryptionKeyRoutes(app: FastifyInstance, { service }: HttpContext): void {
  app.post(
    '/rotate-keys',
    {
      schema: documented('Encrypt every stored secret with the first encryption key', {
        operationId: 'rotateEncryptionKeys',
        response: envelope(ResealedSchema),
      }),
    },
    async ({ caller }) => dataResponse(await service.rotateKeys(caller)),
  )
}

function addSettingsRoute(app: FastifyInstance, { settings }: HttpContext): void {
  const schema = documented('List the settings in effect; secrets are not shown', {
    operationId: 'listSettings',
    response: envelope(Type.Array(SettingSchema)),
  })
  app.get('/settings', { schema }, async () => dataResponse(settings))
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The admin who calls the admin API. */
    session: AdminSession
  }
}

/** Requires a logged-in admin, or one who is signed in to the console, for the routes that are added afterwards. */
function authorizeAdminRoutes(app: FastifyInstance, { authenticate }: Admins, context: HttpContext): void {
  app.decorateRequest('session')
  app.decorateRequest('caller')
  app.addHook('onRequest', async (request) => {
    const origin = originOf(request)
    const isFromConsole = request.headers.authorization === undefined
    const session = isFromConsole
      ? await consoleAdmin(request, context)
      : await authenticate(authorizationOf(request.raw), origin)
    if (session === undefined) throw new DirectoryError('unauthorized', logInFirst)
    request.session = session
    request.caller = adminCaller(session.user, origin)
  })
}

/** @throws DirectoryError `forbidden` for somebody who is signed in to the console with an API key */
async function consoleAdmin(request: FastifyRequest, context: HttpContext): Promise<AdminSession | undefined> {
  const signedIn = await signedInBy(request, context)
  if (signedIn === undefined || signedIn.admin !== undefined) return signedIn?.admin
  throw new DirectoryError('forbidden', 'Only admins may do this: you are signed in with an API key.')
}

const logInFirst =
  'Log in and send "Authorization: id=<adminToken.id> token=<adminToken.token> admin_token=<ADMIN_ROOT_TOKEN>" or "Authorization: Bearer <token>".'

async function sendAdminError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await sendApiError(error, request, reply, 'Bearer')
}
