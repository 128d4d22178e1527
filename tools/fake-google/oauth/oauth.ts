import type { Reply } from '../reply.ts'
import type { FakeRequest } from '../request.ts'
import type { ServiceAccountFile } from './accounts.ts'
import { createServiceAccounts } from './accounts.ts'
import { authorize } from './authorize.ts'
import type { OAuthContext, OAuthParts } from './context.ts'
import type { Grant } from './grants.ts'
import { createTokens } from './grants.ts'
import { directoryScopes } from './scopes.ts'
import { handleToken } from './token.ts'

/** The tokens of the administrator. */
export interface IssuedTokens {
  readonly accessToken: string
  readonly refreshToken: string
}

/** Google's OAuth with one client. The endpoints throw TokenError. */
export interface OAuth {
  authorize(request: FakeRequest): Reply
  token(request: FakeRequest): Promise<Reply>
  /** The grant behind a request's access token; undefined without a valid token. */
  bearerOf(request: Pick<FakeRequest, 'headers'>): Grant | undefined
  /** Issues tokens without a browser, by default for the scopes of a sync. */
  issueTokens(scopes?: readonly string[]): IssuedTokens
  /** Creates a service account with domain-wide delegation; returns its key file. */
  registerServiceAccount(): ServiceAccountFile
  /** Expires all access tokens; refresh tokens stay valid. */
  expireAccessTokens(): void
  /** Revokes all consents, which invalidates all tokens. */
  revokeAll(): void
}

export function createOAuth(parts: OAuthParts): OAuth {
  const tokens = createTokens(parts.knobs, parts.now)
  const serviceAccounts = createServiceAccounts(parts.tokenUrl)
  const context: OAuthContext = { ...parts, tokens, codes: new Map(), serviceAccounts }
  return {
    authorize: (request) => authorize(context, request),
    token: (request) => handleToken(context, request),
    bearerOf: ({ headers }) => tokens.grantOfAccess(/^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''),
    issueTokens(scopes = directoryScopes) {
      const grant: Grant = { scopes, isRevoked: false }
      return { accessToken: tokens.issueAccess(grant).token, refreshToken: tokens.issueRefresh(grant) }
    },
    registerServiceAccount: serviceAccounts.register,
    expireAccessTokens: tokens.expireAccessTokens,
    revokeAll: tokens.revokeAll,
  }
}
