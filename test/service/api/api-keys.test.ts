import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SettingsError } from '../../../src/app/settings.ts'
import { assertApiError } from '../../support/errors.ts'
import { forEachEngine, forSuite, openTestDatabase, serviceForSuite, startTestService } from '../../support/service.ts'

const keys = ['the-first-key-of-the-service', 'the-second-key-of-the-service']

forEachEngine((engine) => {
  const service = serviceForSuite(engine, { API_KEYS: keys.join(' , ') })
  const providersWith = (headers: Record<string, string>) =>
    service().request('GET', '/api/v1/directory-sync/providers', { headers })

  for (const key of keys) {
    test(`${key} is accepted by the API`, async () => {
      assert.equal((await providersWith({ authorization: `Api-Key ${key}` })).status, 200)
    })
  }

  test('the scheme is case-insensitive', async () => {
    assert.equal((await providersWith({ authorization: `api-key ${keys[0]}` })).status, 200)
  })

  for (const { because, headers } of [
    { because: 'there is no key', headers: {} },
    { because: 'the key is empty', headers: { authorization: 'Api-Key ' } },
    { because: 'the key is wrong', headers: { authorization: 'Api-Key the-third-key-of-the-service' } },
    { because: 'the key is longer', headers: { authorization: `Api-Key ${keys[0]}x` } },
    { because: 'the key is shorter', headers: { authorization: `Api-Key ${keys[0]?.slice(1)}` } },
    { because: 'it contains all keys', headers: { authorization: `Api-Key ${keys.join(' , ')}` } },
    { because: 'the scheme is another', headers: { authorization: `Bearer ${keys[0]}` } },
    { because: 'there is no scheme', headers: { authorization: String(keys[0]) } },
    { because: 'the key is in another header', headers: { 'x-api-key': String(keys[0]) } },
  ]) {
    test(`the API responds with 401 when ${because}`, async () => {
      const response = await providersWith(headers)
      assertApiError(response, 401)
      assert.equal(response.headers['www-authenticate'], 'Api-Key')
    })
  }

  test('without a key the API does not reveal what exists', async () => {
    const { id } = await service().createDirectory()
    for (const path of [`/${id}`, '/users', '/no/such/route', '/product', `/${id}/rotate-secret`]) {
      const response = await service().request('GET', `/api/v1/directory-sync${path}`)
      assert([401, 404].includes(response.status), response.text)
      assert(!response.text.includes(id))
    }
    assertApiError(await service().request('DELETE', `/api/v1/dsync/${id}`), 401)
    assert.equal((await service().api('GET', `/${id}`)).status, 200)
  })

  test('a SCIM secret is not accepted by the API, nor an API key by SCIM', async () => {
    const directory = await service().createDirectory()
    assertApiError(await providersWith({ authorization: `Api-Key ${directory.scim.secret}` }), 401)
    const scim = { ...directory.scim, secret: String(keys[0]) }
    assert.equal((await service().scim({ scim }, 'GET', '/Users')).status, 401)
  })
})

const embedded = forSuite(() => openTestDatabase('sqlite'))

test('the key generated at the first start with an embedded database is kept', async () => {
  const first = await startTestService(embedded(), { API_KEYS: '' })
  assert.match(String(first.firstApiKey), /^rck_[\w-]{43}$/)
  assert.equal((await first.api('GET', '/providers')).status, 200)
  await first[Symbol.asyncDispose]()
  await using second = await startTestService(embedded(), { API_KEYS: '' })
  assert.equal(second.firstApiKey, first.firstApiKey)
  assert.equal((await second.api('GET', '/providers')).status, 200)
})

test('configured keys replace the generated one', async () => {
  const { firstApiKey } = await startAndStop({ API_KEYS: '' })
  await using service = await startTestService(embedded())
  assert.equal(service.firstApiKey, undefined)
  const headers = { authorization: `Api-Key ${firstApiKey}` }
  assertApiError(await service.api('GET', '/providers', undefined, headers), 401)
})

test('PostgreSQL requires configured keys', async () => {
  const settings = { DATABASE_URL: 'postgres://localhost/rollcall', API_KEYS: '', ENCRYPTION_KEY: 'a'.repeat(64) }
  await assert.rejects(startTestService(embedded(), settings), (error) => {
    assert(error instanceof SettingsError)
    assert.deepEqual(error.problems.length, 1)
    assert.match(error.message, /^API_KEYS must be set/)
    return true
  })
})

async function startAndStop(settings: Record<string, string>) {
  await using service = await startTestService(embedded(), settings)
  return { firstApiKey: service.firstApiKey }
}
