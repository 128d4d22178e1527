import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../src/scim/json.ts'
import type { Reply } from '../reply.ts'
import { jsonReply } from '../reply.ts'
import type { FakeRequest } from '../request.ts'
import { checkClient } from './client.ts'
import type { CodeGrant } from './codes.ts'
import type { OAuthContext } from './context.ts'
import { TokenRefusal } from './errors.ts'
import { grantOfAssertion } from './jwt-bearer.ts'
import { scopeText } from './scopes.ts'
import type { Grant } from './tokens.ts'

/**
 * The token endpoint.
 *
 * @throws TokenRefusal
 */
export function answerToken(context: OAuthContext, request: FakeRequest): Reply {
  const { form } = request
  const grantType = required(form, 'grant_type')
  if (grantType === 'urn:ietf:params:oauth:grant-type:jwt-bearer') {
    return jsonReply(200, accessOf(context, grantOfAssertion(context, required(form, 'assertion'))))
  }
  checkClient(context, request)
  if (grantType === 'authorization_code') return jsonReply(200, exchanged(context, form))
  if (grantType === 'refresh_token') return jsonReply(200, refreshed(context, form))
  throw new TokenRefusal('unsupported-grant-type', `Invalid grant_type: ${grantType}`)
}

function exchanged(context: OAuthContext, form: URLSearchParams): JsonObject {
  const { codes, tokens } = context
  const code = required(form, 'code')
  const found = codes.find(code)
  if (found === undefined || found.grant.isRevoked) throw new TokenRefusal('bad-grant')
  if (form.get('redirect_uri') !== found.redirectUri) throw new TokenRefusal('redirect-uri-mismatch')
  checkVerifier(found, form.get('code_verifier'))
  codes.use(code)
  const refresh = found.givesRefresh ? { refresh_token: tokens.giveRefresh(found.grant) } : {}
  return { ...accessOf(context, found.grant), ...refresh, scope: scopeText(found.grant.scopes) }
}

/** @throws TokenRefusal when the verifier is not that of the challenge, or one of them is missing */
function checkVerifier({ challenge }: CodeGrant, verifier: string | null): void {
  if (challenge === undefined && verifier === null) return
  if (challenge === undefined) throw new TokenRefusal('bad-grant', 'code_verifier or verifier is not needed.')
  if (verifier === null) throw new TokenRefusal('bad-grant', 'Missing code verifier.')
  const isRight = createHash('sha256').update(verifier).digest('base64url') === challenge
  if (!isRight || !/^[\w.~-]{43,128}$/.test(verifier)) throw new TokenRefusal('bad-grant', 'Invalid code verifier.')
}

function refreshed(context: OAuthContext, form: URLSearchParams): JsonObject {
  const { knobs, tokens } = context
  const token = required(form, 'refresh_token')
  const grant = tokens.grantOfRefresh(token)
  if (grant === undefined) throw new TokenRefusal('token-revoked')
  if (knobs.refreshRefusal !== undefined) throw new TokenRefusal(knobs.refreshRefusal)
  const another = tokens.useRefresh(token, grant)
  const rotated = another === undefined ? {} : { refresh_token: another }
  return { ...accessOf(context, grant), ...rotated, scope: scopeText(grant.scopes) }
}

function accessOf({ tokens }: OAuthContext, grant: Grant): JsonObject {
  const { token, seconds } = tokens.giveAccess(grant)
  return { access_token: token, expires_in: seconds, token_type: 'Bearer' }
}

/** @throws TokenRefusal when a field of the form is missing, or the body was no form */
function required(form: URLSearchParams, name: string): string {
  const value = form.get(name)
  if (value === null || value === '') throw new TokenRefusal('invalid-request', `Missing required parameter: ${name}`)
  return value
}
