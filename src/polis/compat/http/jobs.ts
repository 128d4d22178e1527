import type { FastifyRequest } from 'fastify'
import { DirectoryError } from '../../../directory/errors.ts'
import type { HttpService } from '../../../http/context.ts'

/** Starts to send what is due. */
export function processEventsInBackground(service: HttpService, request: FastifyRequest) {
  inBackground(request, () => service.processEvents())
  return { message: 'Processing started' }
}

/**
 * Starts a job that goes on after the answer.
 *
 * @throws DirectoryError `forbidden` for a key that only reads, whatever the method
 */
export function inBackground({ id: requestId, keyScope, log }: FastifyRequest, start: () => Promise<unknown>): void {
  if (keyScope.readOnly)
    throw new DirectoryError('forbidden', 'This API key is not allowed to do this: it is read-only.')
  start().catch((error: unknown) => {
    const isOurs = !(error instanceof DirectoryError)
    log[isOurs ? 'error' : 'warn']({ requestId, err: error }, 'a job of the directory-sync API failed')
  })
}
