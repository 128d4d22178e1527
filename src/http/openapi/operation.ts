import type { FastifyInstance, RouteOptions } from 'fastify'
import type { Schema } from '../../inputs/json-schema.ts'
import { Type } from '../../inputs/json-schema.ts'

/** The description of a route for OpenAPI. */
export interface OperationParts {
  /** The name of the call in generated clients, such as `listUsers`: unique, in camel case, starting with a verb. */
  readonly operationId: string
  readonly description?: string
  readonly params?: Schema
  readonly querystring?: Schema
  readonly body?: Schema
  /** The body of a successful response. A schema with a `title` becomes a component of that name. */
  readonly response: Schema | ResponseContent
  /** The status of a successful response, or several. Default: 200. */
  readonly status?: number | readonly number[]
  /** The statuses of responses without a body, such as 304. */
  readonly withoutBody?: readonly number[]
  /** The statuses of errors, in addition to those of all routes of its API. */
  readonly errors?: readonly number[]
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
}

/** A response whose media type is not JSON, or that has several. */
export interface ResponseContent {
  readonly description?: string
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>
}

/** The common description of a family of routes. */
export interface OperationFamily {
  readonly tag: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  /** The statuses of errors that each of its routes may respond with. */
  readonly errors: readonly number[]
  /** Further statuses for routes with a body. */
  readonly bodyErrors: readonly number[]
}

/** Errors of a route that has a JSON body, and of every route with a caller to authorize and a database behind it. */
export const callErrors = [400, 401, 403, 404, 429, 500, 503] as const
export const bodyErrors = [413, 415] as const

const noBody = Type.Null({ description: 'There is no body.' })

/** The schema of a route, from which its OpenAPI description is made. */
export function operationSchema(family: OperationFamily, summary: string, parts: OperationParts) {
  const { response, status = 200, withoutBody = [], errors = [], ...described } = parts
  const ofBody = parts.body === undefined ? [] : family.bodyErrors
  return {
    tags: [family.tag],
    summary,
    security: family.security,
    ...described,
    response: Object.fromEntries([
      ...[status].flat().map((one) => [String(one), response]),
      ...withoutBody.map((one) => [String(one), noBody]),
    ]),
    'x-errors': [...family.errors, ...ofBody, ...errors],
  }
}

/** The parts of a route that its description is made from. */
export type DescribedRoute = Pick<RouteOptions, 'method' | 'url' | 'schema'>

/** Requires that every route that is added afterwards has a unique `operationId` or is hidden. */
export function requireOperationIds(app: FastifyInstance): void {
  const urls = new Map<string, string>()
  app.addHook('onRoute', ({ url, method, schema }) => {
    if (schema?.hide === true || method === 'HEAD') return
    const route = `${method} ${url}`
    const { operationId } = schema ?? {}
    if (operationId === undefined || !/^[a-z]+[A-Z][A-Za-z]*$/.test(operationId))
      throw new Error(`${route} has no operationId: name it in its schema, with a verb first, such as listUsers`)
    const other = urls.get(operationId)
    if (other !== undefined) throw new Error(`${route} and ${other} have the same operationId, ${operationId}`)
    urls.set(operationId, route)
  })
}
