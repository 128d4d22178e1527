import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import { granted, oauthAt } from './support/oauth-at.ts'
import { scriptedGoogle } from './support/scripted-google.ts'
import { startOfTime } from './support/timeless.ts'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const account = {
  clientEmail: 'robot@project.iam.example.com',
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  privateKeyId: 'key-1',
  subject: 'admin@example.com',
}
const response = { body: { access_token: 'ya29.for-robots', expires_in: 3_599, token_type: 'Bearer' } }

test('a service account requests a token for an administrator with a signed assertion', async () => {
  await using google = await scriptedGoogle([response])
  await oauthAt(google.url).oauth.impersonate(account)
  const form = new URLSearchParams(google.arrived[0]?.body)
  assert.deepEqual([...form.keys()], ['grant_type', 'assertion'])
  assert.equal(form.get('grant_type'), 'urn:ietf:params:oauth:grant-type:jwt-bearer')
  const currentDate = new Date(startOfTime)
  const { payload } = await jwtVerify(form.get('assertion') ?? '', createPublicKey(privateKey), { currentDate })
  assert.deepEqual(payload, {
    iss: 'robot@project.iam.example.com',
    sub: 'admin@example.com',
    aud: `${google.url}/token`,
    iat: startOfTime / 1_000,
    exp: startOfTime / 1_000 + 3_600,
    scope:
      'https://www.googleapis.com/auth/admin.directory.user.readonly https://www.googleapis.com/auth/admin.directory.group.readonly https://www.googleapis.com/auth/admin.directory.group.member.readonly',
  })
})

test('the assertion contains the key id', async () => {
  await using google = await scriptedGoogle([response])
  await oauthAt(google.url).oauth.impersonate(account)
  const assertion = new URLSearchParams(google.arrived[0]?.body).get('assertion') ?? ''
  assert.deepEqual(decodeProtectedHeader(assertion), { alg: 'RS256', typ: 'JWT', kid: 'key-1' })
})

test('a service account needs no OAuth client', async () => {
  await using google = await scriptedGoogle([response])
  const { oauth } = oauthAt(google.url, { clientId: undefined, clientSecret: undefined })
  const { access_token, expiry_date } = await oauth.impersonate(account)
  assert.deepEqual([access_token, expiry_date], ['ya29.for-robots', startOfTime + 3_599_000])
})

test('each try signs a new assertion', async () => {
  await using google = await scriptedGoogle([{ status: 503, body: '' }, response])
  await oauthAt(google.url).oauth.impersonate(account)
  const assertions = google.arrived.map(({ body }) => new URLSearchParams(body).get('assertion'))
  assert.equal(new Set(assertions).size, 2)
})

test('a service account that Google rejects needs its administrator', async () => {
  const body = { error: 'unauthorized_client', error_description: 'Client is unauthorized to retrieve access tokens' }
  await using google = await scriptedGoogle([{ status: 401, body }])
  await assert.rejects(oauthAt(google.url).oauth.impersonate(account), {
    kind: 'needs-authorization',
    message: /domain-wide delegation/,
  })
})

test('a token of a service account does not have to name all scopes', async () => {
  await using google = await scriptedGoogle([{ body: { ...granted, scope: '' } }])
  assert.equal((await oauthAt(google.url).oauth.impersonate(account)).scope, '')
})

for (const { name, key } of [
  { name: 'no key', key: 'no key at all' },
  {
    name: 'too short a key',
    key: generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
  },
]) {
  test(`${name} is reported without quoting it, and nothing is sent`, async () => {
    await using google = await scriptedGoogle([response])
    const impersonated = oauthAt(google.url).oauth.impersonate({ ...account, privateKey: key.toString() })
    await assert.rejects(impersonated, {
      kind: 'needs-authorization',
      message: 'The key of the service account cannot sign: set extdir_service_account to a new key file of Google.',
    })
    assert.equal(google.arrived.length, 0)
  })
}
