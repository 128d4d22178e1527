import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { importPKCS8, SignJWT } from 'jose'
import { googleScopes } from '../../../../src/google/client/oauth.ts'
import type { FakeGoogle } from '../../../../tools/fake-google/server.ts'
import { startFakeGoogle } from '../../../../tools/fake-google/server.ts'
import { ask, postToken, refresh } from './support/calls.ts'

const callback = 'https://app.example.com/callback?tenant=1'
const verifier = 'a-verifier-of-at-least-forty-three-characters'
const all = 'users?customer=my_customer'

/** Sends the browser to the consent of the administrator; empty parameters are omitted. */
function consent(fake: FakeGoogle, change: Readonly<Record<string, string>> = {}): Promise<Response> {
  const valid = {
    ...{ client_id: fake.clientId, redirect_uri: callback, response_type: 'code', scope: googleScopes.join(' ') },
    ...{ access_type: 'offline', prompt: 'consent', state: 'the state & more', code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  }
  const query = Object.entries({ ...valid, ...change }).filter(([, value]) => value !== '')
  return fetch(`${fake.authUrl}?${new URLSearchParams(query)}`, { redirect: 'manual' })
}

/** The parameters with which the browser is sent back. */
async function sentBack(fake: FakeGoogle, change?: Readonly<Record<string, string>>) {
  return new URL((await consent(fake, change)).headers.get('location') ?? '').searchParams
}

/** Exchanges a code; fields override the valid ones. */
function exchange(fake: FakeGoogle, code: string | null, fields: Readonly<Record<string, string>> = {}) {
  const valid = { grant_type: 'authorization_code', code: code ?? '', redirect_uri: callback, code_verifier: verifier }
  return postToken(fake, { ...valid, ...fields })
}

test('consent sends the browser back with the state and a code, which is exchanged once', async () => {
  await using fake = await startFakeGoogle()
  const back = await sentBack(fake)
  assert.deepEqual([back.get('tenant'), back.get('state')], ['1', 'the state & more'])
  const { status, body } = await exchange(fake, back.get('code'))
  assert.deepEqual([status, body['token_type'], body['expires_in']], [200, 'Bearer', 3599])
  const scopes = String(body['scope']).split(' ')
  assert.notDeepEqual(scopes, [...googleScopes], 'in another order, as at Google')
  assert.deepEqual(scopes.sort(), [...googleScopes].sort())
  assert.equal((await ask(fake, all, String(body['access_token']))).status, 200)
  assert.equal((await refresh(fake, String(body['refresh_token']))).status, 200)
  assert.equal((await exchange(fake, back.get('code'))).body['error'], 'invalid_grant')
})

for (const change of [{ access_type: 'online' }, { prompt: '' }]) {
  test(`there is no refresh token with ${JSON.stringify(change)}`, async () => {
    await using fake = await startFakeGoogle()
    const { body } = await exchange(fake, (await sentBack(fake, change)).get('code'))
    assert(!('refresh_token' in body))
  })
}

for (const { change, status, shown } of [
  { change: { client_id: 'other' }, status: 401, shown: 'invalid_client' },
  { change: { redirect_uri: `${callback}0` }, status: 400, shown: 'redirect_uri_mismatch' },
  { change: { response_type: 'token' }, status: 400, shown: 'invalid_request' },
  { change: { scope: 'everything' }, status: 400, shown: 'invalid_scope' },
  { change: { code_challenge: 'short' }, status: 400, shown: 'invalid_request' },
  { change: { hd: 'elsewhere.example' }, status: 403, shown: 'org_internal' },
]) {
  test(`${JSON.stringify(change)} is refused with a page, without a redirect`, async () => {
    await using fake = await startFakeGoogle({ redirectUris: [callback] })
    const response = await consent(fake, change)
    assert.equal(response.status, status)
    assert.match(await response.text(), new RegExp(`<html.*${shown}`))
  })
}

for (const { fields, status, error } of [
  { fields: { code: 'unknown' }, status: 400, error: 'invalid_grant' },
  { fields: { code_verifier: `${verifier}0` }, status: 400, error: 'invalid_grant' },
  { fields: { redirect_uri: `${callback}0` }, status: 400, error: 'redirect_uri_mismatch' },
  { fields: { client_id: 'other' }, status: 401, error: 'invalid_client' },
  { fields: { client_secret: 'other' }, status: 401, error: 'invalid_client' },
  { fields: { grant_type: 'password' }, status: 400, error: 'unsupported_grant_type' },
]) {
  test(`an exchange with ${JSON.stringify(fields)} is rejected with ${error}`, async () => {
    await using fake = await startFakeGoogle()
    const answer = await exchange(fake, (await sentBack(fake)).get('code'), fields)
    assert.deepEqual([answer.status, answer.body['error']], [status, error])
  })
}

test('a refresh keeps the refresh token, or rotates it', async () => {
  await using fake = await startFakeGoogle()
  const { refreshToken } = fake.issueTokens()
  const { body } = await refresh(fake, refreshToken)
  assert(!('refresh_token' in body))
  assert.equal((await ask(fake, all, String(body['access_token']))).status, 200)
  fake.knobs.rotatesRefreshTokens = true
  const another = String((await refresh(fake, refreshToken)).body['refresh_token'])
  assert.equal((await refresh(fake, refreshToken)).body['error_description'], 'Token has been expired or revoked.')
  assert.equal((await refresh(fake, another)).status, 200)
})

test('all consents can be revoked', async () => {
  await using fake = await startFakeGoogle()
  const { refreshToken, accessToken } = fake.issueTokens()
  fake.revokeAll()
  assert.equal((await refresh(fake, refreshToken)).body['error'], 'invalid_grant')
  assert.equal((await ask(fake, all, accessToken)).status, 401)
})

test('a service account gets an access token for the administrator, if it says and signs what Google wants', async () => {
  await using fake = await startFakeGoogle()
  const [account, stranger] = [fake.registerServiceAccount(), fake.registerServiceAccount()]
  const now = Math.floor(Date.now() / 1000)
  const valid = { iss: account.client_email, sub: fake.adminEmail, scope: googleScopes.join(' '), aud: fake.tokenUrl }
  const post = async (claims: object = {}, key = account.private_key) => {
    const jwt = new SignJWT({ ...valid, iat: now, exp: now + 3600, ...claims }).setProtectedHeader({ alg: 'RS256' })
    const assertion = await jwt.sign(await importPKCS8(key, 'RS256'))
    return (await postToken(fake, { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion })).body
  }
  const body = await post()
  assert(!('refresh_token' in body))
  assert.equal((await ask(fake, all, String(body['access_token']))).status, 200)
  assert.equal((await post({}, stranger.private_key))['error'], 'invalid_grant', 'another has signed it')
  for (const [claims, error] of [
    [{ iss: 'a@b.example' }, 'invalid_grant'],
    [{ aud: 'https://b.example' }, 'invalid_grant'],
    [{ iat: now - 4000, exp: now - 400 }, 'invalid_grant'],
    [{ exp: now + 3601 }, 'invalid_grant'],
    [{ sub: 'nobody@example.com' }, 'invalid_grant'],
    [{ scope: '' }, 'invalid_scope'],
    [{ scope: 'https://www.googleapis.com/auth/drive' }, 'unauthorized_client'],
  ] as const) {
    assert.equal((await post(claims))['error'], error, JSON.stringify(claims))
  }
})
