import type { DirectoryErrorCode } from './directory/errors.ts'
import { DirectoryError } from './directory/errors.ts'
import type { ScimType } from './scim/errors.ts'
import { ScimError } from './scim/errors.ts'
import { isDatabaseTrouble } from './store/errors.ts'

/** The response to an error, before it is formatted for SCIM or the API. */
export interface ErrorResponse {
  readonly status: number
  readonly scimType?: ScimType | undefined
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The response to each domain error. A new error code does not compile until it has an entry. */
const domainErrors = {
  'invalid-input': { status: 400, scimType: 'invalidValue' },
  'directory-not-found': { status: 404 },
  'resource-not-found': { status: 404 },
  gone: { status: 410 },
  unauthorized: { status: 401 },
  'directory-deactivated': { status: 403 },
  forbidden: { status: 403 },
  'user-name-taken': { status: 409, scimType: 'uniqueness' },
  'group-name-taken': { status: 409, scimType: 'uniqueness' },
  'account-taken': { status: 409 },
  'no-adoption': { status: 404 },
  'plan-changed': { status: 409 },
  'version-mismatch': { status: 412 },
  'mapping-changed': { status: 409 },
  'too-many-directories': { status: 409 },
  'too-many-clients': { status: 409 },
  'directory-in-use': { status: 409 },
  'setup-link-exists': { status: 409 },
  'already-running': { status: 409 },
  'cursor-diverged': { status: 409 },
  'not-held': { status: 409 },
  'hold-changed': { status: 409 },
  'not-blocking': { status: 409 },
  'user-active': { status: 409 },
  'directory-held': { status: 409 },
  'ambiguous-subject': { status: 409 },
  'needs-authorization': { status: 409 },
  busy: { status: 503, headers: { 'retry-after': '1' } },
  'authorization-failed': { status: 400 },
  'not-configured': { status: 501 },
  'too-many-attempts': { status: 429 },
} satisfies Record<DirectoryErrorCode, Omit<ErrorResponse, 'message'>>

/** The codes of errors that have no domain code, by the status of their response. */
const codeByStatus = {
  400: 'invalid-input',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'resource-not-found',
  413: 'content-too-large',
  415: 'unsupported-media-type',
  500: 'internal-error',
  501: 'not-configured',
  503: 'unavailable',
} as const

/** The reason of a failed call, for programs; stable. */
export type ErrorCode = DirectoryErrorCode | (typeof codeByStatus)[keyof typeof codeByStatus]

/** Every code, without duplicates. */
export const errorCodes: readonly ErrorCode[] = [
  ...new Set([...(Object.keys(domainErrors) as DirectoryErrorCode[]), ...Object.values(codeByStatus)]),
]

/** @param status the status of the response to the error */
export function errorCodeOf(error: unknown, status: number): ErrorCode {
  if (error instanceof DirectoryError) return error.code
  const codes: Readonly<Record<number, ErrorCode>> = codeByStatus
  return codes[status] ?? (status < 500 ? 'invalid-input' : 'internal-error')
}

/** The response to an unexpected error, whose details are only in the service's own log. */
export function internalError(requestId: string): ErrorResponse {
  return { status: 500, message: `Internal error, logged with the request id ${requestId}.` }
}

/** The response to an error of the caller, or of an unreachable database; undefined for unexpected errors. */
export function errorResponseOf(error: unknown): ErrorResponse | undefined {
  if (error instanceof ScimError) return error
  if (error instanceof DirectoryError) return domainErrorResponse(error)
  if (!isDatabaseTrouble(error)) return undefined
  const headers = { 'retry-after': '5' }
  return { status: 503, message: 'The database is not available: send the request again in a moment.', headers }
}

function domainErrorResponse({ code, message, retryAfterSeconds }: DirectoryError): ErrorResponse {
  const response: ErrorResponse = { ...domainErrors[code], message }
  if (retryAfterSeconds === undefined) return response
  return { ...response, headers: { 'retry-after': String(retryAfterSeconds) } }
}
