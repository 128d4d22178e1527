import type { FastifyInstance, FastifyRequest } from 'fastify'
import { adminCaller } from '../../admin/accounts/session.ts'
import type { ApiKeyScope } from '../../admin/keys/api-key-store.ts'
import type { KeyHolder } from '../../admin/keys/find-key.ts'
import { unscoped } from '../../admin/keys/find-key.ts'
import type { Caller } from '../../directory/audit.ts'
import type { Directory } from '../../directory/directory.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { isObject } from '../../scim/json.ts'
import { authorizationOf, credential, originOf } from '../authorization.ts'
import { signedInBy } from '../console/session-cookie.ts'
import type { HttpContext } from '../context.ts'

/**
 * The ways to restrict a route to the scope of an API key:
 * - `directory`: the directory `:id` must belong to the key's tenant and product
 * - `query`, `body`: their tenant and product must be the key's, which are also the defaults
 * - `service`: concerns all directories; not allowed for a key with a tenant or a product
 * - `found`: the route itself compares the directory that it finds with the key's scope: see `isInScope`
 * - `open`: the same response for everyone
 */
export type RouteScope = 'directory' | 'query' | 'body' | 'service' | 'found' | 'open'

declare module 'fastify' {
  interface FastifyContextConfig {
    scope?: RouteScope
  }
  interface FastifyRequest {
    caller: Caller
    keyScope: ApiKeyScope
    /** Returns whether the request would still be authorized now: a streamed response may last for hours. */
    isStillAuthorized(): Promise<boolean>
  }
}

/** Requires an API key or an admin for the routes that are added afterwards, each of which must declare its scope. */
export function authorizeApiRoutes(app: FastifyInstance, context: HttpContext): void {
  const { service } = context
  app.decorateRequest('caller')
  app.decorateRequest('keyScope')
  app.decorateRequest('isStillAuthorized', function isStillAuthorized() {
    return holderOf(this, context).then(
      () => true,
      (error: unknown) => !(error instanceof DirectoryError),
    )
  })
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.scope === undefined)
      throw new Error(`${url} does not declare how it is restricted to the scope of an API key`)
  })
  app.addHook('onRequest', async (request) => {
    const holder = await holderOf(request, context)
    request.caller = holder.caller
    request.keyScope = holder.scope
  })
  app.addHook('preHandler', async (request) => {
    const { scope } = request.routeOptions.config
    if (isUnrestricted(request.keyScope)) return
    rejectWrite(request)
    if (scope === 'directory') await requireOwnDirectory(request, service.directories)
    else if (scope === 'query') request.query = withinScope(request.query, request.keyScope)
    else if (scope === 'body') request.body = withinScope(request.body, request.keyScope)
    else if (scope !== 'found' && scope !== 'open' && !isForAllTenants(request.keyScope))
      throw forbidden('this concerns all directories')
  })
}

/**
 * The holder of the request's credentials; without an `Authorization` header, the one who is signed in to the console.
 *
 * @throws DirectoryError `unauthorized`, `too-many-attempts` for an admin's credentials, and `forbidden` for a request
 * that a page of another site sends with the session of the console
 */
async function holderOf(request: FastifyRequest, context: HttpContext): Promise<KeyHolder> {
  const { findKey, admins } = context.management
  const origin = originOf(request)
  const authorization = authorizationOf(request.raw)
  const key = credential(authorization, 'Api-Key')
  const holder = key === undefined ? undefined : await findKey(key, origin)
  if (holder !== undefined) return holder
  const session = key === undefined ? await admins?.authenticate(authorization, origin) : undefined
  if (session !== undefined) return { caller: adminCaller(session.user, origin), scope: unscoped }
  const signedIn = request.headers.authorization === undefined ? await signedInBy(request, context) : undefined
  if (signedIn !== undefined) return signedIn
  throw new DirectoryError('unauthorized', 'Send a valid API key: "Authorization: Api-Key <key>".')
}

function isForAllTenants({ tenant, product }: ApiKeyScope): boolean {
  return tenant === undefined && product === undefined
}

function isUnrestricted(scope: ApiKeyScope): boolean {
  return isForAllTenants(scope) && !scope.readOnly
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

function rejectWrite({ method, keyScope }: FastifyRequest): void {
  if (keyScope.readOnly && !safeMethods.has(method)) throw forbidden('it is read-only')
}

/** Responds as if a directory outside the key's scope did not exist. */
async function requireOwnDirectory(
  { params, keyScope }: FastifyRequest,
  directories: HttpContext['service']['directories'],
): Promise<void> {
  const { id } = params as { readonly id: string }
  if (!isInScope(keyScope, await directories.get(id)))
    throw new DirectoryError('directory-not-found', 'There is no such directory.')
}

/** Returns whether a key may read a directory. */
export function isInScope({ tenant, product }: ApiKeyScope, directory: Pick<Directory, 'tenant' | 'product'>): boolean {
  return (
    (tenant === undefined || tenant === directory.tenant) && (product === undefined || product === directory.product)
  )
}

/** The input with the key's tenant and product. An input that is not an object is rejected later, by its parser. */
function withinScope(input: unknown, { tenant, product }: ApiKeyScope): unknown {
  if (!isObject(input)) return input
  const required = Object.entries({ tenant, product }).filter(([, value]) => value !== undefined)
  for (const [name, value] of required) {
    if (input[name] !== undefined && input[name] !== value) throw forbidden(`it is restricted to another ${name}`)
  }
  return { ...input, ...Object.fromEntries(required) }
}

function forbidden(why: string): DirectoryError {
  return new DirectoryError('forbidden', `This API key is not allowed to do this: ${why}.`)
}
