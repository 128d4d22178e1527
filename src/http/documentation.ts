import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Fastify from 'fastify'
import type { SharedDocument } from './file-cache.ts'
import { createFileCache, sendDocument, shareDocument } from './file-cache.ts'
import type { DescribedRoute } from './openapi/operation.ts'
import { requireOperationIds } from './openapi/operation.ts'

/**
 * Serves the OpenAPI 3.1 description of the routes that are added afterwards at `/openapi.json`, and the part that a
 * product needs at `/openapi-product.json`.
 */
export function addOpenApi(app: FastifyInstance, externalUrl: () => string): void {
  const routes: DescribedRoute[] = []
  requireOperationIds(app)
  app.addHook('onRoute', ({ method, url, schema }) => {
    if (schema !== undefined && schema.hide !== true && method !== 'HEAD') routes.push({ method, url, schema })
  })
  let described: Promise<Descriptions> | undefined
  for (const [path, part] of Object.entries(descriptionPaths)) {
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      described ??= describe(routes, externalUrl())
      return sendDocument(request, reply, (await described)[part])
    })
  }
}

/** The whole description, and the part that a product needs. */
interface Descriptions {
  readonly whole: SharedDocument
  readonly product: SharedDocument
}

const descriptionPaths = { '/openapi.json': 'whole', '/openapi-product.json': 'product' } as const

/** Loads the code that makes the descriptions at the first request for one. Other requests are served in between. */
async function describe(routes: readonly DescribedRoute[], serverUrl: string): Promise<Descriptions> {
  const { completeDescription } = await import('./openapi/complete.ts')
  const { productDescription } = await import('./openapi/product.ts')
  await nextTurn()
  const { describeRoutes } = await import('./openapi/routes.ts')
  await nextTurn()
  const described = await describeRoutes(routes)
  await nextTurn()
  const description = completeDescription(described, serverUrl)
  await nextTurn()
  const whole = await shareJson(description)
  await nextTurn()
  return { whole, product: await shareJson(productDescription(description)) }
}

function shareJson(description: object): Promise<SharedDocument> {
  return shareDocument('application/json; charset=utf-8', Buffer.from(JSON.stringify(description)))
}

/**
 * The page at `/docs` that shows `/openapi.json`. The viewer takes several megabytes of memory, so it is loaded at the
 * first request, into a Fastify instance of its own.
 *
 * @param basePath see `basePathOf`
 */
export function addDocsPage(app: FastifyInstance, basePath: string): void {
  let viewer: Promise<FastifyInstance> | undefined
  const files = createFileCache(async (path) => {
    viewer ??= openViewer(basePath)
    const { statusCode, headers, rawPayload } = await (await viewer).inject({ method: 'GET', url: path })
    const { 'content-type': type = 'text/html' } = headers
    const document = statusCode === 200 ? await shareDocument(String(type), rawPayload) : undefined
    return { statusCode, document }
  })
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    // The viewer would redirect to the second form, which frameworks like Next.js redirect back.
    const { document } = await files.get(request.url.replace(/\?.*/s, '').replace(/^\/docs$/i, '/docs/'))
    reply.headers(pageHeaders)
    return document === undefined ? reply.callNotFound() : sendDocument(request, reply, document)
  }
  app.get('/', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .code(302)
      .headers({ location: `${basePath}/docs`, 'content-type': 'text/plain; charset=utf-8' })
      .send(`The API reference is at ${basePath}/docs.\n`),
  )
  app.get('/docs', { schema: { hide: true } }, handler)
  app.get('/docs/*', { schema: { hide: true } }, handler)
}

/** The viewer has inline scripts and styles, and may connect to this service only. */
const pageHeaders = {
  'content-security-policy':
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'",
}

async function openViewer(basePath: string): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const viewer = Fastify()
  // The script's address must not depend on a slash at the end of the page's.
  viewer.addHook('onSend', async (_request, _reply, payload) =>
    typeof payload === 'string' ? payload.replace('src="js/', `src="${basePath}/docs/js/`) : payload,
  )
  await viewer.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: `${basePath}/openapi.json`,
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
