import type { DirectoryErrorCode } from './directory/errors.ts'
import { DirectoryError } from './directory/errors.ts'
import type { ScimType } from './scim/errors.ts'
import { ScimError } from './scim/errors.ts'
import { StoreUnavailable } from './store/unavailable.ts'

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
  unauthorized: { status: 401 },
  'directory-deactivated': { status: 403 },
  'user-name-taken': { status: 409, scimType: 'uniqueness' },
  'version-mismatch': { status: 412 },
  'already-running': { status: 409 },
  busy: { status: 503, headers: { 'retry-after': '1' } },
} satisfies Record<DirectoryErrorCode, Omit<Refusal, 'message'>>

/** How an error of the protocol, the domain or the store is answered; undefined when it is nobody's but ours. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof ScimError) return error
  if (error instanceof DirectoryError) return { ...ofDomain[error.code], message: error.message }
  if (!(error instanceof StoreUnavailable)) return undefined
  const headers = { 'retry-after': '5' }
  return { status: 503, message: 'The database cannot be reached: send the request again in a moment.', headers }
}
