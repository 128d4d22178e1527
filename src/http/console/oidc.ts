import type { FastifyInstance, FastifyReply } from 'fastify'
import { attemptLifeMs } from '../../admin/oidc/identity-provider.ts'
import { newSecret } from '../../directory/secret.ts'
import { originOf } from '../authorization.ts'
import type { HttpContext } from '../context.ts'
import type { Cookie } from '../cookies.ts'
import { cookieValue, setCookie } from '../cookies.ts'
import { requestErrorResponse } from '../request-errors.ts'
import { dataResponse } from '../responses.ts'
import { sessionCookie } from './session-cookie.ts'

/** Binds an attempt to the browser that began it. `Strict` would withhold the cookie when the provider redirects back. */
const attemptCookie: Cookie = { name: 'rollcall-sign-in', maxAgeSeconds: attemptLifeMs / 1000, sameSite: 'Lax' }

/** The ID token of a sign-in, by which the identity provider recognizes the session that a sign-out ends there. */
export const idTokenCookie: Cookie = { name: 'rollcall-id-token', maxAgeSeconds: 12 * 3600, sameSite: 'Strict' }

/** Signing in to the console with the identity provider. The page explains why somebody was refused. */
export function addProviderRoutes(app: FastifyInstance, { management, service: { externalUrl } }: HttpContext): void {
  const { identityProvider: provider } = management.console
  const route = { schema: { hide: true }, exposeHeadRoute: false }
  const toPage = (reply: FastifyReply, refused?: string) => {
    const query = refused === undefined ? '' : `?${new URLSearchParams({ refused, id: reply.request.id })}`
    return reply.redirect(`${externalUrl()}/console${query}`, 302)
  }
  app.get('/oidc', route, async () => dataResponse({ host: provider ? new URL(provider.issuer).host : null }))
  if (provider === undefined) return
  app.setErrorHandler((error, request, reply) => {
    requestErrorResponse(error, request)
    return toPage(reply, 'failed')
  })
  app.get('/oidc/login', route, async (request, reply) => {
    // Attempts in several tabs of a browser share the cookie.
    const browser = cookieValue(request, attemptCookie, externalUrl()) ?? newSecret()
    const begun = await provider.begin(browser, originOf(request))
    if (typeof begun === 'string') return toPage(reply, begun)
    setCookie(reply, attemptCookie, externalUrl(), browser)
    return reply.redirect(begun.href, 302)
  })
  app.get('/oidc/callback', route, async (request, reply) => {
    const query = new URLSearchParams(request.url.replace(/^[^?]*/, ''))
    const browser = cookieValue(request, attemptCookie, externalUrl()) ?? ''
    const completed = await provider.complete(query, browser, originOf(request))
    if (typeof completed === 'string') return toPage(reply, completed)
    const [token, idToken] = completed
    setCookie(reply, sessionCookie, externalUrl(), token)
    // Browsers drop cookies of more than 4,096 bytes. Without the token, some providers ask before they end the session.
    setCookie(reply, idTokenCookie, externalUrl(), idToken.length > 3_800 ? '' : idToken)
    setCookie(reply, attemptCookie, externalUrl())
    return toPage(reply)
  })
}
