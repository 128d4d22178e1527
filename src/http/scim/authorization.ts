import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createRateLimit } from '../../concurrency/rate-limit.ts'
import type { Activity } from '../../diagnostics/health/activity.ts'
import type { Directory } from '../../directory/directory.ts'
import { DirectoryError, tooMany } from '../../directory/errors.ts'
import { AccessRefused } from '../../service-provider/access.ts'
import { bodySize } from '../admission.ts'
import { authorizationOf, credential, originOf } from '../authorization.ts'
import type { HttpContext } from '../context.ts'
import { smallBody } from '../json-body.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The directory that a SCIM request is authorized for; null before the authorization. */
    directory: Directory | null
    scimSecret: string | undefined
    /** Set if the secret of a deactivated directory is right: the request is rejected with the error. */
    deactivation: { readonly directoryId: string; readonly error: DirectoryError } | null
  }
}

/** A tenant that was quiet may send at once what it may send in this time: first syncs come in bursts. */
const burstSeconds = 10

/**
 * Requires the SCIM secret of the directory before anything else of a request is read. Rate limits apply to authorized
 * requests only, so that strangers cannot use up a tenant's rate.
 */
export function authorizeRequests(app: FastifyInstance, { service, scimRateLimit = 0 }: HttpContext): void {
  const now = () => performance.now()
  const rate = { count: scimRateLimit * burstSeconds, perMs: burstSeconds * 1_000 }
  const limit = scimRateLimit > 0 ? createRateLimit(rate, now) : undefined
  app.decorateRequest('directory', null)
  app.decorateRequest('scimSecret', undefined)
  app.decorateRequest('deactivation', null)
  app.addHook('onRequest', (request, _reply, done) => {
    const { directoryId } = request.params as { directoryId: string }
    const secret = credential(authorizationOf(request.raw), 'Bearer')
    service.access.authorize(directoryId, secret).then(
      (directory) => {
        request.directory = directory
        request.scimSecret = secret
        // Neither a tenant nor a product contains ":".
        const waitSeconds = limit?.take(`${directory.tenant}:${directory.product}`)
        done(waitSeconds === undefined ? undefined : tooMany('SCIM requests of this tenant', waitSeconds))
      },
      (error) => {
        if (error instanceof AccessRefused) {
          service.activity.rejected(directoryId, {
            ...{ address: originOf(request).address, hasSecret: secret !== undefined, problem: error.problem },
          })
        }
        if (!isDeactivation(error)) return done(error)
        request.deactivation = { directoryId, error }
        // A small body is read, so that the request log has the subject of the request.
        done(bodySize(request) <= smallBody ? undefined : error)
      },
    )
  })
  observeRequests(app, service.activity)
  app.addHook('preHandler', (request, _reply, done) => done(request.deactivation?.error))
}

/**
 * The error to respond with: a deactivated directory takes precedence over errors in the body.
 *
 * @param request has none of these properties if its address cannot be parsed
 */
export function decisiveError(error: unknown, { deactivation }: Partial<FastifyRequest>): unknown {
  return deactivation?.error ?? error
}

/** Observes authorized requests after they were answered. */
function observeRequests(app: FastifyInstance, activity: Pick<Activity, 'requested'>): void {
  app.addHook('onResponse', ({ directory, deactivation, method, routeOptions }, { statusCode }, done) => {
    const id = directory?.id ?? deactivation?.directoryId
    if (id !== undefined) {
      const isRead = method === 'GET' || method === 'HEAD' || routeOptions.url?.endsWith('/.search') === true
      activity.requested(id, { isSuccess: statusCode < 400, isRead })
    }
    done()
  })
}

function isDeactivation(error: unknown): error is DirectoryError {
  return error instanceof DirectoryError && error.code === 'directory-deactivated'
}
