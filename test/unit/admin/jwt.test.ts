import assert from 'node:assert/strict'
import { createSecretKey, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { SignJWT } from 'jose'
import { createJwts } from '../../../src/admin/accounts/jwt.ts'
import { newSecret } from '../../../src/directory/secret.ts'
import { openTestManagement } from './support/management.ts'

const now = Date.UTC(2026, 0, 15)
const seconds = now / 1000
const secret = newSecret()
const key = createSecretKey(secret, 'base64url')
const jwts = createJwts(secret, () => now)

interface Forgery {
  readonly header?: object
  readonly claims?: object
}

const rightHeader = { alg: 'HS256', typ: 'JWT' }
const rightClaims = {
  ...{ iss: 'rollcall', aud: 'rollcall-admin', sub: 'user-1', jti: 'token-1' },
  ...{ iat: seconds, exp: seconds + 3600 },
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs any claims with the key of the service. */
function signed({ header = rightHeader, claims = {} }: Forgery = {}, by = key): Promise<string> {
  return new SignJWT({ ...rightClaims, ...claims }).setProtectedHeader({ ...rightHeader, ...header }).sign(by)
}

test('a JWT contains its user and admin token and is valid for an hour', async () => {
  const expected = { userId: 'user-1', tokenId: 'token-1', expiresAt: now + 3_600_000 }
  assert.deepEqual(await jwts.verify(await jwts.sign({ userId: 'user-1', tokenId: 'token-1' })), expected)
})

test('the JWT that the forgeries below vary is valid', async () => {
  assert.equal((await jwts.verify(await signed()))?.tokenId, 'token-1')
})

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const [head = '', body = '', signature = ''] = (await signed()).split('.')
const none = part({ alg: 'none', typ: 'JWT' })

for (const [what, jwt] of [
  ['without a signature', `${head}.${body}.`],
  ['of alg "none"', `${none}.${body}.`],
  ['of alg "none" with a signature', `${none}.${body}.${signature}`],
  ['of alg "nOnE"', `${part({ alg: 'nOnE', typ: 'JWT' })}.${body}.${signature}`],
  ['of RS256', await new SignJWT(rightClaims).setProtectedHeader({ alg: 'RS256', typ: 'JWT' }).sign(rsa.privateKey)],
  [
    'signed with a public key as the secret',
    await signed({}, createSecretKey(rsa.publicKey.export({ type: 'spki', format: 'der' }))),
  ],
  ['of HS512 with the right key', await longKeyed()],
  ['signed with another key', await signed({}, createSecretKey(newSecret(), 'base64url'))],
  [
    'with a key in its header',
    await signed({ header: { jwk: { kty: 'oct', k: newSecret() } } }, createSecretKey(newSecret(), 'base64url')),
  ],
  ['that has expired', await signed({ claims: { exp: seconds - 1 } })],
  ['that expires now', await signed({ claims: { exp: seconds } })],
  ['that is not yet valid', await signed({ claims: { nbf: seconds + 60 } })],
  ['of another issuer', await signed({ claims: { iss: 'somebody' } })],
  ['for another audience', await signed({ claims: { aud: 'rollcall' } })],
  ['without an end', await signed({ claims: { exp: undefined } })],
  ['without a user', await signed({ claims: { sub: undefined } })],
  ['without an admin token', await signed({ claims: { jti: undefined } })],
  ['whose user is no text', await signed({ claims: { sub: ['user-1'] } })],
  ['of another typ', await signed({ header: { typ: 'at+jwt' } })],
  ['with a critical header', `${part({ ...rightHeader, crit: ['exp'], exp: 1 })}.${body}.${signature}`],
  ['with other claims', `${head}.${part({ ...rightClaims, sub: 'user-2' })}.${signature}`],
  ['that is cut off', `${head}.${body}.${signature.slice(0, -4)}`],
  ['that is cut in the middle', `${head}.${body.slice(0, -8)}.${signature}`],
  ['that is no JSON', `${Buffer.from('{').toString('base64url')}.${body}.${signature}`],
  ['that is nothing', '..'],
  ['that is longer than 4 KB', await signed({ claims: { padding: 'x'.repeat(4096) } })],
] as const) {
  test(`a JWT ${what} is rejected`, async () => assert.equal(await jwts.verify(jwt), undefined))
}

function longKeyed(): Promise<string> {
  return new SignJWT(rightClaims).setProtectedHeader({ alg: 'HS512', typ: 'JWT' }).sign(Buffer.alloc(64, 1))
}

test('the JWT of a login authenticates its user', async () => {
  await using test = await openTestManagement()
  const { token, user } = await test.login()
  assert.equal((await test.admins.authenticate(`Bearer ${token}`))?.user.id, user.id)
})

test('a cached JWT expires after its hour', async () => {
  await using test = await openTestManagement()
  const { token } = await test.login()
  test.time.advance(3_599_000)
  assert((await test.admins.authenticate(`Bearer ${token}`)) !== undefined)
  test.time.advance(1_000)
  assert.equal(await test.admins.authenticate(`Bearer ${token}`), undefined)
})

test('a JWT is rejected as soon as its admin token is disabled', async () => {
  await using test = await openTestManagement()
  const { token, adminToken } = await test.login()
  const session = await test.admins.authenticate(`Bearer ${token}`)
  assert(session !== undefined)
  const { id, email } = session.user
  await test.admins.disableToken(adminToken.id, {
    ...{ kind: 'admin', id, name: email, requestId: undefined, address: undefined },
  })
  assert.equal(await test.admins.authenticate(`Bearer ${token}`), undefined)
})

test('a JWT of another installation is rejected', async () => {
  await using one = await openTestManagement()
  await using other = await openTestManagement()
  const { token } = await one.login()
  assert.equal(await other.admins.authenticate(`Bearer ${token}`), undefined)
})
