import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMigrations } from '../../../src/store/migrations.ts'
import { version } from '../../../src/version.ts'
import { assertApiError, assertScimError } from '../../support/errors.ts'
import { forEachEngine, forSuite, openTestDatabase, serviceForSuite, startTestService } from '../../support/service.ts'

const fixedHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
}
const noContent = "default-src 'none'; frame-ancestors 'none'"

/** Pages have their own policy. */
const isDocument = (path: string) => path.startsWith('/openapi') || path === '/docs'
const isPage = (path: string) => path.startsWith('/docs') || path.startsWith('/api/scim/oauth/')

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  test('health and readiness routes respond', async () => {
    const alive = await service().request('GET', '/healthz')
    assert.deepEqual([alive.status, alive.text], [200, '{"status":"ok"}'])
    const ready = await service().request('GET', '/readyz')
    assert.deepEqual([ready.status, ready.text], [200, '{"status":"ready"}'])
  })

  test('the root leads to the API reference', async () => {
    const { status, headers, text } = await service().request('GET', '/')
    assert.deepEqual([status, headers['location'], text], [302, '/docs', 'The API reference is at /docs.\n'])
  })

  test('the metrics count requests by route, not by URL', async () => {
    const directory = await service().createDirectory()
    await service().scim(directory, 'GET', '/Users/nobody-knows')
    const { status, text, headers } = await service().request('GET', '/metrics')
    assert.equal(status, 200)
    assert.match(String(headers['content-type']), /^text\/plain/)
    const route = '/api/scim/v2.0/:directoryId/Users/:id'
    assert(text.includes(`rollcall_http_request_seconds_count{method="GET",route="${route}",status="404"} 1`), text)
    assert(!text.includes('nobody-knows') && !text.includes(directory.id))
  })
})

const service = serviceForSuite('sqlite', { ADMIN_ROOT_TOKEN: 'root-token-of-a-test-0123456789abcdef' })

for (const path of [
  '/healthz',
  '/no/such/page',
  '/openapi.json',
  '/openapi-product.json',
  '/docs',
  '/api/v1/dsync/providers',
  '/api/scim/v2.0/a/Users',
  '/api/scim/oauth/callback',
  '/auditlog/admin/v1/user/me',
  '/%E0%A4%A',
  `/api/v1/dsync/${'x'.repeat(700)}`,
]) {
  test(`the response of ${path.slice(0, 40)} has security headers and a request id`, async () => {
    const { headers } = await service().request('GET', path)
    const expected = isDocument(path) ? { ...fixedHeaders, 'cache-control': 'no-cache' } : fixedHeaders
    for (const [name, value] of Object.entries(expected)) assert.equal(headers[name], value, name)
    const policy = String(headers['content-security-policy'])
    if (isPage(path)) assert.match(policy, /frame-ancestors 'none'/)
    else assert.equal(policy, noContent)
    assert.equal(headers['strict-transport-security'], undefined, 'http is all that is known')
    assert.equal(headers['access-control-allow-origin'], undefined)
    assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/)
    assert.equal(headers['server'] ?? headers['x-powered-by'], undefined)
  })
}

test('an https service sends Strict-Transport-Security', async () => {
  await using external = await startTestService('sqlite', { EXTERNAL_URL: 'https://sync.acme.example' })
  for (const path of ['/healthz', '/docs/', '/no/such/page', '/%E0%A4%A']) {
    const { headers } = await external.request('GET', path)
    assert.equal(headers['strict-transport-security'], 'max-age=31536000', path)
  }
})

test('every request gets a new id, even if it sends one', async () => {
  const headers = { 'x-request-id': 'mine', 'request-id': 'mine' }
  const [first, second] = [
    await service().request('GET', '/healthz', { headers }),
    await service().request('GET', '/healthz', { headers }),
  ]
  assert.notEqual(first.headers['x-request-id'], 'mine')
  assert.notEqual(first.headers['x-request-id'], second.headers['x-request-id'])
})

test('an unknown URL gets an error in the format of its API', async () => {
  assertApiError(await service().request('GET', '/no/such/page'), 404)
  assertApiError(await service().api('GET', '/no/such/page'), 404)
  assertScimError(await service().scim(await service().createDirectory(), 'GET', '/NoSuchThing'), 404)
  assertScimError(await service().request('GET', '/api/scim/v2.0/%E0%A4%A/Users'), 400, 'invalidSyntax')
})

interface Description {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly securitySchemes: Readonly<Record<string, unknown>> }
}

interface Operation {
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: object
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> }
  readonly responses: Readonly<Record<string, { readonly description: string } | { readonly $ref: string }>>
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
}

const description = async () => JSON.parse((await service().request('GET', '/openapi.json')).text) as Description

test('the OpenAPI description is complete and version 3.1', async () => {
  const { openapi, info, paths, components } = await description()
  assert.equal(openapi, '3.1.0')
  assert.deepEqual([info.title, info.version], ['Rollcall', version])
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const { summary, tags, parameters = [], responses, security = [] } = operation
      const where = `${method} ${path}`
      assert(summary.length > 0 && tags.length > 0, `${where} says what it does`)
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const declared = parameters.filter((one) => one.in === 'path').map(({ name, required }) => required && name)
      assert.deepEqual(declared.sort(), inPath.sort(), `${where} declares the parameters of its path`)
      assert(Object.keys(responses).length > 0, `${where} has responses`)
      for (const [status, response] of Object.entries(responses)) {
        assert.match(status, /^([1-5](\d\d|XX)|default)$/, where)
        const text = '$ref' in response ? response.$ref : response.description
        assert(text.length > 0, `${where} ${status}`)
      }
      for (const scheme of security.flatMap((one) => Object.keys(one))) {
        assert(Object.hasOwn(components.securitySchemes, scheme), `${where} names an existing scheme`)
      }
      const isConsent = path.startsWith('/api/scim/oauth/') && path !== '/api/scim/oauth/token'
      const needsKey = /^\/(api|auditlog)\//.test(path) && !isConsent
      assert.equal(security.length > 0, needsKey, `${where} is open to those only who may use it`)
    }
  }
})

test('every reference in the OpenAPI description resolves', async () => {
  const { text } = await service().request('GET', '/openapi.json')
  const whole: unknown = JSON.parse(text)
  for (const [, pointer = ''] of text.matchAll(/"\$ref":"#([^"]+)"/g)) {
    const found = pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((at, name) => (at === null ? undefined : Reflect.get(Object(at), name)), whole)
    assert(found !== undefined, pointer)
  }
})

test('the documentation page only loads from this service', async () => {
  const { status, text, headers } = await service().request('GET', '/docs/')
  assert.equal(status, 200)
  assert.match(String(headers['content-type']), /^text\/html/)
  assert(text.includes('/openapi.json'))
  assert.match(String(headers['content-security-policy']), /default-src 'self'/)
  const scripts = [...text.matchAll(/<script[^>]+src="([^"]+)"/g)].map(([, source = '']) => source)
  assert(scripts.length > 0)
  for (const source of scripts) {
    const { pathname } = new URL(source, `${service().origin}/docs/`)
    assert.equal((await service().request('GET', pathname)).status, 200, pathname)
  }
})

test('the documentation page has an icon, and files that browsers keep', async () => {
  const { text } = await service().request('GET', '/docs')
  const [icon = '', script = ''] = [/ href="([^"]+\.svg)"/, / src="([^"]+)"/].map((link) => link.exec(text)?.[1])
  for (const [file, type] of [
    [icon, /^image\/svg\+xml/],
    [script, /^application\/javascript/],
  ] as const) {
    const { status, headers } = await service().request('GET', file, { headers: { 'accept-encoding': 'gzip' } })
    assert.equal(status, 200, file)
    assert.match(String(headers['content-type']), type)
    assert.match(String(headers['cache-control']), /max-age=31536000, immutable/)
  }
})

for (const path of ['/docs', '/openapi.json', '/openapi-product.json']) {
  test(`${path} is compressed for clients that accept it, and not sent again to those that have it`, async () => {
    const whole = await service().request('GET', path)
    assert.equal(whole.headers['content-encoding'], undefined)
    const compressed = await service().request('GET', path, { headers: { 'accept-encoding': 'br, gzip' } })
    assert.equal(compressed.headers['content-encoding'], 'gzip')
    assert(Number(compressed.headers['content-length']) < Number(whole.headers['content-length']) * 0.6)
    const { etag } = compressed.headers
    assert.equal(etag, whole.headers['etag'])
    const known = await service().request('GET', path, { headers: { 'if-none-match': `"other", ${etag}` } })
    assert.deepEqual([known.status, known.text], [304, ''])
  })
}

test('the documentation is also served without the trailing slash', async () => {
  const { status, headers } = await service().request('GET', '/docs')
  const location = String(headers['location'] ?? '/docs/')
  assert(
    status === 200 || (status >= 300 && status < 400 && /^(\/docs)?\/$|docs\/$/.test(location)),
    `${status} ${location}`,
  )
})

test('returned URLs begin with EXTERNAL_URL', async () => {
  await using external = await startTestService('sqlite', { EXTERNAL_URL: 'https://sync.acme.example/rollcall/' })
  const directory = await external.createDirectory()
  assert.equal(directory.scim.endpoint, `https://sync.acme.example/rollcall/api/scim/v2.0/${directory.id}`)
  const { headers, body } = await external.scim(directory, 'POST', '/Users', { userName: 'a' })
  assert.equal(headers['location'], `${directory.scim.endpoint}/Users/${body.id}`)
  assert.equal(body.meta.location, headers['location'])
})

test('a port in use is reported in a sentence', async () => {
  const PORT = new URL(service().origin).port
  await assert.rejects(startTestService('sqlite', { PORT }), {
    message: `Port ${PORT} is in use: stop the other process, or set PORT to another port.`,
  })
})

test('a second service on the same file is reported in a sentence', async () => {
  await assert.rejects(startTestService(service().database), /is in use by another Rollcall process/)
})

const database = forSuite(() => openTestDatabase('sqlite'))

test('a database of a newer version is reported in a sentence', async () => {
  await (await startTestService(database()))[Symbol.asyncDispose]()
  const { DatabaseSync } = await import('node:sqlite')
  const file = (database().env['DATABASE_URL'] ?? '').replace('sqlite:', '')
  const known = readMigrations('sqlite').length
  const db = new DatabaseSync(file)
  db.exec(`pragma user_version = ${known + 1}`)
  db.close()
  await assert.rejects(startTestService(database()), /newer Rollcall/)
})

forEachEngine((engine) => {
  if (engine === 'sqlite') return

  test('an unreachable database causes 503 with Retry-After', async () => {
    const own = await openTestDatabase(engine)
    await using lost = await startTestService(own)
    const directory = await lost.createDirectory()
    await own[Symbol.asyncDispose]()
    const ready = await lost.request('GET', '/readyz')
    assert.equal(ready.status, 503)
    const read = await lost.api('GET', `/${directory.id}`)
    assertApiError(read, 503)
    assert.match(String(read.headers['retry-after']), /^\d+$/)
    const write = await lost.scim(directory, 'POST', '/Users', { userName: 'a' })
    assertScimError(write, 503)
    assert.match(String(write.headers['retry-after']), /^\d+$/)
    assert.equal((await lost.request('GET', '/healthz')).status, 200)
  })
})
