import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachEngine, startTestService, testApiKey } from '../../support/service.ts'
import { stepsOn } from './differences.ts'
import { startHandler } from './handler.ts'

const rootToken = 'root-token-of-32-characters-0000'
const read = [
  ...['', '/product', '/users', '/groups', '/groups/x/members', '/events', '/setuplinks', '/setuplinks/product'],
  ...['/users/x', '/events/x', '/api/v1/stats'],
]
const removed = ['/x', '/events', '/setuplinks']
const written = [
  ...[['POST', ''] as const, ['PATCH', '/x'] as const, ['POST', '/setuplinks'] as const],
  ...[['PUT', '/cron/sync-google'] as const, ['POST', '/api/v1/stats/product'] as const],
]
const queries = [
  ...['tenant=a&tenant=b&product=c', 'tenant=a:b&product=c', 'directoryId=%00', 'tenant=%F0%9F%98%80&product=c'],
  ...['tenant=a&product=c&pageOffset=-1&pageLimit=1e99', 'tenant=a&product=c&pageLimit=NaN&pageOffset=Infinity'],
  ...['tenant=a&product=c&pageToken=x', 'tenant=a&product=c&pageToken=WzFlOTld', 'tenant=a&product=c&pageToken=Wy0xXQ'],
  ...['id=%00&__proto__=1', 'tenant[]=a&product[x]=c', 'pageLimit=5&pageLimit=6&tenant=a&product=c'],
]
const bodies: readonly (readonly [body: string, type: string])[] = [
  ...[
    '[]',
    'null',
    '7',
    '"text"',
    '{"tenant":[],"product":{}}',
    '{"tenant":"a","product":"c","webhook":7,"name":7}',
    '{',
  ].map((body) => [body, 'application/json'] as const),
  ['{"products":[null,7,"a","a"],"type":7}', 'application/json'],
  ['{"tenant":"a","product":"c","webhook_url":7,"webhook_secret":{},"expiryDays":"x","types":[1]}', 'application/json'],
  ...['__proto__=1&tenant=a', 'tenant=a&tenant=b&product=c', '%', '=&=', 'tenant=%00&product=c'].map(
    (body) => [body, 'application/x-www-form-urlencoded'] as const,
  ),
]

forEachEngine((engine) => {
  test('no input makes the answers of Polis fail', async () => {
    await using service = await startTestService(engine, { POLIS_COMPAT: 'true' })
    const send = (method: string, url: string, body?: readonly [string, string]) =>
      fetch(`${service.origin}${url.startsWith('/api/') ? url : `/api/v1/dsync${url}`}`, {
        method,
        headers: { authorization: `Basic ${testApiKey}`, ...(body === undefined ? {} : { 'content-type': body[1] }) },
        ...(body === undefined ? {} : { body: body[0] }),
      })
    const requests = [
      ...read.flatMap((path) => queries.map((query) => ['GET', `${path}?${query}`] as const)),
      ...removed.flatMap((path) => queries.map((query) => ['DELETE', `${path}?${query}`] as const)),
      ...written.flatMap(([method, path]) => bodies.map((body) => [method, path, body] as const)),
    ]
    for (let start = 0; start < requests.length; start += 40) {
      await Promise.all(
        requests.slice(start, start + 40).map(async ([method, url, body]) => {
          const response = await send(method, url, body)
          assert.ok(response.status < 500, `${method} ${url} ${body}: ${response.status} ${await response.text()}`)
        }),
      )
    }
    assert.deepEqual(
      service.log.filter(({ level }) => Number(level) >= 50),
      [],
    )
  })

  test('a key reads and changes nothing outside its scope, nor does a read-only key see secrets', async () => {
    await using handler = await startHandler()
    await using service = await startTestService(engine, { POLIS_COMPAT: 'true', ADMIN_ROOT_TOKEN: rootToken })
    const { call, directory, tenant, scope, endpoint } = stepsOn(service, handler)
    const made = await directory({ type: 'google', google_access_token: 'secret-token', ...endpoint })
    await call('POST', '/setuplinks', { tenant, product: 'crm', ...endpoint })
    const admin = await service.request('POST', '/auditlog/admin/v1/user/_login', {
      headers: { authorization: `token=${rootToken}` },
      body: { claims: { upstreamToken: rootToken, email: 'ann@b.example' } },
    })
    const { token } = admin.body as unknown as { readonly token: string }
    const keyWith = async (fields: object): Promise<Record<string, string>> => {
      const { body } = await service.request('POST', '/auditlog/admin/v1/apikey', {
        headers: { authorization: `Bearer ${token}` },
        body: { name: 'test', scope: fields },
      })
      return { authorization: `Api-Key ${(body as unknown as { data: { key: string } }).data.key}` }
    }
    const other = await keyWith({ tenant: 'other' })
    assert.equal((await call('GET', `/${made.id}`, undefined, other)).status, 404)
    assert.deepEqual((await call('DELETE', `/${made.id}`, undefined, other)).body, { data: {} })
    assert.equal((await call('GET', `/users?${scope}`, undefined, other)).status, 403)
    assert.equal((await call('GET', '/cron/process-events', undefined, other)).status, 403)
    assert.equal((await call('GET', '/api/v1/stats', undefined, other)).status, 403)
    assert.equal((await call('GET', `/${made.id}`)).status, 200, 'it is not deleted')

    const reader = await keyWith({ readOnly: true })
    for (const path of [
      `/${made.id}`,
      `/?${scope}`,
      '/product?product=crm',
      `/setuplinks?${scope}`,
      '/setuplinks/product?product=crm',
    ]) {
      const { status, body } = await call('GET', path, undefined, reader)
      assert.equal(status, 200, path)
      assert.doesNotMatch(JSON.stringify(body), /secret-token|plain secret|\/setup\/|oauth\/authorize/, path)
    }
    assert.equal((await call('GET', '/cron/sync-google', undefined, reader)).status, 403)
  })
})
