import type { FastifyError } from 'fastify'
import type { DirectoryErrorCode } from '../directory/errors.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { ScimType } from '../scim/errors.ts'
import { ScimError } from '../scim/errors.ts'
import { StoreUnavailable } from '../store/unavailable.ts'
import { JsonBodyError } from './json-body.ts'

/** How an error reads to the caller, before it gets the form of SCIM or of the API. */
export interface Refusal {
  readonly status: number
  readonly scimType?: ScimType | undefined
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

/** How each refusal of the domain is answered; a new code does not compile until it has its row. */
const ofDomain = {
  'invalid-input': { status: 400, scimType: 'invalidValue' },
  'directory-not-found': { status: 404 },
  'resource-not-found': { status: 404 },
  unauthorized: { status: 401, headers: { 'www-authenticate': 'Bearer realm="SCIM"' } },
  'directory-deactivated': { status: 403 },
  'user-name-taken': { status: 409, scimType: 'uniqueness' },
  'version-mismatch': { status: 412 },
  busy: { status: 503, headers: { 'retry-after': '1' } },
} satisfies Record<DirectoryErrorCode, Omit<Refusal, 'message'>>

/** The refusals of the HTTP layer itself, in words that help. */
const ofHttp: Readonly<Record<string, Refusal>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, message: 'The body is too large: send less in one request.' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    message: 'Send the body as application/json or application/scim+json.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { status: 400, message: 'The body is not as long as its Content-Length says.' },
  FST_ERR_BAD_URL: { status: 400, message: 'The address is not well-formed: check its percent-encoding.' },
}

/** How an error is answered; undefined when it is nobody's but ours. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof ScimError) return error
  if (error instanceof DirectoryError) return { ...ofDomain[error.code], message: error.message }
  if (error instanceof JsonBodyError) return { status: 400, scimType: 'invalidSyntax', message: error.message }
  if (error instanceof StoreUnavailable) {
    const headers = { 'retry-after': '5' }
    return { status: 503, message: 'The database cannot be reached: send the request again in a moment.', headers }
  }
  if (!isFastifyError(error)) return undefined
  const known = ofHttp[error.code]
  if (known !== undefined) return known
  const { statusCode = 500 } = error
  return statusCode >= 400 && statusCode < 500 ? { status: statusCode, message: error.message } : undefined
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && 'statusCode' in error
}
