import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiKeyView } from '../../../src/admin/keys/managed-keys.ts'
import { assertApiError } from '../../support/errors.ts'
import { forEachEngine, serviceForSuite, startTestService } from '../../support/service.ts'
import { adminSettings, dataOf, login, makeKey, sharedAdmin } from './support/admin.ts'

const dayMs = 24 * 3_600_000

forEachEngine((engine) => {
  const service = serviceForSuite(engine, adminSettings)
  const somebody = sharedAdmin(service)
  const providersWith = (key: string) =>
    service().request('GET', '/api/v1/directory-sync/providers', { headers: { authorization: `Api-Key ${key}` } })

  test('a key is returned once and authorizes API calls; the list only has its prefix', async () => {
    const { admin } = await somebody()
    const expiresAt = new Date(Date.now() + dayMs).toISOString()
    const given = { name: 'of the CRM', scope: { product: 'crm', readOnly: true }, expires_at: expiresAt }
    const made = await admin('POST', '/apikey', given)
    assert.equal(made.status, 201)
    const { key, ...shown } = dataOf<ApiKeyView & { key: string }>(made)
    assert.match(key, /^rck_[\w-]{43}$/)
    assert.deepEqual(shown, {
      id: shown.id,
      name: 'of the CRM',
      prefix: key.slice(0, 12),
      scope: { tenant: null, product: 'crm', readOnly: true },
      created_at: shown.created_at,
      expires_at: expiresAt,
      last_used_at: null,
    })
    const listed = await admin('GET', '/apikey?pageLimit=1000')
    assert.deepEqual(
      dataOf<ApiKeyView[]>(listed).find(({ id }) => id === shown.id),
      shown,
    )
    assert(!listed.text.includes(key))
    assert.equal((await providersWith(key)).status, 200)
  })

  test('a read-only key cannot read secrets, which would allow writing', async () => {
    const { key } = await makeKey(await somebody(), 'reader', { readOnly: true })
    const webhook = { webhook_url: 'https://app.example.com/events', webhook_secret: `whsec_${'A'.repeat(32)}` }
    const pushed = await service().createDirectory({ tenant: 'readers', ...webhook })
    const tokens = { extdir_access_token: 'access-secret', extdir_refresh_token: 'refresh-secret' }
    const pulled = await service().createDirectory({ tenant: 'readers', type: 'extdir', ...tokens })
    const secrets = [pushed.scim.secret, webhook.webhook_secret, ...Object.values(tokens)]
    const read = async (path: string, headers?: Record<string, string>) =>
      (await service().api('GET', path, undefined, headers)).text
    const paths = [
      `/${pushed.id}`,
      `/${pulled.id}`,
      '?tenant=readers&product=crm',
      '/product?product=crm&pageLimit=1000',
    ]
    const asReader = await Promise.all(paths.map((path) => read(path, { authorization: `Api-Key ${key}` })))
    for (const text of asReader) for (const secret of secrets) assert(!text.includes(secret), text)
    const asOwner = (await Promise.all(paths.map((path) => read(path)))).join()
    for (const secret of secrets) assert(asOwner.includes(secret))
  })

  test('a deleted key is rejected immediately', async () => {
    const owner = await somebody()
    const { key, id } = await makeKey(owner, 'short-lived')
    assert.equal((await providersWith(key)).status, 200)
    assert.deepEqual(dataOf(await owner.admin('DELETE', `/apikey/${id}`)), {})
    assertApiError(await providersWith(key), 401)
    assertApiError(await owner.admin('DELETE', `/apikey/${id}`), 404)
  })

  test('an API key cannot manage API keys', async () => {
    const { key } = await makeKey(await somebody(), 'ambitious')
    const headers = { authorization: `Api-Key ${key}` }
    for (const method of ['GET', 'POST']) {
      assertApiError(await service().request(method, '/auditlog/admin/v1/apikey', { headers }), 401)
    }
  })
})

const service = serviceForSuite('sqlite', adminSettings)
const somebody = sharedAdmin(service)

for (const [body, field] of [
  [{}, 'name'],
  [{ name: '' }, 'name'],
  [{ name: 'a\nb' }, 'name'],
  [{ name: 'x'.repeat(201) }, 'name'],
  [{ name: 'a', scope: { tennant: 'acme' } }, 'scope'],
  [{ name: 'a', scope: { tenant: 'a:b' } }, 'scope'],
  [{ name: 'a', scope: [] }, 'scope'],
  [{ name: 'a', expires_at: 'tomorrow' }, 'expires_at'],
  [{ name: 'a', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
] as const) {
  test(`a key of ${JSON.stringify(body).slice(0, 60)} is rejected and the field is named`, async () => {
    const { admin } = await somebody()
    const response = await admin('POST', '/apikey', body)
    assertApiError(response, 400)
    assert.match(String(response.body.error.problems?.[0]?.field), new RegExp(`^${field}`))
  })
}

test('encryption keys are rotated while the service runs, and the old ones are no longer needed', async () => {
  const [older, newer] = ['a'.repeat(64), 'b'.repeat(64)]
  await using first = await startTestService('sqlite', { ...adminSettings, ENCRYPTION_KEY: older })
  const directory = await first.createDirectory()
  await first.close()
  {
    await using both = await startTestService(first.database, {
      ...adminSettings,
      ENCRYPTION_KEY: `${newer},${older}`,
    })
    const { admin } = await login(both)
    const { resealed } = dataOf<{ resealed: number }>(await admin('POST', '/rotate-keys'))
    assert(resealed >= 1)
    assert.deepEqual(dataOf(await admin('POST', '/rotate-keys')), { resealed: 0 })
  }
  await using last = await startTestService(first.database, { ...adminSettings, ENCRYPTION_KEY: newer })
  assert.equal((await last.api('GET', `/${directory.id}`)).body.data.scim.secret, directory.scim.secret)
})
