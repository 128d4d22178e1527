import type { FastifyInstance, FastifyRequest } from 'fastify'
import { adminCaller } from '../../admin/accounts/session.ts'
import { unscoped } from '../../admin/keys/find-key.ts'
import type { ApiKeyScope } from '../../admin/keys/store.ts'
import type { Management } from '../../admin/management.ts'
import type { Caller } from '../../directory/audit.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { isObject } from '../../scim/json.ts'
import { authorizationOf, credential, originOf } from '../authorization.ts'
import type { HttpContext } from '../context.ts'

/**
 * How a route is kept within what a key may see:
 * - `directory`: `:id` is a directory, which must be of the key's tenant and product
 * - `query`, `body`: they name a tenant and a product, which must be the key's; what they leave out is the key's
 * - `service`: it concerns all directories; a key with a tenant or a product may not use it
 * - `open`: it says the same to everybody
 */
export type RouteScope = 'directory' | 'query' | 'body' | 'service' | 'open'

declare module 'fastify' {
  interface FastifyContextConfig {
    scope?: RouteScope
  }
  interface FastifyRequest {
    caller: Caller
    keyScope: ApiKeyScope
    /** Whether what let the request in still would: an answer may go on for an hour. */
    isStillAuthorized(): Promise<boolean>
  }
}

/** Lets API keys and admins in to the routes that are added afterwards, each of which must say how it is confined. */
export function authorizeApiRoutes(app: FastifyInstance, { service, management }: HttpContext): void {
  app.decorateRequest('caller')
  app.decorateRequest('keyScope')
  app.decorateRequest('isStillAuthorized', function isStillAuthorized() {
    return holderOf(this, management).then(
      () => true,
      (error: unknown) => !(error instanceof DirectoryError),
    )
  })
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.scope === undefined) throw new Error(`${url} does not say how it is confined to the scope of a key`)
  })
  app.addHook('onRequest', async (request) => {
    const holder = await holderOf(request, management)
    request.caller = holder.caller
    request.keyScope = holder.scope
  })
  app.addHook('preHandler', async (request) => {
    const { scope } = request.routeOptions.config
    if (isEverything(request.keyScope)) return
    refuseWrite(request)
    if (scope === 'directory') await confineDirectory(request, service.directories)
    else if (scope === 'query') request.query = confined(request.query, request.keyScope)
    else if (scope === 'body') request.body = confined(request.body, request.keyScope)
    else if (scope !== 'open' && !isWide(request.keyScope)) throw forbidden('This concerns all directories')
  })
}

/** @throws DirectoryError `unauthorized`, and `too-many-attempts` for an admin's credentials */
async function holderOf(request: FastifyRequest, { findKey, admins }: Management) {
  const origin = originOf(request)
  const authorization = authorizationOf(request.raw)
  const key = credential(authorization, 'Api-Key')
  const holder = key === undefined ? undefined : await findKey(key, origin)
  if (holder !== undefined) return holder
  const session = key === undefined ? await admins?.authenticate(authorization, origin) : undefined
  if (session !== undefined) return { caller: adminCaller(session.user, origin), scope: unscoped }
  throw new DirectoryError('unauthorized', 'Send an API key: "Authorization: Api-Key <key>".')
}

function isWide({ tenant, product }: ApiKeyScope): boolean {
  return tenant === undefined && product === undefined
}

function isEverything(scope: ApiKeyScope): boolean {
  return isWide(scope) && !scope.readOnly
}

function refuseWrite({ method, keyScope }: FastifyRequest): void {
  if (keyScope.readOnly && method !== 'GET' && method !== 'HEAD') throw forbidden('This changes something')
}

/** A directory of others is not there at all. */
async function confineDirectory(
  { params, keyScope: { tenant, product } }: FastifyRequest,
  directories: HttpContext['service']['directories'],
): Promise<void> {
  const { id } = params as { readonly id: string }
  const directory = await directories.get(id)
  const isOurs =
    (tenant === undefined || tenant === directory.tenant) && (product === undefined || product === directory.product)
  if (!isOurs) throw new DirectoryError('directory-not-found', 'There is no such directory.')
}

/** What was given with the key's tenant and product; what is no object is refused by who reads it. */
function confined(given: unknown, { tenant, product }: ApiKeyScope): unknown {
  if (!isObject(given)) return given
  const wanted = Object.entries({ tenant, product }).filter(([, value]) => value !== undefined)
  for (const [name, value] of wanted) {
    if (given[name] !== undefined && given[name] !== value) throw forbidden(`That is another ${name} than the key's`)
  }
  return { ...given, ...Object.fromEntries(wanted) }
}

function forbidden(what: string): DirectoryError {
  return new DirectoryError('forbidden', `${what}: this API key may not do it.`)
}
