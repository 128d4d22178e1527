import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export interface CorsOptions {
  /** As browsers send them, `https://console.example.com`; none: no header is ever sent. */
  readonly origins: readonly string[]
  /** What is opened to them: the beginnings of addresses. */
  readonly prefixes: readonly string[]
}

const ofPreflight = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-max-age': '600',
}
const exposed = 'x-request-id, retry-after'

/**
 * Lets pages of other origins call (Fetch Standard, "CORS protocol"). Credentials are in a header that the page must have:
 * cookies and the like are never allowed. It is to be added before those who let callers in, as a browser asks without
 * credentials first whether it may ask.
 */
export function allowOrigins(app: FastifyInstance, { origins, prefixes }: CorsOptions): void {
  if (origins.length === 0) return
  const allowed = new Set(origins)
  app.addHook('onRequest', (request, reply, done) => {
    if (!isBelow(request.url, prefixes)) return done()
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    if (origin === undefined || !allowed.has(origin)) return done()
    reply.header('access-control-allow-origin', origin)
    if (isPreflight(request)) return void answerPreflight(reply)
    reply.header('access-control-expose-headers', exposed)
    done()
  })
}

/** Addresses are matched as the router does: in any letter case. */
function isBelow(url: string, prefixes: readonly string[]): boolean {
  const folded = url.toLowerCase()
  return prefixes.some((prefix) => folded.startsWith(prefix) && /^(?:[/?]|$)/.test(folded.slice(prefix.length)))
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

function answerPreflight(reply: FastifyReply): FastifyReply {
  return reply.code(204).headers(ofPreflight).send()
}
