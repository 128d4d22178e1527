import type { FastifyReply, FastifyRequest } from 'fastify'

const yearSeconds = 31_536_000

/** Adds what every answer carries. */
export type AddFixedHeaders = (request: FastifyRequest, reply: FastifyReply) => void

/**
 * Nothing is sniffed, cached, framed, embedded or told to others, and what is answered loads nothing; a page has its own
 * policy.
 *
 * @param externalUrl where others reach the service: only what is reached by https may ask for https for ever
 */
export function fixedHeaders(externalUrl: string): AddFixedHeaders {
  const headers = {
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...(/^https:/i.test(externalUrl) ? { 'strict-transport-security': `max-age=${yearSeconds}` } : {}),
  }
  return (request, reply) => {
    reply.header('x-request-id', request.id).headers(headers)
  }
}
