import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { createAuthentication } from '../../../src/admin/accounts/authenticate.ts'
import { createJwts } from '../../../src/admin/accounts/jwt.ts'
import { systemCaller } from '../../../src/directory/audit.ts'
import { newSecret } from '../../../src/directory/secret.ts'
import { headerOf, openTestManagement, rootToken } from './support/management.ts'

const [second, minute, day] = [1_000, 60_000, 86_400_000]
const somebody = systemCaller('a test')

test('the three parts of a login let its user in', async () => {
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
  test(`the three parts with ${what} let nobody in`, async () => {
    await using test = await openTestManagement()
    const header = headerOf(await test.login())
    await test.admins.authenticate(header)
    assert.equal(await test.admins.authenticate(change(header)), undefined)
  })
}

test('the token of one login does not go with the id of another', async () => {
  await using test = await openTestManagement()
  const [one, other] = [await test.login(), await test.login()]
  const mixed = { ...one, adminToken: { ...one.adminToken, id: other.adminToken.id } }
  assert.equal(await test.admins.authenticate(headerOf(mixed)), undefined)
})

test('the header of a login lets nobody in elsewhere', async () => {
  await using test = await openTestManagement()
  assert.equal(await test.admins.authenticate(`token=${rootToken}`), undefined)
})

test('a header that was verified is not verified again for a minute', async () => {
  await using test = await openTestManagement()
  const header = headerOf(await test.login())
  const read = mock.method(test.store, 'getAdminToken')
  for (let i = 0; i < 5; i += 1) await test.admins.authenticate(header)
  assert.equal(read.mock.callCount(), 1)
})

test('requests side by side share one verification', async () => {
  await using test = await openTestManagement()
  const header = headerOf(await test.login())
  const read = mock.method(test.store, 'getAdminToken')
  await Promise.all(Array.from({ length: 5 }, () => test.admins.authenticate(header)))
  assert.equal(read.mock.callCount(), 1)
})

test('a token that is disabled is refused at once', async () => {
  await using test = await openTestManagement()
  const login = await test.login()
  assert((await test.admins.authenticate(headerOf(login))) !== undefined)
  await test.admins.disableToken(login.adminToken.id, somebody)
  assert.equal(await test.admins.authenticate(headerOf(login)), undefined)
})

test('a token that is disabled while it is looked at is refused at its next use', async () => {
  await using test = await openTestManagement()
  const login = await test.login()
  const first = test.admins.authenticate(headerOf(login))
  await test.admins.disableToken(login.adminToken.id, somebody)
  await first
  assert.equal(await test.admins.authenticate(headerOf(login)), undefined)
})

test('a token that another process disables is refused five seconds later', async () => {
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

test('after 30 days without use a token is good no more', async () => {
  await using test = await openTestManagement()
  const login = await test.login()
  test.time.advance(30 * day)
  assert.equal(await test.admins.authenticate(headerOf(login)), undefined)
})

test('a token that is used once in a while stays good', async () => {
  await using test = await openTestManagement()
  const login = await test.login()
  for (let i = 0; i < 3; i += 1) {
    test.time.advance(29 * day)
    assert((await test.admins.authenticate(headerOf(login))) !== undefined)
    await test.written()
  }
})

test('the use of a token is noted once a minute', async () => {
  await using test = await openTestManagement()
  const header = headerOf(await test.login())
  const touch = mock.method(test.store, 'touchAdminToken')
  for (let i = 0; i < 12; i += 1) {
    test.time.advance(10 * second)
    await test.admins.authenticate(header)
  }
  assert.equal(touch.mock.callCount(), 2)
})

test('tokens that are good no more are removed in the background', async () => {
  await using test = await openTestManagement()
  await test.login()
  test.time.advance(30 * day + 1)
  await test.login('grace@example.com')
  test.management.start()
  test.time.advance(0)
  await test.time.scheduled(30 * minute)
  const { rows } = await test.admins.listTokens({})
  assert.deepEqual(
    rows.map(({ user }) => user.email),
    ['grace@example.com'],
  )
})

test('the root token cannot be guessed by the three parts either', async () => {
  await using test = await openTestManagement()
  const header = headerOf(await test.login())
  const origin = { address: '192.0.2.7', requestId: 'request-7' }
  for (let i = 0; i < 10; i += 1) await test.admins.authenticate(header.replace(rootToken, `guess-${i}`), origin)
  await assert.rejects(test.admins.authenticate(header, origin), { code: 'too-many-attempts' })
})

test('who was let in before is not held off by the failures of others behind the same address', async () => {
  await using test = await openTestManagement()
  const header = headerOf(await test.login())
  const origin = { address: '192.0.2.7', requestId: 'request-7' }
  await test.admins.authenticate(header, origin)
  for (let i = 0; i < 10; i += 1) await test.admins.authenticate(header.replace(rootToken, `guess-${i}`), origin)
  assert((await test.admins.authenticate(header, origin)) !== undefined)
})

test('an id that nobody has costs a comparison as well, so that time does not tell which ids there are', async () => {
  await using test = await openTestManagement()
  const compared: string[] = []
  const { authenticate } = createAuthentication({
    store: test.store,
    door: { admit: () => {}, isRootToken: () => true, failed: async () => {} },
    hashing: {
      hash: async () => 'the hash of nobody',
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
  assert.deepEqual(compared, ['the hash of nobody'])
})
