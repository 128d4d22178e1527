import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import bcrypt from 'bcrypt'
import { DirectoryError } from '../../../src/directory/errors.ts'
import { errorResponseOf } from '../../../src/error-response.ts'
import { loginRequest, openTestManagement, rootToken, startAt } from './support/management.ts'

const minute = 60_000

test('a login returns the user, a JWT and an admin token with its hash', async () => {
  await using test = await openTestManagement()
  const { user, token, adminToken } = await test.login('Ada@example.com')
  assert.deepEqual({ ...user, id: '' }, { email: 'Ada@example.com', id: '', timezone: 'UTC' })
  assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/)
  assert.match(adminToken.token, /^[\w-]{43}$/)
  assert(await bcrypt.compare(adminToken.token, adminToken.tokenBcrypt))
  assert.equal(adminToken.userId, user.id)
  assert.equal(adminToken.disabled, false)
  assert.equal(adminToken.createdAt, new Date(startAt).toISOString())
})

test('an email address identifies the user in any letter case', async () => {
  await using test = await openTestManagement()
  const [first, second] = [await test.login('Ada@example.com'), await test.login('ada@EXAMPLE.com')]
  assert.deepEqual(second.user, first.user)
  assert.notEqual(second.adminToken.id, first.adminToken.id)
})

test('a login is audited with its user and origin', async () => {
  await using test = await openTestManagement()
  const { user, adminToken } = await test.login('ada@example.com')
  const [entry, ...others] = await test.audited()
  assert.deepEqual(others, [])
  assert.equal(entry?.action, 'admin.login')
  const { callerKind, callerId, callerName, address, requestId, targetId } = entry
  assert.deepEqual([callerKind, callerId, callerName], ['admin', user.id, 'ada@example.com'])
  assert.deepEqual([address, requestId, targetId], ['192.0.2.1', 'request-1', adminToken.id])
})

const halfRight = `${rootToken.slice(0, -1)}x`

for (const { what, request, reason } of [
  {
    what: 'no header',
    request: loginRequest({ authorization: undefined }),
    reason: 'no token in the required form',
  },
  {
    what: 'a malformed header',
    request: loginRequest({ authorization: `token= ${rootToken}` }),
    reason: 'no token in the required form',
  },
  {
    what: 'the token as a Bearer token',
    request: loginRequest({ authorization: `Bearer ${rootToken}` }),
    reason: 'no token in the required form',
  },
  {
    what: 'the token with its last letter wrong',
    request: loginRequest({ authorization: `token=${halfRight}` }),
    reason: 'wrong token',
  },
  {
    what: 'a token that is longer',
    request: loginRequest({ authorization: `token=${rootToken}x` }),
    reason: 'wrong token',
  },
  {
    what: 'a wrong token and no body',
    request: { ...loginRequest({ authorization: 'token=x' }), body: undefined },
    reason: 'wrong token',
  },
  { what: 'a wrong upstreamToken', request: loginRequest({ upstreamToken: halfRight }), reason: 'wrong upstreamToken' },
  {
    what: 'an upstreamToken that is no text',
    request: loginRequest({ upstreamToken: [rootToken] }),
    reason: 'wrong upstreamToken',
  },
  { what: 'no claims', request: { ...loginRequest(), body: {} }, reason: 'wrong upstreamToken' },
  {
    what: 'claims that are inherited',
    request: { ...loginRequest(), body: Object.create(loginRequest().body) },
    reason: 'wrong upstreamToken',
  },
  {
    what: 'both tokens and the e-mail address wrong',
    request: loginRequest({ authorization: 'token=x', upstreamToken: 'y', email: 'z' }),
    reason: 'wrong token',
  },
]) {
  test(`a login with ${what} is rejected with the same message as any other`, async () => {
    await using test = await openTestManagement()
    const message = /^Send the root token in the header/
    await assert.rejects(test.admins.logIn(request), { code: 'unauthorized', message })
  })

  test(`a login with ${what} is audited as "${reason}", without its content`, async () => {
    await using test = await openTestManagement()
    await assert.rejects(test.admins.logIn(request))
    const [entry] = await test.audited()
    assert.equal(entry?.action, 'admin.login_failed')
    assert.equal(entry.changes, JSON.stringify({ reason: { from: null, to: reason } }))
    assert.deepEqual([entry.callerId, entry.callerName, entry.address], [undefined, undefined, '192.0.2.1'])
  })
}

for (const email of [
  undefined,
  null,
  '',
  42,
  'ada',
  '@example.com',
  'ada@',
  'a@b@c',
  'ada @example.com',
  'ada@example.com\n',
  'ada@exam\u202eple.com',
  `${'a'.repeat(65)}@example.com`,
  `a@${'b'.repeat(256)}`,
]) {
  test(`with the right tokens, the email address ${JSON.stringify(email)?.slice(0, 40)} is rejected`, async () => {
    await using test = await openTestManagement()
    const request = { ...loginRequest(), body: { claims: { upstreamToken: rootToken, email } } }
    await assert.rejects(test.admins.logIn(request), { code: 'invalid-input', message: /^claims\.email: / })
  })
}

test('a login with bad input is audited without the input', async () => {
  await using test = await openTestManagement()
  await assert.rejects(test.admins.logIn(loginRequest({ email: 'nobody-at-all' })))
  const [entry] = await test.audited()
  assert.equal(entry?.action, 'admin.login_failed')
  assert.equal(entry.changes, '{"reason":{"from":null,"to":"bad input"}}')
})

for (const body of [undefined, null, [], 'text', 1]) {
  test(`with the right header, the body ${JSON.stringify(body)} is rejected`, async () => {
    await using test = await openTestManagement()
    await assert.rejects(test.admins.logIn({ ...loginRequest(), body }), { code: 'invalid-input' })
  })
}

const wrong = (address: string) => loginRequest({ authorization: 'token=wrong', address })

test('after ten failures wrong tokens are too many until some time has passed, and the right one is accepted', async () => {
  await using test = await openTestManagement()
  for (let i = 0; i < 10; i += 1) await assert.rejects(test.admins.logIn(wrong('192.0.2.1')), { code: 'unauthorized' })
  const limited = { code: 'too-many-attempts', retryAfterSeconds: 90 }
  await assert.rejects(test.admins.logIn(wrong('192.0.2.1')), limited)
  assert.equal((await test.admins.logIn(loginRequest({ address: '192.0.2.1' }))).user.email, 'ada@example.com')
  test.time.advance(15 * minute)
  await assert.rejects(test.admins.logIn(wrong('192.0.2.1')), { code: 'unauthorized' })
})

test('concurrent attempts cannot exceed the limit', async () => {
  await using test = await openTestManagement()
  const attempts = Array.from({ length: 30 }, () => test.admins.logIn(wrong('192.0.2.1')).catch(({ code }) => code))
  const codes = await Promise.all(attempts)
  assert.equal(codes.filter((code) => code === 'unauthorized').length, 10)
})

test('successful logins do not count', async () => {
  await using test = await openTestManagement()
  for (let i = 0; i < 12; i += 1) await test.login()
  assert.equal((await test.audited()).length, 12)
})

test('bad input with the right tokens does not count', async () => {
  await using test = await openTestManagement()
  for (let i = 0; i < 12; i += 1) {
    await assert.rejects(test.admins.logIn(loginRequest({ email: 'x' })), { code: 'invalid-input' })
  }
})

test('after too many failures in total, admins can still log in', async () => {
  await using test = await openTestManagement()
  for (let i = 0; i < 100; i += 1) await assert.rejects(test.admins.logIn(wrong(`192.0.2.${i}`)))
  await assert.rejects(test.admins.logIn(wrong('198.51.100.1')), { code: 'too-many-attempts' })
  await test.admins.logIn(loginRequest({ address: '198.51.100.1' }))
})

test('the response to too many attempts has a Retry-After header', () => {
  const refusal = errorResponseOf(new DirectoryError('too-many-attempts', 'Too many.', [], 42))
  assert.deepEqual(refusal, { status: 429, message: 'Too many.', headers: { 'retry-after': '42' } })
})

test('a wrong token is rejected even when the audit entry cannot be written', async () => {
  await using test = await openTestManagement()
  mock.method(test.store, 'appendAudit', () => Promise.reject(new Error('no database')))
  await assert.rejects(test.admins.logIn(wrong('192.0.2.1')), { code: 'unauthorized' })
})

test('a flood of failures adds a hundred entries to the audit trail, and then one a minute', async () => {
  await using test = await openTestManagement()
  for (let i = 0; i < 250; i += 1) await assert.rejects(test.admins.logIn(wrong(`192.0.2.${i}`)))
  test.time.advance(minute)
  await test.management.close()
  const entries = await test.audited()
  assert.equal(entries.length, 101)
  const changes = { reason: { from: null, to: 'too many attempts' }, attempts: { from: null, to: 150 } }
  assert.deepEqual(JSON.parse(entries.at(-1)?.changes ?? ''), changes)
})
