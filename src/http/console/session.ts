import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SignedIn } from '../../admin/sessions/sessions.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { providers } from '../../directory/provider.ts'
import { version } from '../../version.ts'
import { originOf } from '../authorization.ts'
import type { HttpContext } from '../context.ts'
import { cookieValue, setCookie } from '../cookies.ts'
import { acceptJson } from '../json-body.ts'
import { dataResponse, pageResponse, sendApiError } from '../responses.ts'
import { idTokenCookie } from './oidc.ts'
import { requireSameOrigin, sessionCookie, signedInBy } from './session-cookie.ts'

const bodyLimit = 16_384
const schema = { hide: true }

/** Signing in to the console, and signing out. The routes are for its pages only and not documented. */
export function addSessionRoutes(app: FastifyInstance, context: HttpContext): void {
  const { management, service } = context
  const url = '/session'
  acceptJson(app, ['application/json'])
  app.setErrorHandler(sendApiError)
  app.addHook('onRequest', async (request) => requireSameOrigin(request, service.externalUrl()))

  app.get(url, { schema }, async (request) => {
    const signedIn = await signedInBy(request, context)
    return dataResponse(signedIn === undefined ? null : sessionView(signedIn, context))
  })
  app.post(url, { schema, bodyLimit }, async (request, reply) => {
    const token = await management.console.signIn(request.body, originOf(request))
    await endSession(request, context)
    setCookie(reply, sessionCookie, service.externalUrl(), token)
    if (cookieValue(request, idTokenCookie, service.externalUrl()) !== undefined)
      setCookie(reply, idTokenCookie, service.externalUrl())
    const signedIn = await management.console.find(token, originOf(request))
    reply.code(201)
    return dataResponse(signedIn === undefined ? null : sessionView(signedIn, context))
  })
  app.delete(url, { schema }, async (request, reply) => signOut(request, reply, context))
  addKeySessionRoutes(app, context)
}

/** The sessions of API keys: a list, and ending one. */
function addKeySessionRoutes(app: FastifyInstance, context: HttpContext): void {
  const { keySessions } = context.management.console
  app.get('/sessions', { schema }, async (request) =>
    pageResponse(await keySessions.list(request.query, await mustBeSignedIn(request, context))),
  )
  app.delete<{ Params: { id: string } }>('/sessions/:id', { schema }, async (request) => {
    await keySessions.end(request.params.id, await mustBeSignedIn(request, context))
    return dataResponse({})
  })
}

/** @throws DirectoryError `unauthorized` */
async function mustBeSignedIn(request: FastifyRequest, context: HttpContext): Promise<SignedIn> {
  const signedIn = await signedInBy(request, context)
  if (signedIn === undefined) throw new DirectoryError('unauthorized', 'Sign in to the console first.')
  return signedIn
}

async function signOut(request: FastifyRequest, reply: FastifyReply, context: HttpContext) {
  const { management, service } = context
  await endSession(request, context)
  setCookie(reply, sessionCookie, service.externalUrl())
  const idToken = cookieValue(request, idTokenCookie, service.externalUrl())
  if (idToken === undefined) return dataResponse({})
  setCookie(reply, idTokenCookie, service.externalUrl())
  return dataResponse({ sign_out_url: await management.console.identityProvider?.signOutUrl(idToken) })
}

/** Ends the session of the request, if any. */
async function endSession(request: FastifyRequest, { management, service }: HttpContext): Promise<void> {
  const token = cookieValue(request, sessionCookie, service.externalUrl())
  if (token !== undefined) await management.console.signOut(token, originOf(request))
}

/** The session as the pages see it. */
function sessionView({ caller, scope, admin, expiresAt }: SignedIn, { management, service }: HttpContext) {
  return {
    kind: admin === undefined ? 'api-key' : 'admin',
    name: caller.name ?? null,
    scope: { tenant: scope.tenant ?? null, product: scope.product ?? null, read_only: scope.readOnly },
    admin_api: management.console.hasAdmins,
    setup_types: service.setupLinks.offeredTypes.map((type) => ({ type, label: providers[type] })),
    expires_at: new Date(expiresAt).toISOString(),
    version,
  }
}
