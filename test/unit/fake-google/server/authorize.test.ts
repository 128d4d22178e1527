import assert from 'node:assert/strict'
import { test } from 'node:test'
import { googleScopes } from '../../../../src/google/client/oauth.ts'
import { startFakeGoogle } from '../../../../tools/fake-google/server.ts'
import { authorizationUrl, callback, connect, sentBack } from './support/consent.ts'

test('consent redirects the browser with a code and the state', async () => {
  await using fake = await startFakeGoogle()
  const back = await sentBack(fake)
  assert.equal(back.get('state'), 'the state & more')
  assert.match(back.get('code') ?? '', /^4\/0A/)
  assert.equal(back.get('tenant'), '1', 'the parameters of the callback are kept')
})

test('the granted scopes are returned in another order', async () => {
  await using fake = await startFakeGoogle()
  const granted = (await sentBack(fake)).get('scope')?.split(' ') ?? []
  assert.notDeepEqual(granted, [...googleScopes])
  assert.deepEqual(granted.sort(), [...googleScopes].sort())
})

test('an administrator can grant fewer scopes than requested', async () => {
  await using fake = await startFakeGoogle()
  fake.knobs.consent = { ...fake.knobs.consent, grant: (scope) => scope.endsWith('user.readonly') }
  assert.equal((await connect(fake)).body['scope'], googleScopes[0])
})

for (const refusal of ['access_denied', 'admin_policy_enforced', 'org_internal'] as const) {
  test(`a denied consent redirects with ${refusal}`, async () => {
    await using fake = await startFakeGoogle()
    fake.knobs.consent = { ...fake.knobs.consent, refusal }
    const back = await sentBack(fake)
    assert.deepEqual([back.get('error'), back.get('code'), back.get('state')], [refusal, null, 'the state & more'])
  })
}

test('a second consent returns a refresh token only if it is requested', async () => {
  await using fake = await startFakeGoogle()
  const first = await connect(fake, { prompt: undefined })
  const second = await connect(fake, { prompt: undefined })
  const third = await connect(fake)
  assert.deepEqual(
    [first, second, third].map(({ body }) => 'refresh_token' in body),
    [true, false, true],
  )
})

test('there is no refresh token without offline access', async () => {
  await using fake = await startFakeGoogle()
  assert(!('refresh_token' in (await connect(fake, { access_type: 'online' })).body))
})

test('a domain of the customer can be requested', async () => {
  await using fake = await startFakeGoogle({ domains: ['example.com', 'sub.example.com'] })
  assert((await sentBack(fake, { hd: 'sub.example.com' })).has('code'))
})

for (const { change, status, shown } of [
  { change: { client_id: 'other' }, status: 401, shown: 'invalid_client' },
  { change: { client_id: undefined }, status: 400, shown: 'invalid_request' },
  { change: { response_type: 'token' }, status: 400, shown: 'invalid_request' },
  { change: { response_type: undefined }, status: 400, shown: 'invalid_request' },
  { change: { redirect_uri: `${callback}0` }, status: 400, shown: 'redirect_uri_mismatch' },
  { change: { redirect_uri: undefined }, status: 400, shown: 'redirect_uri_mismatch' },
  { change: { scope: 'everything' }, status: 400, shown: 'invalid_scope' },
  { change: { scope: undefined }, status: 400, shown: 'invalid_scope' },
  { change: { access_type: 'always' }, status: 400, shown: 'invalid_request' },
  { change: { prompt: 'force' }, status: 400, shown: 'invalid_request' },
  { change: { code_challenge_method: 'plain' }, status: 400, shown: 'invalid_request' },
  { change: { code_challenge: 'short' }, status: 400, shown: 'invalid_request' },
  { change: { hd: 'elsewhere.example' }, status: 403, shown: 'org_internal' },
]) {
  const [[name, value] = []] = Object.entries(change)
  test(`a request with ${value === undefined ? 'no ' : ''}${name} ${value ?? ''} is rejected with a page, without a redirect`, async () => {
    await using fake = await startFakeGoogle({ redirectUris: [callback] })
    const response = await fetch(authorizationUrl(fake, change), { redirect: 'manual' })
    assert.equal(response.status, status)
    assert.match(await response.text(), new RegExp(`<html.*${shown}`))
  })
}
