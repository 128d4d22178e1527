import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../src/scim/json.ts'
import type { Reply } from '../reply.ts'
import { jsonReply } from '../reply.ts'
import type { FakeRequest } from '../request.ts'
import { grantOfAssertion } from './assertion.ts'
import type { OAuthContext } from './context.ts'
import { TokenError } from './errors.ts'
import type { CodeGrant, Grant } from './grants.ts'
import { scopeText } from './scopes.ts'

/**
 * The token endpoint.
 *
 * @throws TokenError
 */
export function handleToken(context: OAuthContext, request: FakeRequest): Reply {
  const { form } = request
  const grantType = required(form, 'grant_type')
  if (grantType === 'urn:ietf:params:oauth:grant-type:jwt-bearer') {
    return jsonReply(200, accessOf(context, grantOfAssertion(context, required(form, 'assertion'))))
  }
  checkClient(context, request)
  if (grantType === 'authorization_code') return jsonReply(200, exchanged(context, form))
  if (grantType === 'refresh_token') return jsonReply(200, refreshed(context, form))
  throw new TokenError('unsupported-grant-type', `Invalid grant_type: ${grantType}`)
}

function exchanged(context: OAuthContext, form: URLSearchParams): JsonObject {
  const { codes, tokens } = context
  const code = required(form, 'code')
  const found = codes.find(code)
  if (found === undefined || found.grant.isRevoked) throw new TokenError('bad-grant')
  if (form.get('redirect_uri') !== found.redirectUri) throw new TokenError('redirect-uri-mismatch')
  checkVerifier(found, form.get('code_verifier'))
  codes.use(code)
  const refresh = found.includesRefresh ? { refresh_token: tokens.issueRefresh(found.grant) } : {}
  return { ...accessOf(context, found.grant), ...refresh, scope: scopeText(found.grant.scopes) }
}

/** @throws TokenError if the verifier does not match the challenge, or only one of them is present */
function checkVerifier({ challenge }: CodeGrant, verifier: string | null): void {
  if (challenge === undefined && verifier === null) return
  if (challenge === undefined) throw new TokenError('bad-grant', 'code_verifier or verifier is not needed.')
  if (verifier === null) throw new TokenError('bad-grant', 'Missing code verifier.')
  const isRight = createHash('sha256').update(verifier).digest('base64url') === challenge
  if (!isRight || !/^[\w.~-]{43,128}$/.test(verifier)) throw new TokenError('bad-grant', 'Invalid code verifier.')
}

function refreshed(context: OAuthContext, form: URLSearchParams): JsonObject {
  const { knobs, tokens } = context
  const token = required(form, 'refresh_token')
  const grant = tokens.grantOfRefresh(token)
  if (grant === undefined) throw new TokenError('token-revoked')
  if (knobs.refreshRefusal !== undefined) throw new TokenError(knobs.refreshRefusal)
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
 * Checks the credentials of the client, in form fields or HTTP Basic.
 *
 * @throws TokenError
 */
export function checkClient({ client }: OAuthContext, request: Pick<FakeRequest, 'form' | 'headers'>): void {
  const { id, secret } = credentialsOf(request)
  if (id === null) throw new TokenError('invalid-request', 'Could not determine client ID from request.')
  if (id !== client.clientId) throw new TokenError('client-not-found')
  if (secret === null) throw new TokenError('invalid-request', 'client_secret is missing.')
  if (secret !== client.clientSecret) throw new TokenError('invalid-client')
}

function credentialsOf({ form, headers }: Pick<FakeRequest, 'form' | 'headers'>) {
  const [, encoded] = /^Basic (.+)$/i.exec(headers.authorization ?? '') ?? []
  if (encoded === undefined) return { id: form.get('client_id'), secret: form.get('client_secret') }
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString().split(':').map(decodeURIComponent)
  return { id, secret }
}
