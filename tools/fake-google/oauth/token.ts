import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../src/scim/json.ts'
import type { Reply } from '../reply.ts'
import { jsonReply } from '../reply.ts'
import type { FakeRequest } from '../request.ts'
import { grantOfAssertion } from './assertion.ts'
import type { OAuthContext } from './context.ts'
import { TokenError } from './errors.ts'
import type { Grant } from './grants.ts'
import { scopeText } from './scopes.ts'

/**
 * The token endpoint.
 *
 * @throws TokenError
 */
export async function handleToken(context: OAuthContext, { form }: FakeRequest): Promise<Reply> {
  const grantType = required(form, 'grant_type')
  if (grantType === 'urn:ietf:params:oauth:grant-type:jwt-bearer') {
    return jsonReply(200, accessOf(context, await grantOfAssertion(context, required(form, 'assertion'))))
  }
  checkClient(context, form)
  if (grantType === 'authorization_code') return jsonReply(200, exchanged(context, form))
  if (grantType === 'refresh_token') return jsonReply(200, refreshed(context, form))
  throw new TokenError('unsupported-grant-type', `Invalid grant_type: ${grantType}`)
}

function exchanged(context: OAuthContext, form: URLSearchParams): JsonObject {
  const { codes, tokens } = context
  const code = required(form, 'code')
  const found = codes.get(code)
  if (found === undefined) throw new TokenError('bad-grant')
  if (form.get('redirect_uri') !== found.redirectUri) throw new TokenError('redirect-uri-mismatch')
  const verifier = required(form, 'code_verifier')
  const isRight = createHash('sha256').update(verifier).digest('base64url') === found.challenge
  if (!isRight || !/^[\w.~-]{43,128}$/.test(verifier)) throw new TokenError('bad-grant', 'Invalid code verifier.')
  codes.delete(code)
  const refresh = found.includesRefresh ? { refresh_token: tokens.issueRefresh(found.grant) } : {}
  return { ...accessOf(context, found.grant), ...refresh, scope: scopeText(found.grant.scopes) }
}

function refreshed(context: OAuthContext, form: URLSearchParams): JsonObject {
  const { tokens } = context
  const token = required(form, 'refresh_token')
  const grant = tokens.grantOfRefresh(token)
  if (grant === undefined) throw new TokenError('token-revoked')
  const another = tokens.useRefresh(token, grant)
  const rotated = another === undefined ? {} : { refresh_token: another }
  return { ...accessOf(context, grant), ...rotated, scope: scopeText(grant.scopes) }
}

function accessOf({ tokens }: OAuthContext, grant: Grant): JsonObject {
  const { token, seconds } = tokens.issueAccess(grant)
  return { access_token: token, expires_in: seconds, token_type: 'Bearer' }
}

/** @throws TokenError if the form lacks the field */
function required(form: URLSearchParams, name: string): string {
  const value = form.get(name)
  if (value === null || value === '') throw new TokenError('invalid-request', `Missing required parameter: ${name}`)
  return value
}

/**
 * Checks the credentials of the client.
 *
 * @throws TokenError
 */
function checkClient({ client }: OAuthContext, form: URLSearchParams): void {
  if (required(form, 'client_id') !== client.clientId) throw new TokenError('client-not-found')
  if (required(form, 'client_secret') !== client.clientSecret) throw new TokenError('invalid-client')
}
