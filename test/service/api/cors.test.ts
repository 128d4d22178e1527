import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serviceForSuite } from '../../support/service.ts'

const [console, other] = ['https://console.example.com', 'http://localhost:3000']
const root = 'root-token-of-a-test-0123456789abcdef'
const open = serviceForSuite('sqlite', { CORS_ORIGINS: `${console}, ${other}`, ADMIN_ROOT_TOKEN: root })
const closed = serviceForSuite('sqlite', { ADMIN_ROOT_TOKEN: root })

const users = '/api/v1/directory-sync/users'
const apis = [users, '/api/v1/dsync/users?tenant=acme', '/auditlog/admin/v1/user/me', '/AUDITLOG/admin/v1/user/_login']
const others = ['/api/scim/v2.0/a/Users', '/api/scim/oauth/callback', '/healthz', '/metrics', '/docs/', '/openapi.json']

const corsHeaders = (headers: object) => Object.keys(headers).filter((name) => name.startsWith('access-control-'))
const preflight = (origin: string) => ({
  origin,
  'access-control-request-method': 'PATCH',
  'access-control-request-headers': 'authorization,content-type',
})

for (const origin of [console, other]) {
  for (const path of apis) {
    test(`the preflight request of ${origin} for ${path} is accepted`, async () => {
      const { status, headers, text } = await open().request('OPTIONS', path, { headers: preflight(origin) })
      assert.deepEqual([status, text], [204, ''])
      assert.equal(headers['access-control-allow-origin'], origin)
      assert.equal(headers['access-control-allow-methods'], 'GET, POST, PUT, PATCH, DELETE')
      assert.equal(headers['access-control-allow-headers'], 'authorization, content-type')
      assert.equal(headers['access-control-allow-credentials'], undefined)
      assert.equal(headers['vary'], 'Origin')
      assert.equal(headers['x-content-type-options'], 'nosniff')
    })
  }
}

test('pages can read the response and the exposed headers', async () => {
  const { status, headers } = await open().api('GET', '/users?tenant=acme&product=crm', undefined, { origin: console })
  assert.equal(status, 200)
  assert.equal(headers['access-control-allow-origin'], console)
  assert.equal(headers['access-control-expose-headers'], 'x-request-id, retry-after')
  assert.deepEqual(corsHeaders(headers).length, 2)
  assert.equal(headers['vary'], 'Origin')
})

for (const [what, path, status] of [
  ['a 401 response', users, 401],
  ['a 404 response', '/api/v1/dsync/no/such/thing', 404],
] as const) {
  test(`pages can read ${what}`, async () => {
    const answer = await open().request('GET', path, { headers: { origin: console } })
    assert.equal(answer.status, status)
    assert.equal(answer.headers['access-control-allow-origin'], console)
  })
}

for (const origin of [
  'https://evil.example',
  'http://console.example.com',
  'https://console.example.com.evil.example',
  'https://evil.example?https://console.example.com',
  'https://CONSOLE.example.com',
  'https://console.example.com/',
  'https://console.example.com:8443',
  'null',
  '*',
  '',
]) {
  test(`the origin "${origin}" gets no CORS headers`, async () => {
    const asked = await open().request('OPTIONS', users, { headers: preflight(origin) })
    assert.equal(asked.status, 401)
    const answered = await open().api('GET', '/users?tenant=acme&product=crm', undefined, { origin })
    assert.equal(answered.status, 200)
    for (const { headers } of [asked, answered]) {
      assert.deepEqual(corsHeaders(headers), [])
      assert.equal(headers['vary'], 'Origin', 'a cache must not mix the answers up')
    }
  })
}

test('the response to a call without an origin varies by origin', async () => {
  const { headers } = await open().api('GET', '/providers')
  assert.deepEqual([corsHeaders(headers), headers['vary']], [[], 'Origin'])
})

for (const path of others) {
  test(`${path} has no CORS headers`, async () => {
    for (const headers of [preflight(console), { origin: console }]) {
      const method = 'access-control-request-method' in headers ? 'OPTIONS' : 'GET'
      const answer = await open().request(method, path, { headers })
      assert.deepEqual(corsHeaders(answer.headers), [])
      assert.doesNotMatch(String(answer.headers['vary']), /origin/i)
    }
  })
}

for (const path of apis) {
  test(`without CORS_ORIGINS, ${path} has no CORS headers`, async () => {
    for (const [method, headers] of [
      ['OPTIONS', preflight(console)],
      ['GET', { origin: console }],
    ] as const) {
      const answer = await closed().request(method, path, { headers })
      assert.deepEqual(corsHeaders(answer.headers), [])
      assert.equal(answer.headers['vary'], undefined)
    }
  })
}
