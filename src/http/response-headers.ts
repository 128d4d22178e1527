import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const yearSeconds = 31_536_000

/** Sets the headers of every response. */
export type AddFixedHeaders = (request: FastifyRequest, reply: FastifyReply) => void

/**
 * Security headers for an API: no sniffing, caching, framing or embedding, no referrer, and nothing is loaded. A page
 * replaces the policy with its own. @fastify/helmet is not used because it builds them for every request, which takes a
 * quarter of the CPU time of a GET.
 *
 * @param externalUrl only a service that is reached by https sends Strict-Transport-Security
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

/**
 * Allows pages of these origins to call the routes that are added to `app` afterwards (Fetch Standard, CORS protocol).
 * It must be added before authentication, because browsers send preflight requests without credentials. Cookies are
 * never allowed: a page has to send the `Authorization` header.
 *
 * @param origins as browsers send them, like `https://console.example.com`; none: no header is ever sent
 */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return
  const allowed = new Set(origins)
  await app.register(cors, {
    origin: (origin, done) => done(null, origin !== undefined && allowed.has(origin)),
    methods: 'GET, POST, PUT, PATCH, DELETE',
    allowedHeaders: 'authorization, content-type',
    exposedHeaders: 'x-request-id, retry-after',
    maxAge: 600,
    strictPreflight: false,
  })
}
