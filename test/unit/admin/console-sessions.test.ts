import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFakeIssuer } from '../../../tools/fake-issuer/issuer.ts'
import { openTestManagement, rootToken, startAt } from './support/management.ts'

const origin = { requestId: 'request-1', address: '192.0.2.1' }
const [minute, hour] = [60_000, 3_600_000]

test('a session ends after twelve hours without use', async () => {
  await using test = await openTestManagement()
  const { console } = test.management
  const token = await console.signIn({ api_key: 'a-configured-key' }, origin)
  for (let uses = 0; uses < 3; uses += 1) {
    await test.time.advance(11 * hour)
    assert.equal((await console.find(token, origin))?.caller.name, 'API_KEYS 1')
    await test.written()
  }
  await test.time.advance(12 * hour)
  assert.equal(await console.find(token, origin), undefined)
})

test('a session ends after seven days even when it is used', async () => {
  await using test = await openTestManagement()
  const { console } = test.management
  const token = await console.signIn({ email: 'ada@example.com', root_token: rootToken }, origin)
  for (let hours = 10; hours < 7 * 24; hours += 10) {
    await test.time.advance(10 * hour)
    assert.equal((await console.find(token, origin))?.admin?.user.email, 'ada@example.com')
    await test.written()
  }
  await test.time.advance(10 * hour)
  assert.equal(await console.find(token, origin), undefined)
})

test('with an identity provider, an attempt ends after ten minutes, and a session after twelve hours of use', async () => {
  await using issuer = await startFakeIssuer()
  const settings = { administrators: ['ada@example.com'], externalUrl: () => 'http://localhost:5225' }
  await using test = await openTestManagement({ identityProvider: { ...issuer, ...settings } })
  const { console } = test.management
  const provider = console.identityProvider ?? assert.fail('there is no identity provider')
  const browser = 'a-secret-of-the-browser'
  const responses = await Promise.all(
    [1, 2].map(async () => {
      const response = await fetch(String(await provider.begin(browser, origin)), { redirect: 'manual' })
      return new URL(response.headers.get('location') ?? '').searchParams
    }),
  )
  const [first, late] = responses.map((query) => () => provider.complete(query, browser, origin))
  const completed = await first?.()
  const [token] = Array.isArray(completed) ? completed : assert.fail(String(completed))
  await test.time.advance(10 * minute)
  assert.equal(await late?.(), 'expired')
  await test.time.advance(11 * hour)
  const signedIn = await console.find(token, origin)
  assert.deepEqual([signedIn?.caller.name, signedIn?.expiresAt], ['ada@example.com', startAt + 12 * hour])
  await test.written()
  await test.time.advance(50 * minute)
  assert.equal(await console.find(token, origin), undefined)
})

test('the code of a sign-in link works once, within ten minutes', async () => {
  await using test = await openTestManagement()
  const { console } = test.management
  const [code, late] = [console.createCode(), console.createCode()]
  const token = await console.signIn({ code }, origin)
  assert.equal((await console.find(token, origin))?.caller.name, 'API_KEYS 1')
  await assert.rejects(console.signIn({ code }, origin), { code: 'unauthorized' })
  await test.time.advance(10 * minute)
  await assert.rejects(console.signIn({ code: late }, origin), { code: 'unauthorized' })
})

test('signing in and out with a key is audited, without the key', async () => {
  await using test = await openTestManagement()
  const { console } = test.management
  const token = await console.signIn({ api_key: 'a-configured-key' }, origin)
  await console.signOut(token, origin)
  await console.signOut(token, origin)
  const entries = await test.audited()
  assert.deepEqual(
    entries.map(({ action, callerName, address }) => [action, callerName, address]),
    ['console.signed_in', 'console.signed_out'].map((action) => [action, 'API_KEYS 1', '192.0.2.1']),
  )
  assert.doesNotMatch(JSON.stringify(entries), /a-configured-key/)
  assert.equal(await console.find(token, origin), undefined)
})

test('signing out as an admin disables the token of the sign-in', async () => {
  await using test = await openTestManagement()
  const { console } = test.management
  const token = await console.signIn({ email: 'ada@example.com', root_token: rootToken }, origin)
  await console.signOut(token, origin)
  assert.deepEqual(
    (await test.audited()).map(({ action }) => action),
    ['admin.login', 'admin.logout'],
  )
})
