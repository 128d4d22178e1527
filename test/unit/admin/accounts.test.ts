import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timezoneName } from '../../../src/admin/accounts/accounts.ts'
import { adminCaller } from '../../../src/admin/accounts/session.ts'
import { unknownOrigin } from '../../../src/directory/audit.ts'
import { headerOf, openTestManagement } from './support/management.ts'

async function openSession() {
  const test = await openTestManagement()
  const login = await test.login('ada@example.com')
  const session = await test.admins.authenticate(headerOf(login))
  assert(session !== undefined)
  return { test, login, session, caller: adminCaller(session.user, unknownOrigin) }
}

test('an admin reads their own account', async () => {
  const { test, session, login } = await openSession()
  await using _ = test
  assert.deepEqual(await test.admins.me(session), login.user)
})

test('an admin sets a time zone, and the audit entry has the old and the new one', async () => {
  const { test, session, caller } = await openSession()
  await using _ = test
  const { timezone } = await test.admins.setTimezone(session, { timezone: 'Europe/Berlin' }, caller)
  assert.equal(timezone, 'Europe/Berlin')
  const last = (await test.audited()).at(-1)
  assert.equal(last?.action, 'admin.updated')
  assert.equal(last.changes, '{"timezone":{"from":"UTC","to":"Europe/Berlin"}}')
})

for (const [given, name] of [
  ['UTC', 'UTC'],
  ['utc', 'UTC'],
  ['europe/berlin', 'Europe/Berlin'],
  ['US/Eastern', 'US/Eastern'],
  ['+01:00', undefined],
  ['Mars/Olympus', undefined],
  ['', undefined],
  ['Europe/Berlin\n', undefined],
] as const) {
  test(`${JSON.stringify(given)} is ${name === undefined ? 'not a time zone' : `the time zone ${name}`}`, () => {
    assert.equal(timezoneName(given), name)
  })
}

for (const timezone of [undefined, 1, 'Mars/Olympus', 'x'.repeat(101)]) {
  test(`the time zone ${String(timezone).slice(0, 20)} is rejected`, async () => {
    const { test, session, caller } = await openSession()
    await using _ = test
    const refused = { code: 'invalid-input', message: /^timezone: / }
    await assert.rejects(test.admins.setTimezone(session, { timezone }, caller), refused)
  })
}

test('a logout ends the session', async () => {
  const { test, session, login, caller } = await openSession()
  await using _ = test
  await test.admins.logOut(session, caller)
  assert.equal(await test.admins.authenticate(headerOf(login)), undefined)
  assert.equal((await test.audited()).at(-1)?.action, 'admin.logout')
})

test('tokens are listed in pages, without secrets; the one of the caller is marked', async () => {
  const { test, session, login } = await openSession()
  await using _ = test
  test.time.advance(1)
  const second = await test.login('grace@example.com')
  const first = await test.admins.listTokens({ pageLimit: '1' }, session)
  const rest = await test.admins.listTokens({ pageLimit: 1, pageToken: first.pageToken }, session)
  assert.deepEqual(
    [...first.rows, ...rest.rows].map(({ id, is_current }) => [id, is_current]),
    [
      [login.adminToken.id, true],
      [second.adminToken.id, false],
    ],
  )
  assert.equal(rest.pageToken, undefined)
  const text = JSON.stringify([first, rest])
  for (const secret of [login.adminToken.token, login.adminToken.tokenBcrypt, login.token]) {
    assert(!text.includes(secret))
  }
})

for (const query of [{ pageLimit: 0 }, { pageLimit: 1001 }, { pageToken: 'x' }, { pageToken: 'WzEsMl0' }]) {
  test(`a listing rejects ${JSON.stringify(query)}`, async () => {
    const { test, session } = await openSession()
    await using _ = test
    await assert.rejects(test.admins.listTokens(query, session), { code: 'invalid-input' })
  })
}

test('a token can be disabled only once', async () => {
  const { test, login, caller } = await openSession()
  await using _ = test
  await test.admins.disableToken(login.adminToken.id, caller)
  await assert.rejects(test.admins.disableToken(login.adminToken.id, caller), { code: 'resource-not-found' })
})

test('without a root token there are no admins', async () => {
  await assert.rejects(openTestManagement({ rootToken: undefined }), /the admin API is on/)
})
