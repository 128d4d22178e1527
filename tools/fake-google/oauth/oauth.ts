import type { Reply } from '../reply.ts'
import { jsonReply } from '../reply.ts'
import type { FakeRequest } from '../request.ts'
import type { NewServiceAccount, ServiceAccountFile } from './accounts.ts'
import { accountOf, createServiceAccounts } from './accounts.ts'
import { authorize } from './authorize.ts'
import type { OAuthContext, OAuthParts } from './context.ts'
import { TokenError } from './errors.ts'
import type { Grant } from './grants.ts'
import { createCodes, createConsents, createTokens } from './grants.ts'
import { directoryScopes, scopeText } from './scopes.ts'
import { handleToken } from './token.ts'

/** The tokens of an account that has consented. */
export interface IssuedTokens {
  readonly accessToken: string
  readonly refreshToken: string
  /** Separated by spaces. */
  readonly scope: string
  /** Unix milliseconds. */
  readonly expiresAt: number
}

/** Google's OAuth with one client. The endpoints throw TokenError. */
export interface OAuth {
  authorize(request: FakeRequest): Reply
  token(request: FakeRequest): Reply
  revoke(request: FakeRequest): Reply
  /** The grant behind a request's access token; undefined without a valid token. */
  bearerOf(request: Pick<FakeRequest, 'headers'>): Grant | undefined
  /** Issues tokens without a browser, by default for the consenting administrator and the scopes of a sync. */
  issueTokens(grant?: { readonly account?: string; readonly scopes?: readonly string[] }): IssuedTokens
  /** Creates a service account with domain-wide delegation; returns its key file. */
  registerServiceAccount(account?: NewServiceAccount): ServiceAccountFile
  /** Expires all access tokens; refresh tokens stay valid. */
  expireAccessTokens(): void
  /** Revokes all consents, which invalidates all tokens. */
  revokeAll(): void
}

export function createOAuth(parts: OAuthParts): OAuth {
  const { knobs, now, tokenUrl } = parts
  const serviceAccounts = createServiceAccounts(tokenUrl)
  const tokens = createTokens(knobs, now)
  const context = { ...parts, tokens, codes: createCodes(now), consents: createConsents(), serviceAccounts }
  return {
    authorize: (request) => authorize(context, request),
    token: (request) => handleToken(context, request),
    revoke: (request) => revoke(context, request),
    bearerOf: ({ headers }) => tokens.grantOfAccess(/^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''),
    issueTokens: (grant) => issueTokens(context, grant),
    registerServiceAccount: serviceAccounts.register,
    expireAccessTokens: tokens.expireAccessTokens,
    revokeAll() {
      context.consents.revokeAll()
      tokens.expireAccessTokens()
    },
  }
}

/** Revokes all tokens of the account that the request's token belongs to. */
function revoke({ tokens, consents }: OAuthContext, { form, query }: FakeRequest): Reply {
  const token = form.get('token') ?? query.get('token')
  if (token === null) throw new TokenError('invalid-request', 'Missing required parameter: token')
  const grant = tokens.grantOfRefresh(token) ?? tokens.grantOfAccess(token)
  if (grant === undefined) throw new TokenError('invalid-token')
  consents.revoke(grant)
  return jsonReply(200, {})
}

function issueTokens(
  { state, knobs, now, tokens, consents }: OAuthContext,
  { account = knobs.consent.account, scopes = directoryScopes }: Parameters<OAuth['issueTokens']>[0] = {},
): IssuedTokens {
  const grant: Grant = { account: accountOf(state, account), scopes: new Set(scopes), isRevoked: false }
  consents.add(grant)
  const { token, seconds } = tokens.issueAccess(grant)
  return {
    accessToken: token,
    refreshToken: tokens.issueRefresh(grant),
    scope: scopeText(scopes),
    expiresAt: now() + seconds * 1000,
  }
}
