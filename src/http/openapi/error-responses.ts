import { errorCodeOf } from '../../error-response.ts'
import type { JsonObject } from '../../scim/json.ts'
import { ErrorSchema } from '../directory-sync/schemas.ts'
import { ScimErrorSchema } from '../scim/schemas.ts'

/** The error responses of all operations: a name and a description by status. */
const errors: Readonly<Record<number, readonly [name: string, description: string]>> = {
  400: ['BadRequest', 'The input is invalid; the message names every invalid field.'],
  401: ['Unauthorized', 'The credentials are missing or invalid.'],
  403: ['Forbidden', 'The credentials do not allow this.'],
  404: ['NotFound', 'It does not exist, or is outside the scope of the credentials.'],
  409: ['Conflict', 'It conflicts with the current state.'],
  410: ['Gone', 'It has expired or was revoked.'],
  412: ['PreconditionFailed', 'The resource has another version than `If-Match` names.'],
  413: ['ContentTooLarge', 'The body is too large.'],
  415: ['UnsupportedMediaType', 'The body is not JSON.'],
  429: ['TooManyRequests', 'Too many requests, or too many failed attempts: try again after `Retry-After`.'],
  500: ['InternalError', 'An error of the service, which is in its log.'],
  501: ['NotImplemented', 'It is not supported, or not configured.'],
  503: ['Unavailable', 'The database is not available, or the service is busy: try again after `Retry-After`.'],
}

interface ErrorFormat {
  readonly mediaType: string
  readonly schema: string
  readonly prefix: string
  readonly example: (status: number, message: string) => JsonObject
}

const requestId = '5b0f4c1e-6f2b-4d52-8f0e-3c9a1d7e2b48'

const apiFormat: ErrorFormat = {
  mediaType: 'application/json',
  schema: 'Error',
  prefix: '',
  example: (code, message) => {
    const reason = errorCodeOf(undefined, code)
    return { data: null, error: { message, code, reason, request_id: requestId } }
  },
}
const scimFormat: ErrorFormat = {
  mediaType: 'application/scim+json',
  schema: 'ScimError',
  prefix: 'Scim',
  example: (status, detail) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    detail,
  }),
}

/** The schemas that the shared error responses refer to. */
export const errorSchemas = [ErrorSchema, ScimErrorSchema]

/** The shared error responses in use, by name. */
export function errorComponents(isUsed: (name: string) => boolean): JsonObject {
  return Object.fromEntries([apiFormat, scimFormat].flatMap(componentsOf).filter(([name]) => isUsed(name)))
}

function componentsOf({ mediaType, schema, prefix, example }: ErrorFormat): [string, JsonObject][] {
  return Object.entries(errors).map(([status, [name, description]]) => {
    const content = {
      [mediaType]: {
        schema: { $ref: `#/components/schemas/${schema}` },
        example: example(Number(status), description),
      },
    }
    const isTemporary = status === '429' || status === '503'
    const headers = isTemporary ? { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } } : {}
    return [prefix + name, { description, ...headers, content }]
  })
}

/**
 * The error responses of an operation, by status.
 *
 * @throws Error for a status without a description
 */
export function errorResponses(statuses: readonly number[], isScim: boolean): JsonObject {
  const { prefix } = isScim ? scimFormat : apiFormat
  const entries = [...new Set(statuses)].sort().map((status): [string, JsonObject] => {
    const [name] = errors[status] ?? []
    if (name === undefined) throw new Error(`There is no description of the error status ${status}`)
    return [String(status), { $ref: `#/components/responses/${prefix}${name}` }]
  })
  return Object.fromEntries(entries)
}
