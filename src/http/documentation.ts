import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { readPage, sendNotBuilt } from './console/pages.ts'
import type { SharedDocument } from './file-cache.ts'
import { sendDocument, shareDocument } from './file-cache.ts'
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
 * The page at `/docs` that shows `/openapi.json`. It is built with the console, which also serves its script.
 *
 * @param basePath see `basePathOf`
 */
export function addDocsPage(app: FastifyInstance, basePath: string): void {
  const schema = { hide: true }
  app.get('/', { schema }, async (_request, reply) =>
    reply
      .code(302)
      .headers({ location: `${basePath}/docs`, 'content-type': 'text/plain; charset=utf-8' })
      .send(`The API reference is at ${basePath}/docs.\n`),
  )
  app.get('/docs', { schema }, async (request, reply) => {
    const html = await readPage('reference.html')
    if (html === undefined) return sendNotBuilt(reply)
    const bytes = Buffer.from(html.replaceAll('__BASE_PATH__', () => basePath))
    return sendDocument(request, reply.headers(pageHeaders), await shareDocument('text/html; charset=utf-8', bytes))
  })
}

/** The viewer has inline scripts and styles, and may connect to this service only. */
const pageHeaders = {
  'content-security-policy':
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'",
}
