import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { createAuthentication } from '../../../src/admin/accounts/authenticate.ts'
import { createJwts } from '../../../src/admin/accounts/jwt.ts'
import { systemCaller } from '../../../src/directory/audit.ts'
import { newSecret } from '../../../src/directory/secret.ts'
import { headerOf, openTestManagement, rootToken } from './support/management.ts'

const [second, minute, day] = [1_000, 60_000, 86_400_000]
const somebody = systemCaller('a test')

test('a header with the three parts of a login authenticates its user', async () => {
  await using test = await openTestManagement()
  const login = await test.login()
  assert.deepEqual((await test.admins.authenticate(headerOf(login)))?.user.id, login.user.id)
})

for (const { what, change } of [
  { what: 'another root token', change: (header: string) => header.replace(rootToken, `${rootToken}x`) },
  { what: 'an id that nobody has', change: (header: string) => header.replace(/^id=./, 'id=z') },
  { what: 'another token', change: (header: string) => header.replace(/token=.{4}/, 'token=aaaa') },
  { what: 'a double blank', change: (header: string) => header.replace(' ', '  ') },
]) {
  test(`a header with ${what} is rejected`, async () => {
    await using test = await openTestManagement()
    const header = headerOf(await test.login())
    await test.admins.authenticate(header)
    assert.equal(await test.admins.authenticate(change(header)), undefined)
  })
}

test('the token of one login is rejected with the id of another', async () => {
  await using test = await openTestManagement()
  const [one, other] = [await test.login(), await test.login()]
  const mixed = { ...one, adminToken: { ...one.adminToken, id: other.adminToken.id } }
  assert.equal(await test.admins.authenticate(headerOf(mixed)), undefined)
})

test('the header of a login does not authenticate other requests', async () => {
  await using test = await openTestManagement()
  assert.equal(await test.admins.authenticate(`token=${rootToken}`), undefined)
})

test('a verified header is not verified again for a minute', async () => {
  await using test = await openTestManagement()
  const header = headerOf(await test.login())
  const read = mock.method(test.store, 'getAdminToken')
  for (let i = 0; i < 5; i += 1) await test.admins.authenticate(header)
  assert.equal(read.mock.callCount(), 1)
})

test('concurrent requests share one verification', async () => {
  await using test = await openTestManagement()
  const header = headerOf(await test.login())
  const read = mock.method(test.store, 'getAdminToken')
  await Promise.all(Array.from({ length: 5 }, () => test.admins.authenticate(header)))
  assert.equal(read.mock.callCount(), 1)
})

test('a disabled token is rejected immediately', async () => {
  await using test = await openTestManagement()
  const login = await test.login()
  assert((await test.admins.authenticate(headerOf(login))) !== undefined)
  await test.admins.disableToken(login.adminToken.id, somebody)
  assert.equal(await test.admins.authenticate(headerOf(login)), undefined)
})

test('a token disabled during its verification is rejected at its next use', async () => {
  await using test = await openTestManagement()
  const login = await test.login()
  const first = test.admins.authenticate(headerOf(login))
  await test.admins.disableToken(login.adminToken.id, somebody)
  await first
  assert.equal(await test.admins.authenticate(headerOf(login)), undefined)
})

test('a token disabled by another process is rejected five seconds later', async () => {
  await using test = await openTestManagement()
  const login = await test.login()
  const other = await test.another()
  for (const header of [headerOf(login), `Bearer ${login.token}`]) await other.authenticate(header)
  await test.admins.disableToken(login.adminToken.id, somebody)
  test.time.advance(5 * second)
  for (const header of [headerOf(login), `Bearer ${login.token}`]) {
    assert.equal(await other.authenticate(header), undefined)
  }
})

test('a token expires after 30 days without use', async () => {
  await using test = await openTestManagement()
  const login = await test.login()
  test.time.advance(30 * day)
  assert.equal(await test.admins.authenticate(headerOf(login)), undefined)
})

test('a token that is used regularly does not expire', async () => {
  await using test = await openTestManagement()
  const login = await test.login()
  for (let i = 0; i < 3; i += 1) {
    test.time.advance(29 * day)
    assert((await test.admins.authenticate(headerOf(login))) !== undefined)
    await test.written()
  }
})

test('the last use of a token is stored once a minute', async () => {
  await using test = await openTestManagement()
  const header = headerOf(await test.login())
  const touch = mock.method(test.store, 'touchAdminToken')
  for (let i = 0; i < 12; i += 1) {
    test.time.advance(10 * second)
    await test.admins.authenticate(header)
  }
  assert.equal(touch.mock.callCount(), 2)
})

test('expired tokens are removed in the background', async () => {
  await using test = await openTestManagement()
  await test.login()
  test.time.advance(30 * day + 1)
  const login = await test.login('grace@example.com')
  const session = await test.admins.authenticate(headerOf(login))
  assert(session !== undefined)
  test.management.start()
  test.time.advance(0)
  await test.time.scheduled(30 * minute)
  const { rows } = await test.admins.listTokens({}, session)
  assert.deepEqual(
    rows.map(({ user }) => user.email),
    ['grace@example.com'],
  )
})

test('guessing the root token in a three-part header is limited as well', async () => {
  await using test = await openTestManagement()
  const header = headerOf(await test.login())
  const origin = { address: '192.0.2.7', requestId: 'request-7' }
  for (let i = 0; i < 10; i += 1) await test.admins.authenticate(header.replace(rootToken, `guess-${i}`), origin)
  const guess = test.admins.authenticate(header.replace(rootToken, 'another-guess'), origin)
  await assert.rejects(guess, { code: 'too-many-attempts' })
  assert.notEqual(await test.admins.authenticate(header, origin), undefined)
})

test('a verified caller is accepted during a lockout of their address', async () => {
  await using test = await openTestManagement()
  const header = headerOf(await test.login())
  const origin = { address: '192.0.2.7', requestId: 'request-7' }
  await test.admins.authenticate(header, origin)
  for (let i = 0; i < 10; i += 1) await test.admins.authenticate(header.replace(rootToken, `guess-${i}`), origin)
  assert((await test.admins.authenticate(header, origin)) !== undefined)
})

test('an unknown id costs a hash comparison as well, so that timing does not reveal ids', async () => {
  await using test = await openTestManagement()
  const compared: string[] = []
  const { authenticate } = createAuthentication({
    store: test.store,
    rootTokenGuard: { isRootToken: () => true, recordFailure: async () => {} },
    hashing: {
      hash: async () => 'the hash of no token',
      async matches(_, hash) {
        compared.push(hash)
        return true
      },
    },
    jwts: createJwts(newSecret(), test.time.clock),
    lastUse: { note: () => {}, close: async () => {} },
    clock: test.time.clock,
  })
  assert.equal(await authenticate(`id=nobody token=${newSecret()} admin_token=x`), undefined)
  assert.deepEqual(compared, ['the hash of no token'])
})
