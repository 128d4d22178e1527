import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DirectoryError } from '../../../directory/errors.ts'
import { errorCodeOf } from '../../../error-response.ts'
import { acceptForms } from '../../../http/body-encoding.ts'
import type { HttpContext } from '../../../http/context.ts'
import { requestErrorResponse } from '../../../http/request-errors.ts'
import { keepReading, sendApiError } from '../../../http/responses.ts'
import { isObject } from '../../../scim/json.ts'
import { pageParameters } from '../paging.ts'
import type { PolisRoute } from './routes.ts'
import { isSent } from './routes.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    polis?: PolisRoute
  }
}

/** The media type with which a client asks for the answers of Rollcall. */
const ownMediaType = 'application/vnd.rollcall+json'

type Fields = Readonly<Record<string, unknown>>

/**
 * Answers products of Polis on the routes that are added afterwards, where the two differ: bodies, queries, answers and errors
 * are translated here, and nowhere else. Must be called before the callers are authorized.
 *
 * @param routes by method and path
 */
export function servePolisProducts(
  app: FastifyInstance,
  { service }: HttpContext,
  routes: Readonly<Record<string, PolisRoute>>,
): void {
  acceptForms(app, Object.fromEntries)
  app.setErrorHandler(sendPolisError)
  app.addHook('onRequest', async ({ raw: { headers } }) => {
    if (headers.authorization !== undefined) headers.authorization = withApiKeyScheme(headers.authorization)
  })
  app.addHook('preHandler', async (request) => {
    const route = routeOf(request)
    if (route !== undefined) translateRequest(request, route)
  })
  app.addHook('onRoute', (options) => {
    const route = routes[`${options.method} ${options.routePath || '/'}`]
    if (route === undefined) return
    const { handler } = options
    options.config = { ...options.config, polis: route }
    options.handler = async function answer(request, reply) {
      if (routeOf(request) === undefined) return handler.call(this, request, reply)
      const instead = await route.instead?.({ service, request, reply, ...namesIn(request) })
      if (instead !== undefined) return instead === isSent ? reply : instead
      const answer = await handler.call(this, request, reply)
      return isObject(answer)
        ? { data: route.data === undefined ? answer['data'] : route.data(answer['data'] as never) }
        : answer
    }
  })
}

/** How Polis answers the request; undefined for routes and callers of Rollcall only. */
function routeOf({ routeOptions, headers, caller, query }: FastifyRequest): PolisRoute | undefined {
  if (headers.authorization === undefined || headers.accept?.includes(ownMediaType) === true) return undefined
  if (caller !== undefined && caller.kind !== 'api-key') return undefined
  const hasOwnFilter = isObject(query) && Object.keys(query).some((name) => ownFilters.has(name))
  return hasOwnFilter ? undefined : routeOptions.config.polis
}

/** Parameters of lists that Polis does not have. */
const ownFilters: ReadonlySet<string> = new Set([
  ...['email', 'user_name', 'userName', 'externalId', 'name', 'search', 'group', 'role', 'active', 'updated_since'],
  ...['expand', 'members'],
])

function translateRequest(request: FastifyRequest, { problem, body }: PolisRoute): void {
  const { schema } = request.routeOptions
  if (schema?.hide === true) return
  const sent = isObject(request.body) ? request.body : {}
  const message = problem?.(sent)
  if (message !== undefined) throw new DirectoryError('invalid-input', message)
  request.query = declared({ ...Object(request.query) }, schema?.querystring)
  request.body = schema?.body === undefined ? undefined : declared(body?.(sent) ?? sent, schema.body)
}

/** The fields that a route declares, and the parameters of a page, without empty ones in queries. */
function declared(fields: Fields, schema: unknown): Fields {
  const known = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {}
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => Object.hasOwn(known, name) || pageParameters.has(name)),
  )
}

function namesIn({ query, params }: FastifyRequest) {
  const { id = '' } = params as { readonly id?: string }
  const values = Object.entries(Object(query) as Fields).filter(([, value]) => value !== '')
  return { query: Object.fromEntries(values), id }
}

/** Sends an error as Polis does: without `data`, with its messages, and with the further fields of Rollcall. */
async function sendPolisError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const route = routeOf(request)
  const isMethodRefused = error instanceof Error && 'status' in error && error.status === 405
  if (route === undefined && !isMethodRefused && request.caller !== undefined)
    return sendApiError(error, request, reply)
  const isNotFound = error instanceof DirectoryError && error.code.endsWith('-not-found')
  const missing = isNotFound ? route?.notFound?.(namesIn(request), error) : undefined
  if (typeof missing === 'object') {
    reply.code(200)
    return void (await reply.send(Array.isArray(missing.data) ? { ...missing, error: null } : missing))
  }
  const { status, message, headers = {} } = requestErrorResponse(error, request)
  if (status === 401) reply.header('www-authenticate', 'Api-Key')
  const shown =
    status === 401 ? 'Unauthorized' : status === 405 ? `Method ${request.method} not allowed.` : missing || message
  const problems = error instanceof DirectoryError && error.problems.length > 0 ? { problems: error.problems } : {}
  const reason = errorCodeOf(error, status)
  if (status === 413) keepReading(reply)
  reply.code(status).headers(headers)
  await reply.send({ error: { message: shown, code: status, reason, request_id: request.id, ...problems } })
}

/**
 * The `Authorization` header with the scheme of API keys: to Polis, the second word is the key whatever the first one is. The
 * credentials of admins of Rollcall stay as they are.
 */
export function withApiKeyScheme(header: string): string {
  const [scheme = '', key = ''] = header.trim().split(/ +/)
  const isOfAdmin = /^id=/i.test(scheme) || (/^bearer$/i.test(scheme) && key.split('.').length === 3)
  return key === '' || isOfAdmin ? header : `Api-Key ${key}`
}
