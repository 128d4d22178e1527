import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFakeGoogle } from '../../../../tools/fake-google/server.ts'
import { ask, postToken, refresh } from './support/calls.ts'
import { callback, connect, exchange, sentBack, verifier } from './support/consent.ts'

test('a code is exchanged for an access token and a refresh token', async () => {
  await using fake = await startFakeGoogle()
  const { status, body } = await connect(fake)
  assert.deepEqual([status, body['token_type'], body['expires_in']], [200, 'Bearer', 3599])
  assert.match(String(body['refresh_token']), /^1\/\//)
  assert.equal((await ask(fake, 'users?customer=my_customer', String(body['access_token']))).status, 200)
})

test('a code can be used once', async () => {
  await using fake = await startFakeGoogle()
  const code = (await sentBack(fake)).get('code') ?? ''
  await exchange(fake, code)
  const { status, body } = await exchange(fake, code)
  assert.deepEqual([status, body['error'], body['error_description']], [400, 'invalid_grant', 'Bad Request'])
})

test('a code is valid for ten minutes', async () => {
  let now = Date.now()
  await using fake = await startFakeGoogle({ clock: () => now })
  const code = (await sentBack(fake)).get('code') ?? ''
  now += 600_000
  assert.equal((await exchange(fake, code)).body['error'], 'invalid_grant')
})

for (const { fields, status, error } of [
  { fields: { code: 'unknown' }, status: 400, error: 'invalid_grant' },
  { fields: { code_verifier: `${verifier}0` }, status: 400, error: 'invalid_grant' },
  { fields: { code_verifier: '' }, status: 400, error: 'invalid_grant' },
  { fields: { redirect_uri: `${callback}0` }, status: 400, error: 'redirect_uri_mismatch' },
  { fields: { client_id: 'other' }, status: 401, error: 'invalid_client' },
  { fields: { client_secret: 'other' }, status: 401, error: 'invalid_client' },
  { fields: { code: '' }, status: 400, error: 'invalid_request' },
  { fields: { grant_type: '' }, status: 400, error: 'invalid_request' },
  { fields: { grant_type: 'password' }, status: 400, error: 'unsupported_grant_type' },
]) {
  test(`an exchange with ${JSON.stringify(fields)} is rejected with ${error}`, async () => {
    await using fake = await startFakeGoogle()
    const answer = await exchange(fake, (await sentBack(fake)).get('code') ?? '', fields)
    assert.deepEqual([answer.status, answer.body['error']], [status, error])
  })
}

test('a body that is not a form is rejected', async () => {
  await using fake = await startFakeGoogle()
  const body = JSON.stringify({ grant_type: 'refresh_token' })
  const response = await fetch(fake.tokenUrl, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  assert.equal(response.status, 400)
  assert.match(await response.text(), /"invalid_request"/)
})

test('the client can authenticate with HTTP Basic', async () => {
  await using fake = await startFakeGoogle()
  const authorization = `Basic ${Buffer.from(`${fake.clientId}:${fake.clientSecret}`).toString('base64')}`
  const { refreshToken } = fake.issueTokens()
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken })
  assert.equal((await fetch(fake.tokenUrl, { method: 'POST', body, headers: { authorization } })).status, 200)
})

test('a refresh returns an access token and keeps the refresh token', async () => {
  await using fake = await startFakeGoogle()
  const { refreshToken } = fake.issueTokens()
  const { body } = await refresh(fake, refreshToken)
  assert(!('refresh_token' in body))
  assert.equal((await ask(fake, 'groups?customer=my_customer', String(body['access_token']))).status, 200)
  assert.equal((await refresh(fake, refreshToken)).status, 200)
})

test('a rotating refresh returns a new refresh token and invalidates the old one', async () => {
  await using fake = await startFakeGoogle()
  fake.knobs.rotatesRefreshTokens = true
  const { refreshToken } = fake.issueTokens()
  const another = String((await refresh(fake, refreshToken)).body['refresh_token'])
  assert.equal((await refresh(fake, refreshToken)).body['error'], 'invalid_grant')
  assert.equal((await refresh(fake, another)).status, 200)
})

test('a session length policy rejects refreshes until it is lifted', async () => {
  await using fake = await startFakeGoogle()
  const { refreshToken } = fake.issueTokens()
  fake.knobs.refreshRefusal = 'invalid-rapt'
  const { status, body } = await refresh(fake, refreshToken)
  assert.deepEqual([status, body['error'], body['error_subtype']], [400, 'invalid_grant', 'invalid_rapt'])
  fake.knobs.refreshRefusal = undefined
  assert.equal((await refresh(fake, refreshToken)).status, 200)
})

test("an account's oldest refresh token is invalidated by the 101st", async () => {
  await using fake = await startFakeGoogle()
  const given = Array.from({ length: 101 }, () => fake.issueTokens().refreshToken)
  const [first = '', second = ''] = given
  assert.equal((await refresh(fake, first)).body['error_description'], 'Token has been expired or revoked.')
  assert.equal((await refresh(fake, second)).status, 200)
})

test('the refresh token of a suspended administrator is invalid', async () => {
  await using fake = await startFakeGoogle()
  const { id } = fake.addUser({ primaryEmail: fake.adminEmail, isAdmin: true })
  const { refreshToken } = fake.issueTokens()
  assert.equal((await refresh(fake, refreshToken)).status, 200)
  fake.suspendUser(id)
  assert.equal((await refresh(fake, refreshToken)).body['error'], 'invalid_grant')
})

for (const token of ['accessToken', 'refreshToken'] as const) {
  test(`revoking the ${token} invalidates both tokens`, async () => {
    await using fake = await startFakeGoogle()
    const tokens = fake.issueTokens()
    const body = new URLSearchParams({ token: tokens[token] })
    const revoked = await fetch(fake.revokeUrl, { method: 'POST', body })
    assert.deepEqual([revoked.status, await revoked.json()], [200, {}])
    assert.equal((await refresh(fake, tokens.refreshToken)).body['error'], 'invalid_grant')
    assert.equal((await ask(fake, 'users?customer=my_customer', tokens.accessToken)).status, 401)
  })
}

test('revoking an unknown token is rejected', async () => {
  await using fake = await startFakeGoogle()
  const response = await fetch(fake.revokeUrl, { method: 'POST', body: new URLSearchParams({ token: 'none' }) })
  assert.equal(response.status, 400)
  assert.match(await response.text(), /"invalid_token"/)
})

test('all grants can be revoked together, including codes', async () => {
  await using fake = await startFakeGoogle()
  const { refreshToken, accessToken } = fake.issueTokens()
  const code = (await sentBack(fake)).get('code') ?? ''
  fake.revokeAll()
  assert.equal((await refresh(fake, refreshToken)).status, 400)
  assert.equal((await ask(fake, 'users?customer=my_customer', accessToken)).status, 401)
  assert.equal((await exchange(fake, code)).body['error'], 'invalid_grant')
})

test('the log contains no secrets', async () => {
  const lines: string[] = []
  await using fake = await startFakeGoogle({ log: (line) => lines.push(line) })
  await connect(fake)
  await postToken(fake, { grant_type: 'refresh_token', refresh_token: 'unknown' })
  assert.deepEqual(lines, ['authorize: 302', 'token: 200', 'token: 400'])
})
