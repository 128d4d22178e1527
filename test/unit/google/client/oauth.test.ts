import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GoogleFailure } from '../../../../src/google/client/failure.ts'
import { authUrl, granted, oauthAt } from './support/oauth-at.ts'
import type { Scripted } from './support/scripted-google.ts'
import { cutOff, cutShort, scriptedGoogle, silent } from './support/scripted-google.ts'
import { startOfTime } from './support/timeless.ts'

const request = {
  redirectUri: 'https://sync.example.com/api/scim/oauth/callback',
  state: 'the.state',
  codeChallenge: 'the-challenge',
  domain: undefined,
}
const grant = { code: '4/0A-invented', redirectUri: request.redirectUri, codeVerifier: 'the-verifier' }
const { refresh_token: _, ...refreshed } = granted

test('the authorization URL requests read-only scopes and offline access', () => {
  const url = new URL(oauthAt('http://127.0.0.1:1').oauth.authorizationUrl(request))
  assert.equal(url.origin + url.pathname, authUrl)
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    client_id: 'our-client',
    redirect_uri: request.redirectUri,
    response_type: 'code',
    scope:
      'https://www.googleapis.com/auth/admin.directory.user.readonly https://www.googleapis.com/auth/admin.directory.group.readonly https://www.googleapis.com/auth/admin.directory.group.member.readonly',
    access_type: 'offline',
    prompt: 'consent',
    state: 'the.state',
    code_challenge: 'the-challenge',
    code_challenge_method: 'S256',
  })
})

test('a domain narrows the offered accounts', () => {
  const { oauth } = oauthAt('http://127.0.0.1:1')
  const url = new URL(oauth.authorizationUrl({ ...request, domain: 'example.com' }))
  assert.equal(url.searchParams.get('hd'), 'example.com')
})

test('parameters of the configured authorization URL are kept', () => {
  const { oauth } = oauthAt('http://127.0.0.1:1', { authUrl: `${authUrl}?via=proxy` })
  assert.equal(new URL(oauth.authorizationUrl(request)).searchParams.get('via'), 'proxy')
})

test('a code is exchanged with its verifier', async () => {
  await using google = await scriptedGoogle([{ body: granted }])
  await oauthAt(google.url).oauth.exchange(grant)
  const [arrived] = google.arrived
  assert.deepEqual([arrived?.method, arrived?.path], ['POST', '/token'])
  assert.match(arrived?.headers['content-type'] ?? '', /^application\/x-www-form-urlencoded/)
  assert.deepEqual(Object.fromEntries(new URLSearchParams(arrived?.body)), {
    client_id: 'our-client',
    client_secret: 'our-secret',
    grant_type: 'authorization_code',
    code: '4/0A-invented',
    redirect_uri: request.redirectUri,
    code_verifier: 'the-verifier',
  })
})

test('an exchange returns the tokens and their expiry', async () => {
  await using google = await scriptedGoogle([{ body: { ...granted, refresh_token_expires_in: 600 } }])
  assert.deepEqual(await oauthAt(google.url).oauth.exchange(grant), {
    access_token: granted.access_token,
    refresh_token: granted.refresh_token,
    scope: granted.scope,
    token_type: 'Bearer',
    expiry_date: startOfTime + 3_599_000,
  })
})

test('the granted scopes are returned even if some are missing', async () => {
  const scope = 'https://www.googleapis.com/auth/admin.directory.user.readonly openid'
  await using google = await scriptedGoogle([{ body: { ...granted, scope } }])
  assert.equal((await oauthAt(google.url).oauth.exchange(grant)).scope, scope)
})

test('a response without a scope means the requested ones', async () => {
  const { scope: _scope, ...rest } = granted
  await using google = await scriptedGoogle([{ body: rest }])
  assert.match((await oauthAt(google.url).oauth.exchange(grant)).scope, /group\.member\.readonly/)
})

test('a refresh returns a new access token', async () => {
  await using google = await scriptedGoogle([{ body: refreshed }])
  const tokens = await oauthAt(google.url).oauth.refresh('1//0g-invented')
  assert.deepEqual(Object.fromEntries(new URLSearchParams(google.arrived[0]?.body)), {
    client_id: 'our-client',
    client_secret: 'our-secret',
    grant_type: 'refresh_token',
    refresh_token: '1//0g-invented',
  })
  assert.deepEqual([tokens.access_token, 'refresh_token' in tokens], [granted.access_token, false])
})

test('a rotated refresh token is returned', async () => {
  await using google = await scriptedGoogle([{ body: { ...granted, refresh_token: '1//rotated' } }])
  assert.equal((await oauthAt(google.url).oauth.refresh('1//old')).refresh_token, '1//rotated')
})

test('without an OAuth client, the error names the settings', async () => {
  const { oauth } = oauthAt('http://127.0.0.1:1', { clientId: undefined })
  await assert.rejects(oauth.refresh('1//0g'), { kind: 'configuration', message: /DSYNC_EXTDIR_CLIENT_ID/ })
})

const passing: { name: string; failure: Scripted }[] = [
  { name: '429', failure: { status: 429, body: { error: 'rate_limit_exceeded' } } },
  { name: '500', failure: { status: 500, body: { error: 'internal_failure' } } },
  { name: '503 in HTML', failure: { status: 503, body: '<!DOCTYPE html>' } },
  { name: '400 in HTML', failure: { status: 400, body: '<!DOCTYPE html>' } },
  { name: '200 in HTML', failure: { body: '<!DOCTYPE html>' } },
  { name: 'an answer without a token', failure: { body: { token_type: 'Bearer' } } },
  { name: 'a connection that is cut', failure: cutOff },
  { name: 'an answer that is cut', failure: cutShort },
  { name: 'a redirect', failure: { status: 307, headers: { location: '/elsewhere' }, body: '' } },
]

for (const { name, failure } of passing) {
  test(`a temporary ${name} is retried`, async () => {
    await using google = await scriptedGoogle([failure, { body: refreshed }])
    const { oauth, slept } = oauthAt(google.url)
    assert.equal((await oauth.refresh('1//0g')).access_token, granted.access_token)
    assert.deepEqual(slept, [1_000])
  })

  test(`a persistent ${name} is reported as unavailable after three tries`, async () => {
    await using google = await scriptedGoogle([failure])
    await assert.rejects(oauthAt(google.url).oauth.refresh('1//0g'), { name: 'GoogleFailure', kind: 'unavailable' })
    assert.deepEqual(
      google.arrived.map(({ path }) => path),
      ['/token', '/token', '/token'],
    )
  })
}

test('a Retry-After of a token request is limited to ten seconds', async () => {
  const failure = { status: 429, headers: { 'retry-after': '3600' }, body: {} }
  await using google = await scriptedGoogle([failure, { body: refreshed }])
  const { oauth, slept } = oauthAt(google.url)
  await oauth.refresh('1//0g')
  assert.deepEqual(slept, [10_000])
})

test('a request fails after its timeout', async () => {
  await using google = await scriptedGoogle([silent])
  const { oauth, slept } = oauthAt(google.url, { requestTimeoutMs: 20 })
  await assert.rejects(oauth.refresh('1//0g'), { kind: 'unavailable' })
  assert.equal(slept.length, 2, 'it is retried twice')
})

test('a rejected request is not retried', async () => {
  await using google = await scriptedGoogle([{ status: 400, body: { error: 'invalid_grant' } }])
  await assert.rejects(oauthAt(google.url).oauth.refresh('1//0g'), { kind: 'needs-authorization' })
  assert.equal(google.arrived.length, 1)
})

test('a failure contains no token, code or secret, not even in its cause', async () => {
  const secrets = ['1//0g-secret', 'our-secret']
  const body = { error: 'unknown_error', error_description: `bad ${secrets.join(' ')} of nora@example.com` }
  await using google = await scriptedGoogle([{ status: 400, body }])
  await assert.rejects(oauthAt(google.url).oauth.refresh('1//0g-secret'), (error: Error) => {
    assert(error instanceof GoogleFailure && error.cause === undefined)
    return [...secrets, 'nora'].every((secret) => !error.message.includes(secret))
  })
})

test('the signal aborts a request in progress with its reason', async () => {
  const stop = new AbortController()
  await using google = await scriptedGoogle([() => stop.abort(new Error('the service stops'))])
  const { oauth } = oauthAt(google.url, { signal: stop.signal })
  await assert.rejects(oauth.refresh('1//0g'), { message: 'the service stops' })
})
