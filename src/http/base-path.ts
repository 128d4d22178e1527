import type { FastifyInstance } from 'fastify'

/** The path of a public address, such as `/sync`, without a slash at its end; empty when it has none. */
export function basePathOf(externalUrl: string): string {
  return externalUrl === '' ? '' : new URL(externalUrl).pathname.replace(/(?<!\/)\/+$|^\/$/, '')
}

/** The first segments of the routes' paths, such as `api` and `healthz`. */
export type RouteRoots = ReadonlySet<string>

/** Collects the roots of the routes that are added afterwards. */
export function collectRouteRoots(app: FastifyInstance): RouteRoots {
  const roots = new Set<string>()
  app.addHook('onRoute', ({ url }) => {
    roots.add(rootOf(url))
  })
  return roots
}

const rootOf = (url: string) => /^\/([^/?]*)/.exec(url)?.[1]?.toLowerCase() ?? ''

/**
 * Returns the function that removes the base path from a request's URL: each route exists once, and answers with the path, and
 * without it to proxies that strip it and to probes. A URL that no route could match without the path keeps it, because a base
 * path such as `/api` is also the beginning of routes.
 */
export function basePathRemoval(basePath: string, roots: () => RouteRoots): (url: string) => string {
  if (basePath === '') return (url) => url
  const escaped = RegExp.escape(basePath)
  // Linear: both patterns are constant text.
  const below = new RegExp(`^${escaped}(?=[/?]|$)`, 'i')
  // The metadata of an issuer with a path is at the well-known path, followed by that path (RFC 8414 §3.1).
  const metadata = new RegExp(`^(/\\.well-known/oauth-authorization-server)${escaped}(?=/api/)`, 'i')
  return (url) => {
    const rest = url.replace(below, '')
    if (rest === url) return url.replace(metadata, '$1')
    const path = rest.startsWith('/') ? rest : `/${rest}`
    return roots().has(rootOf(path)) ? path : url
  }
}
