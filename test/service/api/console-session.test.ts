import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { names } from '../../guarantees/support/idp.ts'
import type { Answer } from '../../support/client.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, serviceForSuite, startTestService, testApiKey } from '../../support/service.ts'

const root = 'root-token-of-a-test-0123456789abcdef'
const session = '/console/session'

/** Signs in as a page of the service does. */
function signIn(service: TestService, body: object, headers = {}): Promise<Answer> {
  return service.request('POST', session, { body, headers: { origin: service.origin, ...headers } })
}

function cookieOf({ headers }: Answer): string {
  return String(headers['set-cookie']).replace(/;.*/, '')
}

/** Calls with the cookie of a session, from a page of the service. */
function as(service: TestService, cookie: string) {
  return (method: string, path: string, body?: unknown, headers = {}) =>
    service.request(method, path, { body, headers: { cookie, origin: service.origin, ...headers } })
}

forEachEngine((engine) => {
  const open = serviceForSuite(engine, { ADMIN_ROOT_TOKEN: root })

  test(`${engine}: a session of an API key has the permissions of the key, and not those of admins`, async () => {
    const service = open()
    const answer = await signIn(service, { api_key: testApiKey })
    assert.equal(answer.status, 201)
    assert.match(
      String(answer.headers['set-cookie']),
      /^rollcall-session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    )
    const call = as(service, cookieOf(answer))
    const { data } = (await call('GET', session)).body as unknown as { data: Record<string, unknown> }
    assert.deepEqual([data['kind'], data['scope']], ['api-key', { tenant: null, product: null, read_only: false }])
    assert.equal((await call('POST', '/api/v1/directory-sync', { tenant: 'acme', product: 'crm' })).status, 201)
    assert.equal((await call('GET', '/auditlog/admin/v1/apikey')).status, 403)
    assert.equal((await call('DELETE', session)).status, 200)
    assert.equal((await call('GET', '/api/v1/directory-sync?tenant=acme&product=crm')).status, 401)
    assert.deepEqual((await call('GET', session)).body.data, null)
  })

  test(`${engine}: a session of an admin ends with the admin token`, async () => {
    const service = open()
    const answer = await signIn(service, { email: 'ada@example.com', root_token: root })
    assert.equal(answer.status, 201)
    const call = as(service, cookieOf(answer))
    const other = as(service, cookieOf(await signIn(service, { email: 'bob@example.com', root_token: root })))
    const created = await call('POST', '/auditlog/admin/v1/apikey', { name: 'narrow', scope: { tenant: 'acme' } })
    assert.equal(created.status, 201)
    const { data: tokens } = (await call('GET', '/auditlog/admin/v1/token')).body as unknown as {
      data: { id: string; user: { email: string } }[]
    }
    const adas = tokens.find(({ user }) => user.email === 'ada@example.com')
    assert.equal((await other('DELETE', `/auditlog/admin/v1/token/${adas?.id}`)).status, 200)
    assert.equal((await call('GET', '/auditlog/admin/v1/user/me')).status, 401)
    assert.equal((await other('GET', '/auditlog/admin/v1/user/me')).status, 200)
  })

  test(`${engine}: whoever has signed in with a key sees and ends the sessions of the key, and an admin those of all keys`, async () => {
    const service = open()
    const signedIn = async (credentials: object) => as(service, cookieOf(await signIn(service, credentials)))
    const admin = await signedIn({ email: 'ada@example.com', root_token: root })
    const narrow = { name: 'Support', scope: { tenant: 'acme', readOnly: true } }
    const { data: key } = (await admin('POST', '/auditlog/admin/v1/apikey', narrow)).body as unknown as {
      data: { id: string; key: string }
    }
    const [own, lost] = [await signedIn({ api_key: key.key }), await signedIn({ api_key: key.key })]
    const foreign = await signedIn({ api_key: testApiKey })
    type Listed = { id: string; key: { id: string; name: string }; is_current: boolean }
    const sessionsOf = async (call: typeof own, query = '') =>
      (await call('GET', `/console/sessions${query}`)).body as unknown as { data: Listed[]; pageToken?: string }
    const mine = (await sessionsOf(own)).data
    assert.deepEqual(
      mine.map((one) => one.key),
      [key, key].map(({ id }) => ({ id, name: 'Support' })),
    )
    const [current, other] = [true, false].map((isCurrent) => mine.find((one) => one.is_current === isCurrent))
    assert.equal((await foreign('DELETE', `/console/sessions/${other?.id}`)).status, 404)
    assert.equal((await own('DELETE', `/console/sessions/${other?.id}`)).status, 200)
    assert.equal((await lost('GET', '/api/v1/dsync/directories')).status, 401)
    assert.equal((await own('GET', '/api/v1/dsync/directories')).status, 200)
    const page = await sessionsOf(admin, '?pageLimit=1')
    const rest = await sessionsOf(admin, `?pageToken=${page.pageToken}`)
    const names = [...page.data, ...rest.data].map(({ key: { name } }) => name)
    assert.ok(names.includes('API_KEYS 1') && names.includes('Support'), 'an admin sees the sessions of all keys')
    assert.equal((await admin('DELETE', `/console/sessions/${current?.id}`)).status, 200)
    assert.equal((await own('GET', '/console/sessions')).status, 401)
    assert.equal((await service.request('GET', '/console/sessions')).status, 401)
    const { data: entries } = (await admin('GET', '/auditlog/admin/v1/event?action=console.signed_out'))
      .body as unknown as {
      data: { actor: { name: string }; target: { id: string } }[]
    }
    assert.deepEqual(
      entries.slice(0, 2).map(({ actor, target }) => [actor.name, target.id]),
      ['ada@example.com', 'Support'].map((name) => [name, key.id]),
    )
  })

  test(`${engine}: a session of a scoped key is restricted to the scope and ends with the key`, async () => {
    const service = open()
    const admin = as(service, cookieOf(await signIn(service, { email: 'ada@example.com', root_token: root })))
    const mine = await service.createDirectory({ tenant: 'acme', product: 'hr' })
    const foreign = await service.createDirectory({ tenant: 'globex', product: 'hr' })
    const { data: key } = (
      await admin('POST', '/auditlog/admin/v1/apikey', { name: 'r', scope: { tenant: 'acme', readOnly: true } })
    ).body as unknown as { data: { id: string; key: string } }
    const call = as(service, cookieOf(await signIn(service, { api_key: key.key })))
    assert.equal((await call('GET', `/api/v1/dsync/${mine.id}`)).status, 200)
    assert.equal((await call('GET', `/api/v1/dsync/${foreign.id}`)).status, 404)
    assert.equal((await call('PATCH', `/api/v1/dsync/${mine.id}`, { name: 'x' })).status, 403)
    await admin('DELETE', `/auditlog/admin/v1/apikey/${key.id}`)
    assert.equal((await call('GET', `/api/v1/dsync/${mine.id}`)).status, 401)
  })
})

describe('responses to browsers', () => {
  const open = serviceForSuite('sqlite')
  const gzip = { 'accept-encoding': 'gzip, deflate, br' }

  /** The headers of a response, and its text as the client reads it. */
  async function read(service: TestService, path: string, headers: Readonly<Record<string, string>>) {
    const answer = await fetch(service.origin + path, { headers })
    return {
      encoding: answer.headers.get('content-encoding'),
      vary: answer.headers.get('vary'),
      text: await answer.text(),
    }
  }

  for (const [what, query] of [
    ['a page', '&pageLimit=50&pageOffset=0'],
    ['a whole list, which is a stream', ''],
  ] as const) {
    test(`${what} is compressed for the console, and as it is for a product`, async () => {
      const service = open()
      const directory = await service.createDirectory()
      for (const name of names('user', 60)) await service.scim(directory, 'POST', '/Users', { userName: name })
      const cookie = cookieOf(await signIn(service, { api_key: testApiKey }))
      const path = `/api/v1/directory-sync/users?directoryId=${directory.id}${query}`
      const compressed = await read(service, path, { cookie, ...gzip })
      const plain = await read(service, path, { authorization: `Api-Key ${testApiKey}`, ...gzip })
      assert.deepEqual([compressed.encoding, compressed.vary], ['gzip', 'accept-encoding'])
      assert.equal(plain.encoding, null)
      assert.equal(compressed.text, plain.text)
      const asIs = await read(service, path, { cookie, 'accept-encoding': 'gzip;q=0' })
      assert.deepEqual([asIs.encoding, asIs.text], [null, plain.text])
    })
  }

  test('the response to a page of another host of the same site is not compressed: it could tell a secret by its length', async () => {
    const service = open()
    for (const name of names('directory', 10)) await service.createDirectory({ name })
    const cookie = cookieOf(await signIn(service, { api_key: testApiKey }))
    const path = '/api/v1/directory-sync/health'
    for (const [site, encoding] of [
      ['same-origin', 'gzip'],
      ['same-site', null],
      ['cross-site', null],
    ] as const)
      assert.equal((await read(service, path, { cookie, ...gzip, 'sec-fetch-site': site })).encoding, encoding, site)
  })

  test('a short response is not compressed', async () => {
    const service = open()
    const cookie = cookieOf(await signIn(service, { api_key: testApiKey }))
    assert.equal((await read(service, session, { cookie, ...gzip })).encoding, null)
  })
})

const open = serviceForSuite('sqlite', { EXTERNAL_URL: 'https://rollcall.example.com' })

test('over https the cookie is secure and for this host only', async () => {
  const answer = await signIn(open(), { api_key: testApiKey })
  assert.match(String(answer.headers['set-cookie']), /^__Host-rollcall-session=.*; Secure$/)
})

for (const [what, headers, status] of [
  ['no origin', {}, 403],
  ['another origin', { origin: 'https://evil.example' }, 403],
  ['the null origin', { origin: 'null' }, 403],
  ['another site', { origin: 'https://rollcall.example.com', 'sec-fetch-site': 'cross-site' }, 403],
  ['a sibling host', { 'sec-fetch-site': 'same-site' }, 403],
  ['the external URL', { origin: 'https://rollcall.example.com' }, 201],
  ['a page of this service', { 'sec-fetch-site': 'same-origin' }, 201],
] as const) {
  test(`a change with the cookie, from ${what}, gets ${status}`, async () => {
    const service = open()
    const cookie = cookieOf(await signIn(service, { api_key: testApiKey }))
    const body = { tenant: 'acme', product: 'crm' }
    const answer = await service.request('POST', '/api/v1/dsync', { body, headers: { cookie, ...headers } })
    assert.equal(answer.status, status)
    const withKey = { cookie, ...headers, authorization: `Api-Key ${testApiKey}` }
    assert.equal((await service.request('POST', '/api/v1/dsync', { body, headers: withKey })).status, 201)
  })
}

for (const [what, body, status] of [
  ['nothing', {}, 400],
  ['two credentials', { api_key: testApiKey, code: 'abc' }, 400],
  ['half a login', { api_key: testApiKey, email: 'ada@example.com' }, 400],
  ['a number', { api_key: 7 }, 400],
  ['an unknown field', { apiKey: testApiKey }, 400],
  ['a wrong key', { api_key: 'wrong-key' }, 401],
  ['a wrong code', { code: 'wrong-code' }, 401],
  ['a login while the admin API is off', { email: 'ada@example.com', root_token: root }, 401],
] as const) {
  test(`signing in with ${what} is rejected with ${status}`, async () => {
    const answer = await signIn(open(), body)
    assert.deepEqual([answer.status, answer.headers['set-cookie']], [status, undefined])
  })
}

test('a forged or empty cookie belongs to no session', async () => {
  for (const value of ['', 'x', 'a'.repeat(43), '%00', 'a'.repeat(5000)]) {
    const headers = { cookie: `a=b; __Host-rollcall-session=${value}` }
    assert.equal((await open().request('GET', '/api/v1/dsync/providers', { headers })).status, 401)
    assert.equal((await open().request('GET', session, { headers })).body.data, null)
  }
})

test('failed attempts are limited for each address, and the right key is accepted from a limited one', async () => {
  await using service = await startTestService('sqlite')
  const attempts = Array.from({ length: 11 }, () => signIn(service, { api_key: 'wrong' }))
  const answers = await Promise.all(attempts)
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(10).fill(401), 429])
  const limited = await signIn(service, { api_key: 'wrong' })
  assert.equal(limited.status, 429)
  assert(Number(limited.headers['retry-after']) > 0)
  assert.equal((await signIn(service, { api_key: testApiKey })).status, 201)
})
