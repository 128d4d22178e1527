import type { DirectoryErrorCode } from './directory/errors.ts'
import { DirectoryError } from './directory/errors.ts'
import type { ScimType } from './scim/errors.ts'
import { ScimError } from './scim/errors.ts'
import { StoreUnavailable } from './store/errors.ts'

/** How an error reads to the caller, before it gets the form of SCIM or of the API. */
export interface ErrorResponse {
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
  unauthorized: { status: 401 },
  'directory-deactivated': { status: 403 },
  forbidden: { status: 403 },
  'user-name-taken': { status: 409, scimType: 'uniqueness' },
  'version-mismatch': { status: 412 },
  'already-running': { status: 409 },
  'not-held': { status: 409 },
  'needs-authorization': { status: 409 },
  busy: { status: 503, headers: { 'retry-after': '1' } },
  'authorization-failed': { status: 400 },
  'not-configured': { status: 501 },
  'too-many-attempts': { status: 429 },
} satisfies Record<DirectoryErrorCode, Omit<ErrorResponse, 'message'>>

/** How an error of the protocol, the domain or the store is answered; undefined when it is nobody's but ours. */
export function errorResponseOf(error: unknown): ErrorResponse | undefined {
  if (error instanceof ScimError) return error
  if (error instanceof DirectoryError) return ofDirectoryError(error)
  if (!(error instanceof StoreUnavailable)) return undefined
  const headers = { 'retry-after': '5' }
  return { status: 503, message: 'The database cannot be reached: send the request again in a moment.', headers }
}

function ofDirectoryError({ code, message, retryAfterSeconds }: DirectoryError): ErrorResponse {
  const refusal: ErrorResponse = { ...ofDomain[code], message }
  if (retryAfterSeconds === undefined) return refusal
  return { ...refusal, headers: { 'retry-after': String(retryAfterSeconds) } }
}
