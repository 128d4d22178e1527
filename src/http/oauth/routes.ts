import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Directory } from '../../directory/directory.ts'
import type { DirectoryErrorCode } from '../../directory/errors.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { stateLifeMs } from '../../google/authorization/state.ts'
import { Type } from '../../inputs/json-schema.ts'
import { originOf } from '../authorization.ts'
import type { HttpContext } from '../context.ts'
import type { Cookie } from '../cookies.ts'
import { cookieValue, setCookie } from '../cookies.ts'
import { requestErrorResponse } from '../request-errors.ts'
import type { PortalNotice } from '../setup/page.ts'
import { sendPortal } from '../setup/page.ts'

export const oauthPrefix = '/api/scim/oauth'

const page200 = htmlResponse('A page for the administrator.')
const errorPages = {
  '4XX': htmlResponse('A page that says what is wrong.'),
  '5XX': htmlResponse('A page that says what is wrong.'),
}
const text = (description: string) => Type.Optional(Type.String({ description, examples: ['mV0Zb2Xl4oYwT3rK'] }))
const consentQuery = Type.Object({
  ...{ state: text('Identifies the consent.'), code: text('The code of Google.'), error: text('Why Google refused.') },
})

function htmlResponse(description: string) {
  return { description, content: { 'text/html': { schema: Type.String() } } }
}

/** The query of a redirect. Unknown parameters are ignored, because Google and mail programs add their own. */
interface AnyQuery {
  Querystring: Readonly<Record<string, unknown>>
}

/**
 * The OAuth flow in an administrator's browser. It has no API key: the `token` of the URL, then the `state`, identify
 * the directory.
 */
export function addOauthRoutes(app: FastifyInstance, context: HttpContext): void {
  const { authorization, externalUrl } = context.service
  app.setErrorHandler(async (error, request, reply) => {
    const { status, message: text, headers = {} } = requestErrorResponse(error, request)
    const notice = { ...refusalNotice(error, request.query as AnyQuery['Querystring']), text }
    await sendPortal(reply.headers(headers).code(status), context, notice)
  })

  app.route<AnyQuery>({
    method: 'GET',
    url: '/authorize',
    exposeHeadRoute: false,
    schema: {
      operationId: 'authorizeGoogleWorkspace',
      tags: ['Google Workspace'],
      security: [],
      summary: 'Redirect an administrator to Google for consent',
      querystring: Type.Object({ token: text('Identifies the directory.') }),
      response: { '302': Type.Null({ description: 'Redirects to Google.' }), ...errorPages },
    },
    handler: async (request, reply) => {
      const { token } = request.query
      const begun = await authorization.authorizationUrlFor({ token }, browserOf(request, externalUrl()))
      setCookie(reply, browserCookie, externalUrl(), begun.browser)
      return reply.header('referrer-policy', 'no-referrer').redirect(begun.authorizationUrl, 302)
    },
  })
  app.route<AnyQuery>({
    method: 'GET',
    url: '/callback',
    exposeHeadRoute: false,
    schema: {
      operationId: 'completeGoogleAuthorization',
      tags: ['Google Workspace'],
      security: [],
      summary: 'Redirect URI: Google sends the administrator back here',
      querystring: consentQuery,
      response: { '200': page200, '202': page200, ...errorPages },
    },
    handler: async (request, reply) => {
      const caller = { kind: 'setup', id: undefined, name: undefined, ...originOf(request) } as const
      const { state, code, error } = request.query
      const browser = browserOf(request, externalUrl())
      const { directory, outcome } = await authorization.completeAuthorization({ state, code, error }, caller, browser)
      return outcome === 'connected'
        ? sendPortal(reply, context, connectedNotice(directory))
        : sendPortal(reply.code(202), context, pendingNotice(directory))
    },
  })
}

/**
 * Identifies the browser that began an authorization. `Strict` would withhold the cookie when Google redirects back.
 */
const browserCookie: Cookie = { name: 'rollcall-consent', maxAgeSeconds: stateLifeMs / 1000, sameSite: 'Lax' }

/** The value of the cookie, if this service has set it. */
function browserOf(request: FastifyRequest, externalUrl: string): string | undefined {
  const value = cookieValue(request, browserCookie, externalUrl)
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}

function connectedNotice({ name }: Directory): PortalNotice {
  const text = `${name} can now read your users and groups. You may close this page.`
  return { kind: 'google-connected', title: 'Connected with Google Workspace', text }
}

function pendingNotice({ name, google }: Directory): PortalNotice {
  const text = `${google?.pending?.reason ?? ''} The person who sent you here has to approve it before ${name} reads your users and groups.`
  return { kind: 'google-pending', title: 'Waiting for approval', text }
}

const linkGone = { kind: 'link-gone', title: 'This link does not work' } as const
const refusals: Partial<Record<DirectoryErrorCode, Omit<PortalNotice, 'text'>>> = {
  'invalid-input': linkGone,
  'directory-not-found': linkGone,
  'not-configured': { kind: 'google-failed', title: 'Google Workspace is not set up', hasDetail: true },
}
/** The refusals of Google that the page explains; the others are only quoted. */
const denials: readonly unknown[] = ['access_denied', 'admin_policy_enforced']

function refusalNotice(error: unknown, query: AnyQuery['Querystring']): Omit<PortalNotice, 'text'> {
  const code = error instanceof DirectoryError ? error.code : undefined
  const known = code && refusals[code]
  if (known !== undefined) return known
  const isDenial = code === 'authorization-failed' && denials.includes(query['error'])
  return { kind: isDenial ? 'google-denied' : 'google-failed', title: 'Not connected', hasDetail: !isDenial }
}
