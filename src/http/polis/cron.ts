import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify'
import { DirectoryError } from '../../directory/errors.ts'
import type { HttpService } from '../context.ts'

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

export function processEventsInBackground(service: HttpService, request: FastifyRequest) {
  inBackground(request, () => service.processEvents())
  return { message: 'Processing started' }
}

/** @throws DirectoryError `forbidden` for a key that only reads, whatever the method */
function inBackground({ id: requestId, keyScope, log }: FastifyRequest, start: () => Promise<unknown>): void {
  if (keyScope.readOnly)
    throw new DirectoryError('forbidden', 'This API key is not allowed to do this: it is read-only.')
  start().catch((error: unknown) => {
    const isOurs = !(error instanceof DirectoryError)
    log[isOurs ? 'error' : 'warn']({ requestId, err: error }, 'a job of the directory-sync API failed')
  })
}
