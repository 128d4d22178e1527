import type { FastifyInstance } from 'fastify'

/** The path of a public address, such as `/sync`, without a slash at its end; empty when it has none. */
export function basePathOf(externalUrl: string): string {
  // Linear: only the first slash of a run begins a match.
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
  // Linear: the pattern is constant text.
  const below = new RegExp(`^${RegExp.escape(basePath)}(?=[/?]|$)`, 'i')
  const issuerMetadata = `${metadataPath}${basePath}/api/`.toLowerCase()
  return (url) => {
    const rest = url.replace(below, '')
    if (rest !== url) {
      const path = rest.startsWith('/') ? rest : `/${rest}`
      return roots().has(rootOf(path)) ? path : url
    }
    const isMetadata = url.toLowerCase().startsWith(issuerMetadata)
    return isMetadata ? metadataPath + url.slice(metadataPath.length + basePath.length) : url
  }
}

/** The metadata of an issuer with a path is at this path, followed by that of the issuer (RFC 8414 §3.1). */
const metadataPath = '/.well-known/oauth-authorization-server'
