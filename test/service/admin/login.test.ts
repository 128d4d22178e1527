import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare } from 'bcrypt'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { assertApiError } from '../../support/errors.ts'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'
import {
  adminSettings,
  claims,
  dataOf,
  events,
  login,
  newAddress,
  rootToken,
  sharedAdmin,
  tryLogin,
} from './support/admin.ts'

const someToken = 'a'.repeat(43)

const wrongHeaders = [
  { because: 'there is none', authorization: undefined },
  { because: 'it is empty', authorization: '' },
  { because: 'the token is wrong', authorization: 'token=another-token-of-a-test-0123456789abc' },
  { because: 'the token is empty', authorization: 'token=' },
  { because: 'the token lacks its end', authorization: `token=${rootToken.slice(0, -1)}` },
  { because: 'the token goes on', authorization: `token=${rootToken}0` },
  { because: 'the token is in upper case', authorization: `token=${rootToken.toUpperCase()}` },
  { because: 'the name begins with a capital', authorization: `Token=${rootToken}` },
  { because: 'the name is in upper case', authorization: `TOKEN=${rootToken}` },
  { because: 'a blank is before the sign', authorization: `token =${rootToken}` },
  { because: 'a blank is behind the sign', authorization: `token= ${rootToken}` },
  { because: 'two blanks are behind the sign', authorization: `token=  ${rootToken}` },
  { because: 'a tab is behind the sign', authorization: `token=\t${rootToken}` },
  { because: 'something follows', authorization: `token=${rootToken} x` },
  { because: 'the token is there twice', authorization: `token=${rootToken} token=${rootToken}` },
  { because: 'the token is in quotes', authorization: `token="${rootToken}"` },
  { because: 'it has a comma', authorization: `token=${rootToken},` },
  { because: 'a sign is not of ASCII', authorization: `token=${rootToken}é` },
  { because: 'there is no name', authorization: rootToken },
  { because: 'the name is another', authorization: `admin_token=${rootToken}` },
  { because: 'it is a Bearer token', authorization: `Bearer ${rootToken}` },
  { because: 'it is an API key', authorization: `Api-Key ${rootToken}` },
  { because: 'it has three parts', authorization: `id=a token=${someToken} admin_token=${rootToken}` },
  { because: 'its parts are in another order', authorization: `admin_token=${rootToken} token=${rootToken}` },
]

const wrongUpstreamTokens = [
  { because: 'it is wrong', body: claims({ upstreamToken: 'another-token-of-a-test-0123456789abc' }) },
  { because: 'it lacks its end', body: claims({ upstreamToken: rootToken.slice(0, -1) }) },
  { because: 'it is empty', body: claims({ upstreamToken: '' }) },
  { because: 'it is null', body: claims({ upstreamToken: null }) },
  { because: 'it is a list', body: claims({ upstreamToken: [rootToken] }) },
  { because: 'it is missing', body: { claims: { email: 'ada@example.com' } } },
  { because: 'it is beside the claims', body: { upstreamToken: rootToken, claims: { email: 'ada@example.com' } } },
  { because: 'there are no claims', body: {} },
  { because: 'the claims are a list', body: { claims: [rootToken] } },
]

const wrongEmails = [
  { because: 'it is missing', body: { claims: { upstreamToken: rootToken } } },
  { because: 'it is null', body: claims({ email: null }) },
  { because: 'it is a number', body: claims({ email: 1 }) },
  { because: 'it is a list', body: claims({ email: ['ada@example.com'] }) },
  { because: 'it is empty', body: claims({ email: '' }) },
  { because: 'it has no @', body: claims({ email: 'ada' }) },
  { because: 'nothing is before the @', body: claims({ email: '@example.com' }) },
  { because: 'nothing is behind the @', body: claims({ email: 'ada@' }) },
  { because: 'it has two @', body: claims({ email: 'ada@b@example.com' }) },
  { because: 'it has a blank', body: claims({ email: 'ada lovelace@example.com' }) },
  { because: 'it has a line break', body: claims({ email: 'ada@example.com\nadmin' }) },
  { because: 'it has a control character', body: claims({ email: 'ada\u0000@example.com' }) },
  { because: 'it is too long', body: claims({ email: `${'a'.repeat(64)}@${'b'.repeat(260)}` }) },
]

const noObjects = [[], 'text', 1, null, true].map((body) => JSON.stringify(body))

forEachEngine((engine) => {
  const service = serviceForSuite(engine, adminSettings)
  const somebody = sharedAdmin(service)

  test('a login returns the user, a JWT and an admin token', async () => {
    const email = 'Grace.Hopper@example.com'
    const { status, body, headers } = await tryLogin(service(), { body: claims({ email }) })
    assert.equal(status, 200)
    assert.match(String(headers['content-type']), /^application\/json/)
    const { user, token, adminToken, ...others } = body as unknown as Record<string, Record<string, string>>
    assert.deepEqual(others, {})
    assert.deepEqual(user, { email, id: user?.['id'], timezone: 'UTC' })
    assert.equal(typeof token, 'string')
    const { id, token: secret = '', tokenBcrypt = '', createdAt } = { ...adminToken }
    assert.match(secret, /^[\w-]{43}$/)
    assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(adminToken, { id, userId: user?.['id'], tokenBcrypt, token: secret, disabled: false, createdAt })
    assert(await compare(secret, tokenBcrypt), 'the hash is that of the token')
  })

  test('the JWT is signed with HS256, valid for an hour and names the user and the admin token', async () => {
    const { token, user, adminToken } = await login(service())
    assert.deepEqual(decodeProtectedHeader(token), { alg: 'HS256', typ: 'JWT' })
    const { sub, jti, iat = 0, exp = 0 } = decodeJwt(token)
    assert.deepEqual({ sub, jti, lifetime: exp - iat }, { sub: user.id, jti: adminToken.id, lifetime: 3600 })
  })

  test('an email address in another letter case is the same user, with another token', async () => {
    const [first, second] = [await login(service(), 'Alan@Example.com'), await login(service(), 'aLAN@example.COM')]
    assert.deepEqual(second.user, first.user)
    assert.notEqual(second.adminToken.id, first.adminToken.id)
    assert.equal((await first.admin('GET', '/user/me')).status, 200, 'the first token is good still')
  })

  test('a login is audited with the user, the token, the address and the request id', async () => {
    const address = newAddress()
    const response = await tryLogin(service(), { body: claims({ email: 'joan@example.com' }), address })
    const { user, adminToken } = response.body as unknown as Awaited<ReturnType<typeof login>>
    const [entry] = await events(await somebody(), { target_id: adminToken.id })
    assert.deepEqual(
      [entry?.action, entry?.actor, entry?.address, entry?.request_id, entry?.changes],
      [
        'admin.login',
        { kind: 'admin', id: user.id, name: 'joan@example.com' },
        address,
        response.headers['x-request-id'],
        null,
      ],
    )
  })

  for (const { given, reason } of [
    { given: { authorization: undefined }, reason: 'no token in the required form' },
    { given: { authorization: `token=${rootToken.slice(1)}` }, reason: 'wrong token' },
    { given: { body: claims({ upstreamToken: rootToken.slice(1) }) }, reason: 'wrong upstreamToken' },
    { given: { body: claims({ email: 'nobody' }) }, reason: 'bad input' },
  ]) {
    test(`a failed login is audited with its reason: ${reason}`, async () => {
      const address = newAddress()
      const { headers } = await tryLogin(service(), { ...given, address })
      const failures = await events(await somebody(), { action: 'admin.login_failed', pageLimit: '1000' })
      const entry = failures.find(({ request_id }) => request_id === headers['x-request-id'])
      assert.deepEqual(
        [entry?.actor, entry?.address, entry?.changes],
        [{ kind: 'admin', id: null, name: null }, address, { reason: { from: null, to: reason } }],
      )
    })
  }

  for (const [timezone, name] of [
    ['Europe/Berlin', 'Europe/Berlin'],
    ['america/new_york', 'America/New_York'],
  ]) {
    test(`an admin can set the time zone ${timezone}, and keeps it at the next login`, async () => {
      const email = `in-${timezone?.replace('/', '-')}@example.com`
      const { admin, user } = await login(service(), email)
      assert.deepEqual(dataOf(await admin('PUT', '/user/me', { timezone })), { ...user, timezone: name })
      assert.deepEqual(dataOf(await admin('GET', '/user/me')), { ...user, timezone: name })
      assert.equal((await login(service(), email)).user.timezone, name)
    })
  }
})

const service = serviceForSuite('sqlite', adminSettings)
const somebody = sharedAdmin(service)

for (const { because, authorization } of wrongHeaders) {
  test(`a login is rejected because of its header: ${because}`, async () => {
    const response = await tryLogin(service(), { authorization })
    assertApiError(response, 401)
    assert.equal(response.headers['www-authenticate'], 'Bearer')
  })
}

for (const { because, body } of wrongUpstreamTokens) {
  test(`a login is rejected because of its upstreamToken: ${because}`, async () => {
    assertApiError(await tryLogin(service(), { body }), 401)
  })
}

for (const { because, body } of wrongEmails) {
  test(`an email address is rejected when ${because}`, async () => {
    const response = await tryLogin(service(), { body })
    assertApiError(response, 400)
    assert.deepEqual(
      response.body.error.problems?.map(({ field }) => field),
      ['claims.email'],
    )
  })
}

for (const body of noObjects) {
  test(`the body ${body} is rejected: it is not an object`, async () => {
    assertApiError(await tryLogin(service(), { body }), 400)
  })
}

test('the response does not say which token is wrong', async () => {
  const responses = [
    await tryLogin(service(), { authorization: undefined }),
    await tryLogin(service(), { authorization: 'token=wrong' }),
    await tryLogin(service(), { body: claims({ upstreamToken: 'wrong' }) }),
    await tryLogin(service(), { authorization: 'token=wrong', body: claims({ email: 'none' }) }),
    await tryLogin(service(), { authorization: 'token=wrong', body: '[]' }),
  ]
  assert.equal(new Set(responses.map(({ body }) => body.error.message)).size, 1)
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([401]))
})

test('a body that is not JSON is rejected', async () => {
  assertApiError(await tryLogin(service(), { body: '{"claims":' }), 400)
})

test('a body with __proto__ is rejected', async () => {
  assertApiError(await tryLogin(service(), { body: '{"__proto__":{"claims":{}}}' }), 400)
})

test('an empty body is rejected', async () => {
  assertApiError(await tryLogin(service(), { body: '', headers: { 'content-type': 'application/json' } }), 400)
})

for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/scim+json', 'nonsense']) {
  test(`a body of ${type} is rejected`, async () => {
    assertApiError(await tryLogin(service(), { headers: { 'content-type': type } }), 415)
  })
}

test('a body of more than 16 KB is rejected', async () => {
  assertApiError(await tryLogin(service(), { body: claims({ more: 'x'.repeat(16_384) }) }), 413)
})

for (const body of [{ timezone: 'Mars/Olympus' }, { timezone: '+01:00' }, { timezone: 1 }, { timezone: '' }, {}]) {
  test(`an admin cannot set the time zone ${JSON.stringify(body)}`, async () => {
    const { admin } = await somebody()
    const response = await admin('PUT', '/user/me', body)
    assertApiError(response, 400)
    assert.equal(response.body.error.problems?.[0]?.field, 'timezone')
  })
}
