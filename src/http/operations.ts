import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from '../inputs/json-schema.ts'
import { DatabaseUpgraded } from '../store/errors.ts'
import type { TraceHeaders } from '../tracing/trace-context.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { HttpContext } from './context.ts'
import { operationSchema } from './openapi/operation.ts'

const operator = { tag: 'Operations', security: [], errors: [], bodyErrors: [] } as const

const alive = operationSchema(operator, 'Check that the process is alive', {
  operationId: 'checkHealth',
  response: Type.Object({ status: Type.Literal('ok') }, { title: 'Health' }),
})
const ready = operationSchema(operator, 'Check that requests should be sent to this process', {
  operationId: 'checkReadiness',
  description: '503 while the database is not available or accepts no writes, and while the process is about to stop.',
  status: [200, 503],
  response: Type.Named('Readiness', 'Whether requests should be sent to this process.', {
    status: Type.Enum(['ready', 'unavailable']),
    reason: Type.Optional(Type.String()),
  }),
})
const scrape = operationSchema(operator, 'Metrics for Prometheus', {
  operationId: 'getMetrics',
  description: 'Not here when `METRICS_PORT` is set.',
  errors: [404],
  response: {
    content: { 'text/plain': { schema: Type.String({ examples: ['rollcall_events_undelivered{state="queued"} 0'] }) } },
  },
})

/** Health, readiness and metrics, for the operator. */
export function addOperationRoutes(
  app: FastifyInstance,
  { service, metrics, hasMetricsPort, isDraining = () => false }: HttpContext,
): void {
  app.get('/healthz', { schema: alive }, async () => ({ status: 'ok' }))
  app.get('/readyz', { schema: ready }, async (_request, reply) => {
    const unavailable = (reason: string) => {
      reply.code(503).header('retry-after', '5')
      return { status: 'unavailable', reason }
    }
    if (isDraining()) return unavailable('The process is stopping.')
    try {
      await service.store.ping()
      const reason = service.clock.problem()
      return { status: 'ready', ...(reason === undefined ? {} : { reason }) }
    } catch (error) {
      service.reportOutage?.(error)
      return unavailable(
        error instanceof DatabaseUpgraded ? error.message : 'The database is not available, or accepts no writes.',
      )
    }
  })
  if (hasMetricsPort === true) return
  app.get('/metrics', { schema: scrape }, async (_request, reply) => {
    reply.header('content-type', metrics.contentType)
    return metrics.collect()
  })
}

/** The paths that the operator's tools request every few seconds; logged at debug level. */
const operationPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Counts every response and logs it in one line with the route's pattern and the directory. The query, which may
 * contain personal data, and headers, which contain secrets, are never logged.
 */
export function logRequests(app: FastifyInstance, { metrics, accessLog }: HttpContext): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    const { method } = request
    const status = reply.statusCode
    metrics.answered(method, route, status, reply.elapsedTime / 1000)
    if (!isLogged(status, accessLog)) return done()
    const level = levelOf(status, route)
    const directoryId = loggedDirectoryId(request.params as { directoryId?: string })
    const ms = Math.round(reply.elapsedTime * 100) / 100
    request.log[level]({ requestId: request.id, method, route, status, ms, directoryId }, 'request')
    done()
  })
}

/** Returns whether the access log has a line for a request. */
export function isLogged(status: number, accessLog: HttpContext['accessLog'] = 'all'): boolean {
  if (accessLog === 'all' || accessLog === 'none') return accessLog === 'all'
  return status >= 400 || (accessLog !== 'errors' && Math.random() < accessLog)
}

/**
 * Only unexpected statuses are errors: 503 is also the response to clients that send too many requests, and 501 is a
 * fact.
 */
function levelOf(status: number, route: string): 'error' | 'warn' | 'info' | 'debug' {
  if (status === 500) return 'error'
  if (status === 503) return 'warn'
  return operationPaths.has(route) ? 'debug' : 'info'
}

/** Starts a span for each request, except those of the operator's tools. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  const ends = new WeakMap<FastifyRequest, ReturnType<Tracing['startRequest']>>()
  app.addHook('onRequest', (request, _reply, done) => {
    const isTraced = !operationPaths.has(request.routeOptions.url ?? '')
    if (isTraced) ends.set(request, tracing.startRequest(request.id, request.method, request.headers as TraceHeaders))
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    ends.get(request)?.(request.routeOptions.url ?? 'none', reply.statusCode)
    done()
  })
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Logs only a UUID: any other text could be a misplaced secret, or contain escape sequences. */
function loggedDirectoryId({ directoryId = '' }: { directoryId?: string }): string | undefined {
  return uuid.test(directoryId) ? directoryId : undefined
}
