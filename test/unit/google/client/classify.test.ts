import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classify } from '../../../../src/google/client/classify.ts'
import type { GoogleResponse, NoResponse } from '../../../../src/google/client/response.ts'
import { apiError } from './support/scripted-google.ts'

const asked = { subject: 'the users', hasPageToken: false }
const askedForPage = { subject: 'the users', hasPageToken: true }

const response = (status: number, body: unknown): GoogleResponse => ({ status, body, retryAfter: undefined })

/** An error in the form of most servers of the API. */
function classic(status: number, reason: string, message?: string): GoogleResponse {
  return response(status, apiError(status, reason, message).body)
}

/** An error in the form of newer servers. */
function newer(code: number, status: string, reason?: string): GoogleResponse {
  const details = reason === undefined ? [] : [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }]
  return response(code, { error: { code, message: 'm', status, details } })
}

const unavailable = { kind: 'retry', failure: 'unavailable', isLimit: false }
const limited = { kind: 'retry', failure: 'unavailable', isLimit: true }
const html = '<!DOCTYPE html><title>Error</title>'

for (const { name, given, page = false, verdict, says } of [
  { name: '400 badRequest', given: classic(400, 'badRequest'), verdict: { kind: 'failed', failure: 'refused' } },
  { name: '400 invalid', given: classic(400, 'invalid'), verdict: { kind: 'failed', failure: 'refused' } },
  {
    name: '400 invalid, for a page',
    given: classic(400, 'invalid', 'Invalid Input: pageToken'),
    page: true,
    verdict: { kind: 'failed', failure: 'stale-page' },
  },
  {
    name: '400 INVALID_ARGUMENT, for a page',
    given: newer(400, 'INVALID_ARGUMENT'),
    page: true,
    verdict: { kind: 'failed', failure: 'stale-page' },
  },
  {
    name: '400 failedPrecondition',
    given: classic(400, 'failedPrecondition'),
    verdict: { kind: 'failed', failure: 'refused' },
    says: 'active administrator',
  },
  {
    name: '401 authError',
    given: classic(401, 'authError'),
    verdict: { kind: 'renew', failure: 'needs-authorization' },
    says: 'authorize the directory again',
  },
  {
    name: '401 UNAUTHENTICATED',
    given: newer(401, 'UNAUTHENTICATED', 'ACCESS_TOKEN_EXPIRED'),
    verdict: { kind: 'renew', failure: 'needs-authorization' },
  },
  { name: '401 that is HTML', given: response(401, html), verdict: { kind: 'renew', failure: 'unavailable' } },
  {
    name: '403 forbidden',
    given: classic(403, 'forbidden'),
    verdict: { kind: 'failed', failure: 'forbidden' },
    says: 'administrator role',
  },
  {
    name: '403 without a reason',
    given: newer(403, 'PERMISSION_DENIED'),
    verdict: { kind: 'failed', failure: 'forbidden' },
  },
  {
    name: '403 insufficientPermissions',
    given: classic(403, 'insufficientPermissions'),
    verdict: { kind: 'failed', failure: 'needs-authorization' },
    says: 'consent again',
  },
  {
    name: '403 ACCESS_TOKEN_SCOPE_INSUFFICIENT',
    given: newer(403, 'PERMISSION_DENIED', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT'),
    verdict: { kind: 'failed', failure: 'needs-authorization' },
  },
  {
    name: '403 domainCannotUseApis',
    given: classic(403, 'domainCannotUseApis'),
    verdict: { kind: 'failed', failure: 'refused' },
    says: 'allow API access',
  },
  {
    name: '403 accessNotConfigured',
    given: classic(403, 'accessNotConfigured'),
    verdict: { kind: 'failed', failure: 'configuration' },
    says: 'enable it',
  },
  {
    name: '403 SERVICE_DISABLED',
    given: newer(403, 'PERMISSION_DENIED', 'SERVICE_DISABLED'),
    verdict: { kind: 'failed', failure: 'configuration' },
  },
  { name: '403 userRateLimitExceeded', given: classic(403, 'userRateLimitExceeded'), verdict: limited },
  { name: '403 rateLimitExceeded', given: classic(403, 'rateLimitExceeded'), verdict: limited },
  { name: '403 quotaExceeded', given: classic(403, 'quotaExceeded'), verdict: limited },
  { name: '403 RATE_LIMIT_EXCEEDED', given: newer(403, 'PERMISSION_DENIED', 'RATE_LIMIT_EXCEEDED'), verdict: limited },
  {
    name: '403 dailyLimitExceeded',
    given: classic(403, 'dailyLimitExceeded'),
    verdict: { kind: 'failed', failure: 'unavailable' },
    says: 'tomorrow',
  },
  { name: '403 that is HTML', given: response(403, html), verdict: unavailable },
  {
    name: '404 notFound',
    given: classic(404, 'notFound', 'Resource Not Found: groupKey'),
    verdict: { kind: 'failed', failure: 'not-found' },
  },
  {
    name: '404 notFound, of the domain',
    given: classic(404, 'notFound', 'Resource Not Found: domain'),
    verdict: { kind: 'failed', failure: 'configuration' },
    says: 'extdir_domain',
  },
  { name: '404 that is HTML', given: response(404, html), verdict: unavailable, says: 'DSYNC_EXTDIR_API_URL' },
  { name: '404 that is other JSON', given: response(404, { message: 'no route' }), verdict: unavailable },
  { name: '302', given: response(302, ''), verdict: unavailable },
  { name: '408', given: response(408, ''), verdict: unavailable },
  {
    name: '412 conditionNotMet',
    given: classic(412, 'conditionNotMet'),
    verdict: { kind: 'failed', failure: 'refused' },
  },
  { name: '429 rateLimitExceeded', given: classic(429, 'rateLimitExceeded'), verdict: limited },
  { name: '429 that is HTML', given: response(429, html), verdict: limited },
  {
    name: '429 dailyLimitExceeded',
    given: classic(429, 'dailyLimitExceeded'),
    verdict: { kind: 'failed', failure: 'unavailable' },
  },
  { name: '500 backendError', given: classic(500, 'backendError'), verdict: unavailable },
  { name: '503 backendError', given: classic(503, 'backendError'), verdict: unavailable, says: 'starts over' },
  { name: '502 that is HTML', given: response(502, html), verdict: unavailable },
  { name: '504 that is HTML', given: response(504, html), verdict: unavailable },
  { name: '200 that is HTML', given: response(200, html), verdict: unavailable },
  { name: '200 with half of the JSON', given: response(200, '{"kind":"admin#dir'), verdict: unavailable },
  { name: '200 with a list', given: response(200, []), verdict: unavailable },
  { name: '200 with null', given: response(200, null), verdict: unavailable },
  { name: '204', given: response(204, ''), verdict: unavailable },
  { name: '200 with an error in it', given: response(200, classic(503, 'backendError').body), verdict: unavailable },
] satisfies { name: string; given: GoogleResponse; page?: boolean; verdict: object; says?: string }[]) {
  const { kind, failure } = verdict
  test(`${name} is classified as ${kind}, ${failure}`, () => {
    const got = classify(given, page ? askedForPage : asked)
    assert(got.kind !== 'ok')
    const isLimit = got.kind === 'retry' ? { isLimit: got.isLimit } : {}
    assert.deepEqual({ kind: got.kind, failure: got.failure.kind, ...isLimit }, verdict)
    assert.match(got.failure.message, /^[A-Z].*\.$/)
    assert(!got.failure.message.includes('@'), 'it quotes nothing of the answer')
    if (says !== undefined) assert(got.failure.message.includes(says), got.failure.message)
  })
}

test('200 with an object is a success', () => {
  assert.deepEqual(classify(response(200, { users: [] }), asked), { kind: 'ok', body: { users: [] } })
})

test('a missing response is retried, and the message contains the reason', () => {
  const silence: NoResponse = { status: undefined, reason: 'ECONNRESET' }
  const verdict = classify(silence, asked)
  assert(verdict.kind === 'retry')
  assert.equal(verdict.failure.message, 'Google did not respond (ECONNRESET) when reading the users.')
})

for (const { reason, because } of [
  { reason: 'a b@example.com', because: 'it is no word' },
  { reason: 'x'.repeat(1_000), because: 'it is too long' },
  { reason: 7, because: 'it is a number' },
]) {
  test(`a reason is not quoted in the message if ${because}`, () => {
    const verdict = classify(response(403, { error: { errors: [{ reason }] } }), asked)
    assert(verdict.kind === 'failed')
    assert(verdict.failure.message.includes('(403)'), verdict.failure.message)
  })
}

test('a property name of the prototype is not a reason', () => {
  const verdict = classify(response(400, JSON.parse('{"__proto__":{"error":{}}}')), asked)
  assert.equal(verdict.kind, 'retry')
})
