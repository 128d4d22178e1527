import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SettingsError } from '../../src/app/settings.ts'
import { assertApiRefusal } from '../support/refusals.ts'
import { forEachEngine, forSuite, openTestDatabase, serviceForSuite, startTestService } from '../support/service.ts'

const keys = ['the-first-key-of-the-service', 'the-second-key-of-the-service']

forEachEngine((engine) => {
  const service = serviceForSuite(engine, { API_KEYS: keys.join(' , ') })
  const providersWith = (headers: Record<string, string>) =>
    service().request('GET', '/api/v1/directory-sync/providers', { headers })

  for (const key of keys) {
    test(`${key} opens the API`, async () => {
      assert.equal((await providersWith({ authorization: `Api-Key ${key}` })).status, 200)
    })
  }

  test('the name of the scheme may be in any letter case', async () => {
    assert.equal((await providersWith({ authorization: `api-key ${keys[0]}` })).status, 200)
  })

  for (const { because, headers } of [
    { because: 'there is no key', headers: {} },
    { because: 'the key is empty', headers: { authorization: 'Api-Key ' } },
    { because: 'the key is wrong', headers: { authorization: 'Api-Key the-third-key-of-the-service' } },
    { because: 'the key is longer', headers: { authorization: `Api-Key ${keys[0]}x` } },
    { because: 'the key is shorter', headers: { authorization: `Api-Key ${keys[0]?.slice(1)}` } },
    { because: 'it is all keys at once', headers: { authorization: `Api-Key ${keys.join(' , ')}` } },
    { because: 'the scheme is another', headers: { authorization: `Bearer ${keys[0]}` } },
    { because: 'there is no scheme', headers: { authorization: String(keys[0]) } },
    { because: 'the key is in another header', headers: { 'x-api-key': String(keys[0]) } },
  ]) {
    test(`the API stays closed when ${because}`, async () => {
      const answer = await providersWith(headers)
      assertApiRefusal(answer, 401)
      assert.equal(answer.headers['www-authenticate'], 'Api-Key')
    })
  }

  test('without a key nothing is told of what there is', async () => {
    const { id } = await service().createDirectory()
    for (const path of [`/${id}`, '/users', '/no/such/route', '/product', `/${id}/rotate-secret`]) {
      const answer = await service().request('GET', `/api/v1/directory-sync${path}`)
      assert([401, 404].includes(answer.status), answer.text)
      assert(!answer.text.includes(id))
    }
    assertApiRefusal(await service().request('DELETE', `/api/v1/dsync/${id}`), 401)
    assert.equal((await service().api('GET', `/${id}`)).status, 200)
  })

  test('a SCIM secret opens no API, and an API key no directory', async () => {
    const directory = await service().createDirectory()
    assertApiRefusal(await providersWith({ authorization: `Api-Key ${directory.scim.secret}` }), 401)
    const scim = { ...directory.scim, secret: String(keys[0]) }
    assert.equal((await service().scim({ scim }, 'GET', '/Users')).status, 401)
  })
})

const embedded = forSuite(() => openTestDatabase('sqlite'))

test('the key that is made at the first start of an embedded database is the same at the second', async () => {
  const first = await startTestService(embedded(), { API_KEYS: '' })
  assert.match(String(first.firstApiKey), /^rck_[\w-]{43}$/)
  assert.equal((await first.api('GET', '/providers')).status, 200)
  await first[Symbol.asyncDispose]()
  await using second = await startTestService(embedded(), { API_KEYS: '' })
  assert.equal(second.firstApiKey, first.firstApiKey)
  assert.equal((await second.api('GET', '/providers')).status, 200)
})

test('keys that are configured take the place of the one that was made', async () => {
  const { firstApiKey } = await startAndStop({ API_KEYS: '' })
  await using service = await startTestService(embedded())
  assert.equal(service.firstApiKey, undefined)
  const headers = { authorization: `Api-Key ${firstApiKey}` }
  assertApiRefusal(await service.api('GET', '/providers', undefined, headers), 401)
})

test('PostgreSQL asks for keys', async () => {
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
