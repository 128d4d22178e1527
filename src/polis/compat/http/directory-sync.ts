import type { FastifyInstance, HTTPMethods } from 'fastify'
import type { HttpContext, HttpService } from '../../../http/context.ts'
import { servePolisProducts } from './edge.ts'
import { inBackground, processEventsInBackground } from './jobs.ts'
import { polisRoutes } from './routes.ts'

/** Answers the directory-sync API as Polis does. */
export function answerAsPolis(app: FastifyInstance, context: HttpContext): void {
  servePolisProducts(app, context, polisRoutes)
}

const methods: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The jobs that Polis starts with a request of any method. They run in the background. */
export function addPolisJobs(app: FastifyInstance, service: HttpService): void {
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
