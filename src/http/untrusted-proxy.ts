import type { FastifyBaseLogger, FastifyInstance } from 'fastify'

/**
 * Logs a warning at the first request with `X-Forwarded-For` when no proxy is trusted: limits per address then treat
 * all clients of the proxy as one, and the audit trail has its address. The warning is logged once, because any client
 * can send the header.
 */
export function warnOfUntrustedProxy(app: FastifyInstance, log: FastifyBaseLogger): void {
  let isWarned = false
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (!isWarned && headers['x-forwarded-for'] !== undefined) {
      isWarned = true
      log.warn(untrustedProxy)
    }
    done()
  })
}

/** The warning for an operator who uses a proxy in front of the service without trusting it. */
export const untrustedProxy =
  'Requests come through a proxy, and TRUST_PROXY is not set: all clients count as one address, for the limit of failed logins and in the audit trail. Set TRUST_PROXY to the addresses of the proxy, or to 1 if clients cannot bypass it.'
