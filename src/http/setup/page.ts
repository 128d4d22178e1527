import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendPage } from '../console/pages.ts'
import type { HttpContext } from '../context.ts'
import { messagePage, messagePageHeaders } from '../message-page.ts'
import { requestErrorResponse } from '../request-errors.ts'
import type { OpenSetupLink } from './limited-opening.ts'

export const setupPagePrefix = '/setup'

/** The page that a customer's administrator opens. The response reveals nothing if the link does not work. */
export function addSetupPage(app: FastifyInstance, { service }: HttpContext, openLink: OpenSetupLink): void {
  const { externalUrl, portal } = service
  app.setErrorHandler(sendErrorPage)
  app.get<{ Params: { token: string } }>('/:token', { schema: { hide: true } }, async (request, reply) => {
    await openLink(request.params.token, request)
    return sendPage(reply, 'setup.html', externalUrl(), portal.branding.logo_url ?? undefined)
  })
}

async function sendErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { status, message: text, headers = {} } = requestErrorResponse(error, request)
  const title = status === 410 || status === 404 ? 'This link does not work' : 'Something went wrong'
  await reply
    .headers({ ...headers, ...messagePageHeaders })
    .code(status)
    .send(messagePage({ title, text }))
}
