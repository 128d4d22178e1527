import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Fastify from 'fastify'

/**
 * The page at `/docs` that shows `/openapi.json`. The viewer is several megabytes: it is loaded into an application of its
 * own when somebody first looks, and asked there.
 */
export function docsPage(app: FastifyInstance): void {
  let viewer: Promise<FastifyInstance> | undefined
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    viewer ??= openViewer()
    const answer = await (await viewer).inject({ method: 'GET', url: request.url.replace(/\?.*$/, '') })
    const { 'content-type': type = 'text/html', location } = answer.headers
    reply.code(answer.statusCode).headers({ ...pageHeaders, 'content-type': type })
    if (location !== undefined) reply.header('location', location)
    return reply.send(answer.rawPayload)
  }
  app.get('/docs', { schema: { hide: true } }, handler)
  app.get('/docs/*', { schema: { hide: true } }, handler)
}

/** The viewer's script is inline and styles itself; it reaches this service only. */
const pageHeaders = {
  'content-security-policy':
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'",
}

async function openViewer(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const viewer = Fastify()
  await viewer.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      title: 'Rollcall',
      withDefaultFonts: false,
      telemetry: false,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  })
  await viewer.ready()
  return viewer
}
