import type { FastifyInstance, HTTPMethods } from 'fastify'
import { ScimError } from '../scim/errors.ts'

const methods: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Responds to the methods that a URL does not support with 405, and to OPTIONS with 204; both have an `Allow` header
 * (RFC 9110 §9.3.7, §15.5.6), whatever the body.
 */
export function rejectOtherMethods(app: FastifyInstance, url: string, allowed: readonly HTTPMethods[]): void {
  const allow = allowed.join(', ')
  // One route for all methods: each route takes 4 KB of memory, and there are 200 URLs.
  app.route({
    url,
    method: ['OPTIONS', ...methods.filter((method) => !allowed.includes(method))],
    schema: { hide: true },
    config: { scope: 'open' },
    async onRequest({ method }, reply) {
      reply.header('allow', allow)
      if (method !== 'OPTIONS') throw new ScimError(405, undefined, `This URL only supports ${allow}.`)
    },
    handler: async (_request, reply) => reply.code(204).send(),
  })
}

/** Adds routes, then rejects the methods that none of them supports at its URL. */
export function addWithAllowedMethods(app: FastifyInstance, addRoutes: () => void): void {
  const byUrl = new Map<string, Set<HTTPMethods>>()
  let isCollecting = true
  app.addHook('onRoute', ({ routePath, method }) => {
    if (!isCollecting) return
    const known = byUrl.get(routePath) ?? new Set<HTTPMethods>()
    byUrl.set(routePath, known)
    for (const one of [method].flat()) if (methods.includes(one)) known.add(one)
  })
  addRoutes()
  // Also after the plugins that they have registered.
  app.after(() => {
    isCollecting = false
    for (const [url, known] of byUrl) {
      rejectOtherMethods(
        app,
        url,
        methods.filter((method) => known.has(method)),
      )
    }
  })
}
