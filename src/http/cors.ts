import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

/**
 * Allows pages of these origins to call the routes that are added to `app` afterwards (Fetch Standard, CORS protocol).
 * Must be added before authentication: browsers send preflight requests without credentials. Cookies are never allowed,
 * a page has to send the `Authorization` header.
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
