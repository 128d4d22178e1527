import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GoogleFailure } from '../../../../src/google/client/failure.ts'
import { googleScopes, missingScopes } from '../../../../src/google/client/oauth.ts'
import type { Grant } from '../../../../src/google/client/token-endpoint.ts'
import { parseTokenSet, readTokenResponse } from '../../../../src/google/client/token-endpoint.ts'
import { granted } from './support/oauth-at.ts'

function failureOf(status: number, body: unknown, grant: Grant): [string, string] {
  try {
    const attempt = readTokenResponse({ status, body, retryAfter: undefined }, grant, 0)
    return attempt.kind === 'retry' ? ['repeated', attempt.failure.message] : ['done', '']
  } catch (error) {
    assert(error instanceof GoogleFailure)
    return [error.kind, error.message]
  }
}

const reauth = { error: 'invalid_grant', error_description: 'reauth related error (invalid_rapt)' }

for (const { status, body, grant = 'refresh-token', kind, says } of [
  {
    status: 400,
    body: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
    kind: 'needs-authorization',
    says: 'revoked or has expired',
  },
  {
    status: 400,
    body: { error: 'invalid_grant', error_description: 'Bad Request' },
    grant: 'code',
    kind: 'needs-authorization',
    says: 'Start the authorization again',
  },
  {
    status: 400,
    body: { error: 'invalid_grant' },
    grant: 'service-account',
    kind: 'needs-authorization',
    says: 'extdir_service_account',
  },
  { status: 400, body: reauth, kind: 'needs-authorization', says: 'session length policy' },
  {
    status: 400,
    body: { error: 'invalid_grant', error_subtype: 'invalid_rapt' },
    kind: 'needs-authorization',
    says: 'session length policy',
  },
  {
    status: 400,
    body: { error: 'invalid_grant', error_subtype: 'rapt_required' },
    kind: 'needs-authorization',
    says: 'session length policy',
  },
  { status: 400, body: { error: 'redirect_uri_mismatch' }, grant: 'code', kind: 'configuration', says: 'EXTERNAL_URL' },
  { status: 400, body: { error: 'invalid_request' }, kind: 'refused', says: 'invalid_request' },
  { status: 400, body: { error: 'unsupported_grant_type' }, kind: 'refused', says: 'unsupported_grant_type' },
  { status: 400, body: { error: 'invalid_scope' }, kind: 'refused', says: 'invalid_scope' },
  {
    status: 401,
    body: { error: 'invalid_client', error_description: 'Unauthorized' },
    kind: 'configuration',
    says: 'DSYNC_EXTDIR_CLIENT_ID',
  },
  { status: 401, body: { error: 'deleted_client' }, kind: 'configuration', says: 'deleted' },
  {
    status: 401,
    body: { error: 'unauthorized_client' },
    kind: 'needs-authorization',
    says: 'another OAuth client',
  },
  {
    status: 401,
    body: { error: 'unauthorized_client' },
    grant: 'service-account',
    kind: 'needs-authorization',
    says: 'domain-wide delegation',
  },
  { status: 403, body: { error: 'access_denied' }, kind: 'needs-authorization', says: 'API controls' },
  { status: 403, body: { error: 'admin_policy_enforced' }, kind: 'needs-authorization', says: 'API controls' },
  { status: 403, body: { error: 'org_internal' }, kind: 'configuration', says: 'organization' },
  {
    status: 403,
    body: { error: { code: 403, status: 'PERMISSION_DENIED' } },
    kind: 'refused',
    says: 'PERMISSION_DENIED',
  },
  { status: 400, body: { error: 'nora@example.com' }, kind: 'refused', says: 'unnamed' },
  { status: 400, body: { error: 'temporarily_unavailable' }, kind: 'repeated', says: '400' },
  { status: 400, body: { error: 7 }, kind: 'repeated', says: 'DSYNC_EXTDIR_TOKEN_URL' },
  { status: 429, body: { error: 'invalid_grant' }, kind: 'repeated', says: '429' },
  { status: 500, body: '<!DOCTYPE html>', kind: 'repeated', says: '500' },
  { status: 200, body: { error: 'invalid_grant' }, kind: 'repeated', says: 'could not be read' },
] satisfies { status: number; body: unknown; grant?: Grant; kind: string; says: string }[]) {
  test(`${status} ${JSON.stringify(body)} for a ${grant}: ${kind}`, () => {
    const [got, message] = failureOf(status, body, grant)
    assert.deepEqual([got, message.includes(says)], [kind, true], message)
  })
}

for (const { given, seconds, because } of [
  { given: 3_599, seconds: 3_599, because: 'that is what is said' },
  { given: '3599', seconds: 3_599, because: 'text will do' },
  { given: null, seconds: 3_600, because: 'an hour is usual' },
  { given: 'soon', seconds: 3_600, because: 'an hour is usual' },
  { given: -1, seconds: 3_600, because: 'an hour is usual' },
  { given: 1e300, seconds: 366 * 24 * 3_600, because: 'nothing is good for ever' },
]) {
  test(`a token with expires_in ${JSON.stringify(given)} expires after ${seconds} s: ${because}`, () => {
    assert.equal(parseTokenSet({ ...granted, expires_in: given }, 5)?.expiry_date, 5 + seconds * 1_000)
  })
}

for (const token of ['', 'two words', 'line\n', 'ä', 'x'.repeat(10_000), 7, null]) {
  test(`${JSON.stringify(token).slice(0, 20)} is not a token`, () => {
    assert.equal(parseTokenSet({ ...granted, access_token: token }, 0), undefined)
  })
}

for (const { scope, missing } of [
  { scope: granted.scope, missing: [] },
  { scope: `openid  ${granted.scope}`, missing: [] },
  { scope: googleScopes[1], missing: [googleScopes[0], googleScopes[2]] },
  { scope: '', missing: [...googleScopes] },
]) {
  test(`${missing.length} scopes are missing in ${JSON.stringify(scope).slice(0, 60)}`, () => {
    assert.deepEqual(missingScopes(scope), missing)
  })
}
