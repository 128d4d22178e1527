import type { FastifyInstance, HTTPMethods } from 'fastify'
import { throwProblems } from '../../../directory/errors.ts'
import type { Compatibility, HttpContext } from '../../../http/context.ts'
import { authorizeApiRoutes } from '../../../http/directory-sync/access.ts'
import { acceptJson } from '../../../http/json-body.ts'
import { isObject } from '../../../scim/json.ts'
import { version } from '../../../version.ts'
import { servePolisProducts } from './edge.ts'
import { inBackground, polisRoutes, processEventsInBackground } from './routes.ts'

/** Answers as Polis does: on the routes that both have, and with those that only Polis has. */
export const polisCompatibility: Compatibility = {
  translate: (app, context) => servePolisProducts(app, context, polisRoutes),
  addDirectorySyncRoutes: addJobs,
  addOtherRoutes: addOperations,
}

const methods: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The jobs that Polis starts with a request of any method. They run in the background. */
function addJobs(app: FastifyInstance, { service }: HttpContext): void {
  const job = { schema: { hide: true }, config: { scope: 'service' } } as const
  app.route({
    ...job,
    url: '/cron/process-events',
    method: methods.filter((method) => method !== 'POST'),
    handler: async (request) => processEventsInBackground(service, request),
  })
  app.route({
    ...job,
    url: '/cron/sync-google',
    method: [...methods],
    async handler(request) {
      inBackground(request, () => service.syncRuns.startAll({ trigger: 'cron' }))
      return { message: 'Sync started' }
    },
  })
}

/** The routes of Polis beside directory sync: its health, and the counts of directories. */
async function addOperations(app: FastifyInstance, context: HttpContext): Promise<void> {
  app.get('/api/health', { schema: { hide: true } }, async (_request, reply) => {
    try {
      await context.service.store.ping()
      return { version }
    } catch {
      return reply.code(503).send({})
    }
  })
  await app.register(async (stats) => addStats(stats, context), { prefix: '/api/v1/stats' })
}

const maxProducts = 50

function addStats(app: FastifyInstance, context: HttpContext): void {
  const { totals } = context.service
  const options = { schema: { hide: true }, config: { scope: 'service', polis: {} } } as const
  acceptJson(app, ['application/json'])
  servePolisProducts(app, context, {})
  authorizeApiRoutes(app, context)
  app.get('/', options, async () => ({ data: counts(await totals.directories({})) }))
  app.post('/product', options, async ({ body }) => {
    const { products, type } = isObject(body) ? body : {}
    const names = productNames(products)
    const found =
      type === undefined || type === 'dsync'
        ? await Promise.all(names.map((product) => totals.directories({ product })))
        : []
    return { data: counts(found.reduce((sum, one) => sum + one, 0)) }
  })
}

/** Counts as Polis returns them; Rollcall has no single sign-on. */
function counts(directories: number) {
  return { sso_connections: 0, dsync_connections: directories, identity_federation_apps: 0 }
}

/** @throws DirectoryError `invalid-input` */
function productNames(products: unknown): string[] {
  const refused = (message: string) => throwProblems([{ field: 'products', message }])
  if (products === undefined) refused('Missing products')
  if (!Array.isArray(products)) refused('Products must be an array')
  const names: readonly unknown[] = Array.isArray(products) ? products : []
  if (names.length > maxProducts) refused('Products must not exceed 50')
  return [...new Set(names.filter((name) => typeof name === 'string' && name !== ''))] as string[]
}
