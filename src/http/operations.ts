import type { FastifyInstance } from 'fastify'
import type { HttpContext } from './context.ts'

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
