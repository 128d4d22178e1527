import type { Reply } from '../reply.ts'
import { htmlReply, jsonReply } from '../reply.ts'

/** An error of the token endpoint. Without a code, the response is the HTML page of a proxy. */
export interface TokenErrorRow {
  readonly status: number
  readonly error?: string
  readonly description?: string
  readonly subtype?: string
}

const reauth = 'reauth related error'

/** All errors of the token endpoint. */
export const tokenErrors = {
  'token-revoked': { status: 400, error: 'invalid_grant', description: 'Token has been expired or revoked.' },
  'bad-grant': { status: 400, error: 'invalid_grant', description: 'Bad Request' },
  'invalid-rapt': {
    status: 400,
    error: 'invalid_grant',
    description: `${reauth} (invalid_rapt)`,
    subtype: 'invalid_rapt',
  },
  'rapt-required': {
    status: 400,
    error: 'invalid_grant',
    description: `${reauth} (rapt_required)`,
    subtype: 'rapt_required',
  },
  'redirect-uri-mismatch': { status: 400, error: 'redirect_uri_mismatch', description: 'Bad Request' },
  'invalid-request': { status: 400, error: 'invalid_request', description: 'Bad Request' },
  'unsupported-grant-type': { status: 400, error: 'unsupported_grant_type', description: 'Invalid grant_type' },
  'invalid-scope': { status: 400, error: 'invalid_scope', description: 'Bad Request' },
  'invalid-client': { status: 401, error: 'invalid_client', description: 'Unauthorized' },
  'client-not-found': { status: 401, error: 'invalid_client', description: 'The OAuth client was not found.' },
  'unauthorized-client': { status: 401, error: 'unauthorized_client', description: 'Unauthorized' },
  'access-denied': { status: 403, error: 'access_denied', description: 'Forbidden' },
  'admin-policy-enforced': { status: 403, error: 'admin_policy_enforced', description: 'Forbidden' },
  'org-internal': { status: 403, error: 'org_internal', description: 'Forbidden' },
  'token-rate-limit': { status: 429, error: 'rate_limit_exceeded', description: 'Rate Limit Exceeded' },
  'token-internal-failure': { status: 500, error: 'internal_failure', description: 'Backend Error' },
  'token-unavailable': { status: 503 },
} as const satisfies Record<string, TokenErrorRow>

export type TokenErrorName = keyof typeof tokenErrors

/** The response for an error, with its default description or another one. */
export function tokenErrorReply(name: TokenErrorName, ownDescription?: string): Reply {
  const { status, error, description, subtype }: TokenErrorRow = tokenErrors[name]
  if (error === undefined) return htmlReply(status, `Error ${status} (Server Error)`)
  const error_description = ownDescription ?? description ?? ''
  return jsonReply(status, { error, error_description, ...(subtype === undefined ? {} : { error_subtype: subtype }) })
}

/** An error response of the OAuth endpoints. */
export class TokenError extends Error {
  override readonly name = 'TokenError'
  readonly reply: Reply

  constructor(error: TokenErrorName, description?: string) {
    super(description ?? error)
    this.reply = tokenErrorReply(error, description)
  }
}
