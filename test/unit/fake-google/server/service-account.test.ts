import assert from 'node:assert/strict'
import { createSign } from 'node:crypto'
import { after, test } from 'node:test'
import { googleScopes } from '../../../../src/google/client/oauth.ts'
import type { FakeGoogle } from '../../../../tools/fake-google/server.ts'
import { startFakeGoogle } from '../../../../tools/fake-google/server.ts'
import { ask, errorOf, postToken } from './support/calls.ts'

const now = Date.UTC(2026, 0, 1)
const fake = await startFakeGoogle({ clock: () => now })
const account = fake.registerServiceAccount()
const stranger = fake.registerServiceAccount({ scopes: [] })
after(() => fake[Symbol.asyncDispose]())

const claims = {
  iss: account.client_email,
  sub: fake.adminEmail,
  scope: googleScopes.join(' '),
  aud: fake.tokenUrl,
  iat: now / 1000,
  exp: now / 1000 + 3600,
}
const header = { alg: 'RS256', typ: 'JWT', kid: account.private_key_id }

function signed(head: object, said: object, key = account.private_key): string {
  const text = [head, said].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`
}

function assertion(google: FakeGoogle, jwt: string) {
  return postToken(google, { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: jwt })
}

test('a service account gets an access token for an administrator, and no refresh token', async () => {
  const { status, body } = await assertion(fake, signed(header, claims))
  assert.deepEqual([status, 'refresh_token' in body], [200, false])
  assert.equal((await ask(fake, 'users?customer=my_customer', String(body['access_token']))).status, 200)
})

test("the audience may be Google's own URL, which libraries hard-code", async () => {
  const jwt = signed(header, { ...claims, aud: 'https://oauth2.googleapis.com/token' })
  assert.equal((await assertion(fake, jwt)).status, 200)
})

for (const { because, jwt, status = 400, error = 'invalid_grant', description } of [
  { because: 'it is no JWT', jwt: 'a.b', description: /cannot be read/ },
  {
    because: 'the account is unknown',
    jwt: signed(header, { ...claims, iss: 'a@b.example' }),
    description: /account not found/,
  },
  {
    because: 'another has signed it',
    jwt: signed(header, claims, stranger.private_key),
    description: /Invalid JWT Signature/,
  },
  { because: 'the key is another', jwt: signed({ ...header, kid: 'x' }, claims), description: /Invalid JWT Signature/ },
  {
    because: 'the algorithm is another',
    jwt: signed({ ...header, alg: 'none' }, claims),
    description: /Invalid JWT Signature/,
  },
  {
    because: 'it is for somebody else',
    jwt: signed(header, { ...claims, aud: 'https://b.example' }),
    description: /audience/,
  },
  {
    because: 'it has ended',
    jwt: signed(header, { ...claims, iat: claims.iat - 4000, exp: claims.iat - 400 }),
    description: /short-lived token/,
  },
  {
    because: 'it begins later',
    jwt: signed(header, { ...claims, iat: claims.iat + 400, exp: claims.iat + 500 }),
    description: /short-lived token/,
  },
  {
    because: 'it lives too long',
    jwt: signed(header, { ...claims, exp: claims.exp + 1 }),
    description: /short-lived token/,
  },
  {
    because: 'the subject is unknown',
    jwt: signed(header, { ...claims, sub: 'nobody@example.com' }),
    description: /Invalid email/,
  },
  {
    because: 'it asks for no scope',
    jwt: signed(header, { ...claims, scope: '' }),
    error: 'invalid_scope',
    description: /Invalid OAuth scope/,
  },
  {
    because: 'it asks for more than was delegated',
    jwt: signed(header, { ...claims, scope: 'https://www.googleapis.com/auth/drive' }),
    status: 401,
    error: 'unauthorized_client',
    description: /not authorized for any of the scopes/,
  },
]) {
  test(`a service account is rejected if ${because}`, async () => {
    const { status: got, body } = await assertion(fake, jwt)
    assert.deepEqual([got, body['error']], [status, error])
    assert.match(String(body['error_description']), description)
  })
}

test('a service account without a subject gets a token that the API rejects', async () => {
  const { sub: _, ...nobody } = claims
  const { body } = await assertion(fake, signed(header, nobody))
  const refused = await ask(fake, 'users?customer=my_customer', String(body['access_token']))
  assert.equal(errorOf(refused).reason, 'failedPrecondition')
})

test('the API rejects a service account that impersonates a user who is not an administrator', async () => {
  await using other = await startFakeGoogle({ clock: () => now })
  const { primaryEmail } = other.addUser({ primaryEmail: 'nora@example.com' })
  const file = other.registerServiceAccount()
  const jwt = signed({ alg: 'RS256' }, { ...claims, aud: other.tokenUrl, sub: primaryEmail }, file.private_key)
  const { body } = await assertion(other, jwt)
  const refused = await ask(other, 'users?customer=my_customer', String(body['access_token']))
  assert.equal(errorOf(refused).reason, 'forbidden')
})

test('the key file contains a subject only if one was requested', () => {
  assert.equal(account.subject, undefined)
  assert.equal(fake.registerServiceAccount({ subject: fake.adminEmail }).subject, fake.adminEmail)
})
