import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Fastify from 'fastify'
import { createFileCache, sendBytes } from './file-cache.ts'
import type { DescribedRoute } from './openapi/operation.ts'
import { requireOperationIds } from './openapi/operation.ts'

/** Serves the OpenAPI 3.1 description of the routes that are added afterwards at `/openapi.json`. */
export function addOpenApi(app: FastifyInstance, externalUrl: () => string): void {
  const routes: DescribedRoute[] = []
  requireOperationIds(app)
  app.addHook('onRoute', ({ method, url, schema }) => {
    if (schema !== undefined && schema.hide !== true && method !== 'HEAD') routes.push({ method, url, schema })
  })
  let description: Promise<Buffer> | undefined
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    description ??= describe(routes, externalUrl())
    return sendBytes(reply.header('content-type', 'application/json; charset=utf-8'), await description)
  })
}

/** What makes the description is loaded at the first request for it. Bytes, which all responses have in common. */
async function describe(routes: readonly DescribedRoute[], serverUrl: string): Promise<Buffer> {
  const { completeDescription } = await import('./openapi/complete.ts')
  const { describeRoutes } = await import('./openapi/routes.ts')
  return Buffer.from(JSON.stringify(completeDescription(await describeRoutes(routes), serverUrl)))
}

/**
 * The page at `/docs` that shows `/openapi.json`. The viewer takes several megabytes of memory, so it is loaded at the
 * first request, into a Fastify instance of its own.
 */
export function addDocsPage(app: FastifyInstance): void {
  let viewer: Promise<FastifyInstance> | undefined
  const files = createFileCache(async (path) => {
    viewer ??= openViewer()
    return (await viewer).inject({ method: 'GET', url: path })
  })
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const response = await files.get(request.url.replace(/\?.*$/, ''))
    const { 'content-type': type = 'text/html', location } = response.headers
    reply.code(response.statusCode).headers({ ...pageHeaders, 'content-type': type })
    if (location !== undefined) reply.header('location', location)
    return sendBytes(reply, response.rawPayload)
  }
  app.get('/', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .code(302)
      .headers({ location: '/docs', 'content-type': 'text/plain; charset=utf-8' })
      .send('The API reference is at /docs.\n'),
  )
  app.get('/docs', { schema: { hide: true } }, handler)
  app.get('/docs/*', { schema: { hide: true } }, handler)
}

/** The viewer has inline scripts and styles, and may connect to this service only. */
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
