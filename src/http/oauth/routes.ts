import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { DirectoryErrorCode } from '../../directory/errors.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { originOf } from '../authorization.ts'
import type { HttpContext } from '../context.ts'
import { requestErrorResponse } from '../request-errors.ts'
import type { PageText } from './page.ts'
import { page, pageHeaders } from './page.ts'

export const oauthPrefix = '/api/scim/oauth'

const html = { '2xx': Type.String(), '4xx': Type.String(), '5xx': Type.String() }
const query = (...names: readonly string[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(Type.String())])))

/** What the browser of an administrator is sent through. Nobody has a key there: the state says what it is about. */
export function addOauthRoutes(app: FastifyInstance, { service }: HttpContext): void {
  const { authorization } = service
  app.setErrorHandler(sendErrorPage)

  app.route({
    method: 'GET',
    url: '/authorize',
    exposeHeadRoute: false,
    schema: {
      tags: ['Google Workspace'],
      summary: 'Send an administrator to Google to consent',
      querystring: query('directoryId'),
      response: { '302': Type.Null({ description: 'To the page of Google.' }), ...html },
    },
    handler: async (request, reply) => {
      const address = await authorization.authorizationUrlFor(request.query)
      return reply.header('referrer-policy', 'no-referrer').redirect(address, 302)
    },
  })
  app.route({
    method: 'GET',
    url: '/callback',
    exposeHeadRoute: false,
    schema: {
      tags: ['Google Workspace'],
      summary: 'Where Google sends the administrator back to',
      querystring: query('state', 'code', 'error'),
      response: html,
    },
    handler: async (request, reply) => {
      const caller = {
        kind: 'setup',
        id: undefined,
        name: undefined,
        ...originOf(request),
      } as const
      const { name } = await authorization.completeAuthorization(request.query, caller)
      const text = `${name} can read your users and groups now. You may close this page.`
      return sendPage(reply, 200, { title: 'Connected with Google Workspace', text })
    },
  })
}

function sendPage(reply: FastifyReply, status: number, text: PageText): FastifyReply {
  return reply.code(status).headers(pageHeaders).send(page(text))
}

/** The headings of refusals that are not "Not connected". */
const titles: Partial<Record<DirectoryErrorCode, string>> = {
  'invalid-input': 'This link does not work',
  'directory-not-found': 'This link does not work',
  'not-configured': 'Google Workspace is not set up',
}

/** Tells a refusal in a page. What is nobody's but ours is logged whole and shown bare. */
async function sendErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const refusal = requestErrorResponse(error, undefined)
  if (refusal === undefined) request.log.error({ requestId: request.id, err: error }, 'a request failed')
  const text = refusal?.message ?? `Something went wrong here; it is logged with the request id ${request.id}.`
  const title = error instanceof DirectoryError ? titles[error.code] : undefined
  await sendPage(reply.headers(refusal?.headers ?? {}), refusal?.status ?? 500, {
    title: title ?? 'Not connected',
    text,
  })
}
