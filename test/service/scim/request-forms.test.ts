import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiPrefix } from '../../support/client.ts'
import { assertApiError, assertScimError } from '../../support/errors.ts'
import { forEachEngine, forSuite, startTestService, testApiKey } from '../../support/service.ts'

const rootToken = 'root-token-of-32-characters-0000'

forEachEngine((engine) => {
  const opened = forSuite(async () => {
    const service = await startTestService(engine, { ADMIN_ROOT_TOKEN: rootToken })
    const directory = await service.createDirectory()
    const scim = `/api/scim/v2.0/${directory.id}`
    const authorization = `Bearer ${directory.scim.secret}`
    const create = async (userName: string) => (await service.scim(directory, 'POST', '/Users', { userName })).body.id
    return {
      ...{ service, directory, scim, authorization, create, ann: await create('ann+it@example.com') },
      [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
    }
  })

  for (const path of ['//Users', '/Users//', '//Users//?count=1', '///Users', '//ServiceProviderConfig', '//Schemas']) {
    test(`a SCIM path with doubled slashes is as one with single slashes: ${path}`, async () => {
      const { service, scim, authorization } = opened()
      const { status, text } = await service.request('GET', scim + path, { headers: { authorization } })
      assert.equal(status, 200, text)
    })
  }

  test('doubled slashes before and within the base URL of a directory count as one', async () => {
    const { service, scim, authorization, ann } = opened()
    for (const base of [`/${scim}`, scim.replaceAll('/', '//'), scim.replace('/v2.0', '//v2.0')]) {
      const answer = await service.request('GET', `${base}//Users//${ann}`, { headers: { authorization } })
      assert.equal(answer.body.id, ann, answer.text)
      assert.match(answer.body.meta.location, new RegExp(`[^/]${scim}/Users/${ann}$`))
    }
  })

  test('doubled slashes in the path of a bulk operation count as one', async () => {
    const { service, directory, create } = opened()
    const id = await create('bulk')
    const Operations = [
      { method: 'PATCH', path: `//Users//${id}`, data: { Operations: [{ op: 'add', value: { title: 'Cook' } }] } },
      { method: 'DELETE', path: `/Users///${id}/` },
    ]
    const { text } = await service.scim(directory, 'POST', '/Bulk', { Operations })
    const statuses = JSON.parse(text).Operations.map(({ status }: { readonly status: string }) => status)
    assert.deepEqual(statuses, ['200', '204'])
  })

  test('the request log has the path with single slashes, and the request is found by its id', async () => {
    const { service, directory, scim, authorization } = opened()
    const answer = await service.request('POST', `/${scim}//Users`, { headers: { authorization }, body: {} })
    assertScimError(answer, 400, 'invalidValue')
    const id = String(answer.headers['x-request-id'])
    const { body } = await service.api('GET', `/${directory.id}/requests?status=400`)
    const [first] = body.data as unknown as readonly { readonly id: string; readonly path: string }[]
    assert.deepEqual([first?.id, first?.path], [id, '/Users'])
  })

  for (const [path, status] of [
    [`/${apiPrefix}//users?tenant=acme&product=crm`, 200],
    ['//api//v1//dsync?tenant=acme&product=crm', 200],
    ['//healthz', 200],
    ['//readyz', 200],
    ['//openapi.json', 200],
    ['//console//session', 200],
    ['//.well-known//rollcall-receipts', 404],
    ['//example.com/console', 404],
  ] as const) {
    test(`GET ${path} is ${status}`, async () => {
      const headers = { authorization: `Api-Key ${testApiKey}` }
      assert.equal((await opened().service.request('GET', path, { headers })).status, status)
    })
  }

  for (const path of ['//setup//no-such-token', '/setup//no-such-token']) {
    test(`${path} is a link that does not work`, async () => {
      const { status, headers } = await opened().service.request('GET', path)
      assert.deepEqual([status, headers['content-type']], [404, 'text/html; charset=utf-8'])
    })
  }

  test('slashes in a query stay as they are, and so do encoded ones in a path', async () => {
    const { service, directory, create } = opened()
    const id = await create('https://people.example/ann')
    const found = await service.scim(
      directory,
      'GET',
      '/Users?filter=userName eq "https://people.example/ann"'.replaceAll(' ', '%20').replaceAll('"', '%22'),
    )
    assert.deepEqual(
      found.body.Resources.map((user) => user.id),
      [id],
    )
    assertScimError(await service.scim(directory, 'GET', `/Users%2F%2F${id}`), 404)
  })

  for (const filter of [
    'userName%20eq%20%22ann+it@example.com%22',
    'userName%20eq%20%22ann%2Bit@example.com%22',
    'userName+eq+%22ann%2Bit@example.com%22',
    'userName%20eq%20%22ann+it@example.com%22%20and%20meta.created%20gt%20%222020-01-01T00:00:00+02:00%22',
  ]) {
    test(`finds a userName with a plus: ${filter}`, async () => {
      const { service, directory, ann } = opened()
      const { body, text } = await service.scim(directory, 'GET', `/Users?filter=${filter}`)
      assert.deepEqual([body.totalResults, body.Resources?.[0]?.id], [1, ann], text)
    })
  }

  test('a date with a plus beside %20 is a date of the API', async () => {
    const { service } = opened()
    const query = 'tenant=acme&product=crm&search=no%20body&updated_since=2020-01-01T00:00:00+02:00'
    assert.equal((await service.api('GET', `/users?${query}`)).status, 200)
  })

  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'nonsense', ' ']) {
    test(`a DELETE and a GET without a body may have the Content-Type ${JSON.stringify(type)}`, async () => {
      const { service, directory, create } = opened()
      const id = await create(`gone-${type.trim()}`)
      const headers = { 'content-type': type }
      assert.equal((await service.scim(directory, 'GET', `/Users/${id}`, undefined, headers)).status, 200)
      const gone = await service.scim(directory, 'DELETE', `/Users/${id}`, undefined, headers)
      assert.deepEqual([gone.status, gone.text], [204, ''])
      const { id: other } = await service.createDirectory({ tenant: 'other' })
      assert.equal((await service.api('DELETE', `/${other}`, undefined, headers)).status, 200)
      assertApiError(await service.api('DELETE', '/no-such-id', '', headers), 404)
    })
  }

  for (const path of ['/ServiceProviderConfig', '/Schemas', '/ResourceTypes', '/Schemas/some', '/ResourceTypes/User']) {
    test(`${path} only supports GET, whatever the body`, async () => {
      const { service, directory } = opened()
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        for (const headers of [{}, { 'content-type': 'text/plain' }, { 'content-encoding': 'gzip' }]) {
          const answer = await service.scim(directory, method, path, 'no JSON \xff', headers)
          assertScimError(answer, 405)
          assert.equal(answer.headers['allow'], 'GET')
        }
      }
    })
  }

  test('a body that is not JSON does not hide that a method or an address does not exist', async () => {
    const { service, directory } = opened()
    assertScimError(await service.scim(directory, 'PATCH', '/Users', '{'), 405)
    assertScimError(await service.scim(directory, 'POST', '/Me', '{'), 501)
    assertScimError(await service.scim(directory, 'POST', '/Nowhere', '{'), 404)
    assertApiError(await service.api('POST', '/users', '{'), 405)
    assertApiError(await service.api('POST', '/no/such/url', '{'), 404)
    assertApiError(await service.request('POST', '/nowhere', { body: '{' }), 404)
    assertScimError(await service.request('POST', `/api/scim/v2.0/${directory.id}/Schemas`, { body: '{' }), 401)
  })
})
