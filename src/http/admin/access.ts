import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Admins } from '../../admin/accounts/admins.ts'
import type { AdminSession } from '../../admin/accounts/session.ts'
import { adminCaller } from '../../admin/accounts/session.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { authorizationOf, originOf } from '../authorization.ts'
import { sendApiError } from '../responses.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The admin whom a request to the admin API is of. */
    session: AdminSession
  }
}

/** Lets logged-in admins in to the routes that are added afterwards, and nobody else: no API key opens them. */
export function authorizeAdminRoutes(app: FastifyInstance, { authenticate }: Admins): void {
  app.decorateRequest('session')
  app.decorateRequest('caller')
  app.addHook('onRequest', async (request) => {
    const origin = originOf(request)
    const session = await authenticate(authorizationOf(request.raw), origin)
    if (session === undefined) throw new DirectoryError('unauthorized', logInFirst)
    request.session = session
    request.caller = adminCaller(session.user, origin)
  })
}

const logInFirst =
  'Log in, and send "Authorization: id=<adminToken.id> token=<adminToken.token> admin_token=<ADMIN_ROOT_TOKEN>" or "Authorization: Bearer <token>".'

/** Answers an error as the directory-sync API does; what to log in with is another thing here. */
export async function sendAdminError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await sendApiError(error, request, reply, 'Bearer')
}
