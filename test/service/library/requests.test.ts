import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { RollcallOptions } from '../../../src/index.ts'
import { createRollcall } from '../../../src/index.ts'

interface Body {
  readonly id: string
  readonly status: string
  readonly totalResults: number
  readonly schemas: readonly string[]
}

/** The library on a new database with a directory; `send` calls `requests.handle` for it. */
async function openDirectory() {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-requests-'))
  const databaseUrl = `sqlite:${join(folder, 'rollcall.db')}`
  const rollcall = await createRollcall({ databaseUrl, externalUrl: 'https://app.example.com' })
  const { data } = await rollcall.directories.create({ tenant: 'acme', product: 'crm' })
  assert(data !== null)
  const { id: directoryId, scim } = data
  const events: string[] = []
  /** Sends a request as the route in docs/library.md does: all of it comes from the path and the headers. */
  async function send(method: string, resourceType: string, resourceId?: string, more: Record<string, unknown> = {}) {
    const request = { method, resourceType, resourceId, directoryId, apiSecret: scim.secret, ...more }
    const response = await rollcall.requests.handle(request, async ({ event }) => {
      events.push(event)
    })
    return { ...response, data: response.data as Body }
  }
  return {
    send,
    events,
    endpoint: scim.endpoint,
    async [Symbol.asyncDispose]() {
      await rollcall.close()
      await rm(folder, { recursive: true })
    },
  }
}

test('a POST with an empty resourceId creates a user; the response has ETag and Location', async () => {
  await using directory = await openDirectory()
  const { status, headers, data } = await directory.send('post', 'Users', '', { body: { userName: 'ann' } })
  const location = `${directory.endpoint}/Users/${data.id}`
  assert.equal(status, 201)
  assert.deepEqual(headers, {
    etag: 'W/"1"',
    location,
    'content-location': location,
    'content-type': 'application/scim+json',
  })
  assert.deepEqual(directory.events, ['user.created'])
})

test('methods are accepted in any letter case, HEAD is a GET without a body, OPTIONS only names the methods', async () => {
  await using directory = await openDirectory()
  const { data } = await directory.send('POST', 'users', undefined, { body: { userName: 'ann' } })
  const head = await directory.send('head', 'USERS', data.id)
  assert.deepEqual([head.status, head.data, head.headers['etag']], [200, null, 'W/"1"'])
  for (const [type, id, allow] of [
    ['users', '', 'GET, POST'],
    ['Groups', 'some-id', 'GET, PUT, PATCH, DELETE'],
    ['users', '.search', 'POST'],
    ['Schemas', '', 'GET'],
  ] as const) {
    const options = await directory.send('Options', type, id, { body: { userName: 'made by OPTIONS' } })
    assert.deepEqual([options.status, options.data, options.headers], [204, null, { allow }])
    const trace = await directory.send('TRACE', type, id, { body: { userName: 'made by TRACE' } })
    assert.deepEqual([trace.status, trace.data.status, trace.headers['allow']], [405, '405', allow])
  }
  assert.equal((await directory.send('delete', 'users', data.id)).status, 204)
  assert.deepEqual(directory.events, ['user.created', 'user.deleted'])
})

test('unknown resource types are 404, after the secret has been checked', async () => {
  await using directory = await openDirectory()
  for (const type of ['devices', 'constructor', '__proto__', 'user']) {
    const { status, data, headers } = await directory.send('POST', type, '', { body: { userName: 'ann' } })
    assert.deepEqual([status, data.status, headers['content-type']], [404, '404', 'application/scim+json'])
    const stranger = await directory.send('POST', type, '', { apiSecret: 'wrong' })
    assert.equal(stranger.status, 401)
    assert.match(stranger.headers['www-authenticate'] ?? '', /^Bearer realm="SCIM", error="invalid_token", /)
  }
  for (const type of ['Me', 'Bulk']) assert.equal((await directory.send('POST', type)).status, 501)
  assert.deepEqual(directory.events, [])
})

test('searches, the root and the discovery endpoints respond as over HTTP', async () => {
  await using directory = await openDirectory()
  await directory.send('POST', 'users', '', { body: { userName: 'ann' } })
  const search = { body: { filter: 'userName eq "ANN"' } }
  assert.equal((await directory.send('POST', 'users', '.search', search)).data.totalResults, 1)
  assert.equal((await directory.send('POST', '.search', '', search)).data.totalResults, 1)
  assert.equal((await directory.send('GET', '')).data.totalResults, 1)
  assert.equal((await directory.send('GET', 'ResourceTypes')).data.totalResults, 2)
  assert.equal((await directory.send('GET', 'resourcetypes', 'Group')).data.id, 'Group')
  const urn = 'urn:ietf:params:scim:schemas:core:2.0:User'
  assert.equal((await directory.send('GET', 'Schemas', urn)).data.id, urn)
  assert.equal((await directory.send('GET', 'Schemas', 'urn:nothing')).status, 404)
  assert.equal((await directory.send('GET', 'Schemas', '', { query: { filter: 'id pr' } })).status, 403)
  const { data } = await directory.send('GET', 'ServiceProviderConfig')
  assert.deepEqual(data.schemas, ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'])
})

test('conditions are respected, and a failed one is 412', async () => {
  await using directory = await openDirectory()
  const { data } = await directory.send('POST', 'users', '', { body: { userName: 'ann' } })
  const body = { userName: 'anna' }
  assert.equal((await directory.send('PUT', 'users', data.id, { body, ifNoneMatch: '*' })).status, 412)
  assert.equal((await directory.send('PUT', 'users', data.id, { body, ifMatch: 'W/"7"' })).status, 412)
  assert.equal((await directory.send('PUT', 'users', data.id, { body, ifMatch: 'W/"1"' })).headers['etag'], 'W/"2"')
})

for (const options of [
  undefined,
  null,
  {},
  { externalUrl: '' },
  { externalUrl: 7 },
  { externalUrl: 'app.example.com' },
]) {
  test(`createRollcall(${JSON.stringify(options)}) says that it needs externalUrl`, async () => {
    await assert.rejects(createRollcall(options as unknown as RollcallOptions), {
      message:
        'createRollcall needs externalUrl, the public address of your SCIM routes, such as https://app.example.com.',
    })
  })
}

for (const [what, body] of [
  ['text', '{"userName":"ann"}'],
  ['bytes', Buffer.from('{"userName":"ann"}')],
  ['bytes of Latin-1', Buffer.from('{"userName":"jörg"}', 'latin1')],
  ['an array of bytes', new Uint8Array([123, 125])],
] as const) {
  test(`a body that is ${what} is 400: the product parses it`, async () => {
    await using directory = await openDirectory()
    for (const [method, id] of [
      ['POST', undefined],
      ['PUT', 'some-id'],
      ['PATCH', 'some-id'],
      ['POST', '.search'],
    ] as const) {
      const { status, data } = await directory.send(method, 'Users', id, { body })
      assert.equal(status, 400, `${method} ${JSON.stringify(data)}`)
      assert.equal(Object(data).scimType, 'invalidSyntax', JSON.stringify(data))
    }
    assert.deepEqual(directory.events, [])
  })
}

test('half of a surrogate pair is 400 wherever it is, because no database could store it', async () => {
  await using directory = await openDirectory()
  const { data: user } = await directory.send('POST', 'Users', undefined, { body: { userName: 'ann' } })
  const { data: group } = await directory.send('POST', 'Groups', undefined, { body: { displayName: 'Cooks' } })
  const half = 'a\ud800'
  const replace = (path: string) => ({ Operations: [{ op: 'replace', path, value: half }] })
  for (const [method, type, id, body] of [
    ['POST', 'Users', undefined, { userName: half }],
    ['POST', 'Users', undefined, { userName: 'bob', emails: [{ value: half }] }],
    ['POST', 'Users', undefined, { userName: 'bob', [half]: 'x' }],
    ['PUT', 'Users', user.id, { userName: 'ann', externalId: half }],
    ['PATCH', 'Users', user.id, replace('name.givenName')],
    ['POST', 'Groups', undefined, { displayName: half }],
    ['PUT', 'Groups', group.id, { displayName: half }],
    ['PATCH', 'Groups', group.id, replace('displayName')],
    ['PATCH', 'Groups', group.id, replace('externalId')],
  ] as const) {
    const { status, data } = await directory.send(method, type, id, { body })
    assert.equal(status, 400, `${method} ${type} ${JSON.stringify(body)} ${JSON.stringify(data)}`)
  }
  assert.deepEqual(directory.events, ['user.created', 'group.created'])
})
