import type { FastifyInstance, FastifyReply } from 'fastify'
import { readPage, sendPage } from '../console/pages.ts'
import type { HttpContext } from '../context.ts'
import { requestErrorResponse } from '../request-errors.ts'
import type { OpenSetupLink } from './limited-opening.ts'

export const setupPagePrefix = '/setup'

/** The result that the page shows instead of a setup, in the language of the reader. */
export interface PortalNotice {
  readonly kind: 'link-gone' | 'failed' | 'google-connected' | 'google-pending' | 'google-denied' | 'google-failed'
  /** The title and the text in English, for readers without JavaScript. */
  readonly title: string
  readonly text: string
  /** Whether the page shows the text, because it says more than `kind`. */
  readonly hasDetail?: boolean
}

/** The page that a customer's administrator opens. The response reveals nothing if the link does not work. */
export function addSetupPage(app: FastifyInstance, context: HttpContext, openLink: OpenSetupLink): void {
  app.setErrorHandler(async (error, request, reply) => {
    const { status, message: text, headers = {} } = requestErrorResponse(error, request)
    const isGone = status === 410 || status === 404
    const notice: PortalNotice = isGone
      ? { kind: 'link-gone', title: 'This link does not work', text }
      : { kind: 'failed', title: 'Something went wrong', text }
    await sendPortal(reply.headers(headers).code(status), context, notice)
  })
  app.get<{ Params: { token: string } }>('/:token', { schema: { hide: true } }, async (request, reply) => {
    await openLink(request.params.token, request)
    return sendPortal(reply, context)
  })
}

/** Sends the page of the portal, which looks as the settings say. */
export async function sendPortal(
  reply: FastifyReply,
  { service: { externalUrl, portal } }: Pick<HttpContext, 'service'>,
  notice?: PortalNotice,
): Promise<FastifyReply> {
  const { branding, frameAncestors } = portal
  const { title, text } = notice ?? { title: 'Directory setup', text: 'This page needs JavaScript.' }
  const html = await readPage('setup.html')
  if (html === undefined) return reply.type('text/plain; charset=utf-8').send(`${title}\n\n${text}\n`)
  const values = { TITLE: title, TEXT: text, PORTAL: JSON.stringify({ portal: branding, notice: notice ?? null }) }
  const filled = html.replaceAll(/__(TITLE|TEXT|PORTAL)__/g, (_, name: keyof typeof values) => escaped(values[name]))
  return sendPage(reply, filled, externalUrl(), { imageUrl: branding.logo_url ?? undefined, frameAncestors })
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => references[character] ?? '')
}
