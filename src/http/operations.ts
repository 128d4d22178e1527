import type { FastifyInstance } from 'fastify'
import type { HttpContext } from './context.ts'
import type { Metrics } from './metrics.ts'

/** What whoever runs the service asks of it. */
export function addOperationRoutes(app: FastifyInstance, { service, metrics }: HttpContext): void {
  const schema = { tags: ['Operations'] }
  app.get('/healthz', { schema: { ...schema, summary: 'Whether the process is alive' } }, async () => ({
    status: 'ok',
  }))
  app.get('/readyz', { schema: { ...schema, summary: 'Whether the database answers' } }, async (request, reply) => {
    try {
      await service.store.ping()
      return { status: 'ready' }
    } catch (error) {
      request.log.warn({ requestId: request.id, err: error }, 'the database does not answer')
      reply.code(503).header('retry-after', '5')
      return { status: 'unavailable', reason: 'The database does not answer.' }
    }
  })
  app.get('/metrics', { schema: { ...schema, summary: 'Metrics for Prometheus' } }, async (_request, reply) => {
    reply.header('content-type', metrics.registry.contentType)
    return metrics.registry.metrics()
  })
}

/** Requests of the operator's own tools, which come every few seconds. */
const quiet: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Counts every answered request and logs it in one line: the route's pattern and the directory, never the query, which
 * holds names, nor a header, which holds secrets.
 */
export function logRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    const { method } = request
    const status = reply.statusCode
    metrics.answered(method, route, status, reply.elapsedTime / 1000)
    const level = status >= 500 ? 'error' : quiet.has(route) ? 'debug' : 'info'
    const directoryId = idOf(request.params as { directoryId?: string })
    const ms = Math.round(reply.elapsedTime * 100) / 100
    request.log[level]({ requestId: request.id, method, route, status, ms, directoryId }, 'request')
    done()
  })
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * What has no id's form is a stranger's text, or a secret in the wrong place: it could bring names, secrets and escape
 * sequences for terminals into the log.
 */
function idOf({ directoryId = '' }: { directoryId?: string }): string | undefined {
  return uuid.test(directoryId) ? directoryId : undefined
}
