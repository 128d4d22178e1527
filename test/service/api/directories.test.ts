import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { providers } from '../../../src/directory/provider.ts'
import { assertApiError, assertScimError } from '../../support/errors.ts'
import { keyFile } from '../../support/key-file.ts'
import { forEachEngine, serviceForSuite, startTestService } from '../../support/service.ts'
import { storedText } from '../../support/stored-text.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

forEachEngine((engine) => {
  const service = serviceForSuite(engine)
  const create = (fields: Record<string, unknown>) => service().createDirectory(fields)

  test('a directory is created with only a tenant and product', async () => {
    const { status, body } = await service().api('POST', '', { tenant: 'acme', product: 'crm' })
    assert.equal(status, 201)
    assert.equal(body.error, null)
    const { id, scim, ...rest } = body.data
    assert.match(id, uuid)
    assert.deepEqual(rest, {
      name: 'scim-acme-crm',
      tenant: 'acme',
      product: 'crm',
      type: 'generic-scim-v2',
      log_webhook_events: false,
      log_scim_requests: false,
      unique_group_names: false,
      scim_auth: 'any',
      scim_profile: 'tolerant',
      adoption: 'off',
      deactivated: false,
      removal_limit: { percent: 100, minimum: 20, window_seconds: 3600 },
      allowed_domains: [],
      outside_domains: 'flag',
      webhook: { endpoint: '', secret: '', headers: [] },
    })
    const { secret, ...addresses } = scim
    const path = `/api/scim/v2.0/${id}`
    assert.deepEqual(addresses, { path, endpoint: `${service().baseUrl}${path}` })
    assert.match(secret, /^[\w-]{43}$/)
  })

  test('a directory is created with all optional fields', async () => {
    const webhook_url = 'https://app.example.com/events'
    const fields = { name: 'Acme Okta', type: 'okta-scim-v2', webhook_url, webhook_secret: 'a plain secret' }
    const { name, type, webhook } = await create(fields)
    assert.deepEqual(
      { name, type, webhook },
      {
        name: 'Acme Okta',
        type: 'okta-scim-v2',
        webhook: { endpoint: webhook_url, secret: 'a plain secret', headers: [] },
      },
    )
  })

  test('an endpoint without a secret gets a Standard Webhooks secret', async () => {
    const { webhook } = await create({ webhook_url: 'https://app.example.com/events' })
    assert.match(webhook.secret, /^whsec_[A-Za-z0-9+/]{32}$/)
  })

  test('a Google directory has no SCIM endpoint but an authorization URL', async () => {
    const given = { extdir_domain: 'acme.example', extdir_access_token: 'a', extdir_refresh_token: 'b' }
    const directory = await create({ type: 'extdir', ...given })
    assert.deepEqual(directory.scim, { path: '', secret: '', endpoint: '' })
    const { extdir_domain, extdir_access_token, extdir_refresh_token, extdir_authorization_url } = directory
    assert.deepEqual({ extdir_domain, extdir_access_token, extdir_refresh_token }, given)
    assert(extdir_authorization_url?.startsWith(`${service().baseUrl}/api/scim/oauth/authorize?token=`))
  })

  test('a Google directory has an authorization status', async () => {
    const authorization = ({
      extdir_authorization_status: status,
      extdir_authorization_error: error,
    }: DirectoryView) => {
      return { status, error }
    }
    const { id, ...directory } = await create({ type: 'extdir' })
    assert.deepEqual(authorization({ id, ...directory }), { status: 'none', error: null })
    const { body } = await service().api('PATCH', `/${id}`, { extdir_refresh_token: 'a' })
    assert.deepEqual(authorization(body.data), { status: 'authorized', error: null })
  })

  test('the domain of a Google directory is stored in lower case and can be removed', async () => {
    const { id, extdir_domain } = await create({ type: 'extdir', extdir_domain: 'Mail.Acme.Example' })
    assert.equal(extdir_domain, 'mail.acme.example')
    const { body } = await service().api('PATCH', `/${id}`, { extdir_domain: '' })
    assert.equal(body.data.extdir_domain, '')
  })

  for (const [how, fields] of [
    ['as JSON', { extdir_service_account: keyFile, extdir_subject: 'admin@acme.example' }],
    [
      'as the text of its key file',
      { extdir_service_account: JSON.stringify(keyFile, null, 2), extdir_subject: 'admin@acme.example' },
    ],
    ['with the subject in it', { extdir_service_account: { ...keyFile, subject: 'admin@acme.example' } }],
  ] as const) {
    test(`a service account is accepted ${how}, and its key is never returned`, async () => {
      const directory = await create({ type: 'extdir', ...fields })
      assert.equal(directory.extdir_service_account_email, keyFile.client_email)
      assert.equal(directory.extdir_subject, 'admin@acme.example')
      assert.equal(directory.extdir_authorization_status, 'authorized')
      const { body, text } = await service().api('GET', `/${directory.id}`)
      assert.deepEqual(body.data, directory)
      assert(!text.includes('PRIVATE KEY') && !text.includes(keyFile.private_key_id))
    })
  }

  test('the subject of a service account can be changed, and both can be removed', async () => {
    const { id } = await create({ type: 'extdir', extdir_service_account: keyFile, extdir_subject: 'a@acme.example' })
    const changed = await service().api('PATCH', `/${id}`, { extdir_subject: 'b@acme.example' })
    const { extdir_service_account_email, extdir_subject } = changed.body.data
    assert.deepEqual([extdir_service_account_email, extdir_subject], [keyFile.client_email, 'b@acme.example'])
    const { body } = await service().api('PATCH', `/${id}`, { extdir_service_account: null })
    assert.deepEqual([body.data.extdir_service_account_email, body.data.extdir_subject], ['', ''])
    assert.equal(body.data.extdir_authorization_status, 'none')
  })

  test('a Google directory rejects SCIM requests', async () => {
    const { id } = await create({ type: 'extdir' })
    const scim = { path: `/api/scim/v2.0/${id}`, secret: 'any', endpoint: '' }
    assertScimError(await service().scim({ scim }, 'GET', '/Users'), 404)
  })

  test('a directory of another type has no extdir fields', async () => {
    const account = { extdir_service_account: '{}', extdir_subject: 'admin@acme.example' }
    const directory = await create({ extdir_access_token: 'a token', extdir_domain: 'acme.example', ...account })
    assert.deepEqual(
      Object.keys(directory).filter((name) => name.startsWith('extdir')),
      [],
    )
  })

  test('the same tenant may have several directories for a product, listed in creation order', async () => {
    const created = [
      await create({ tenant: 'many' }),
      await create({ tenant: 'many' }),
      await create({ tenant: 'many' }),
    ]
    const { status, body } = await service().api('GET', '?tenant=many&product=crm')
    assert.equal(status, 200)
    assert.deepEqual(body, { data: created, error: null })
  })

  test('a tenant may have MAX_DIRECTORIES_PER_TENANT directories for a product, and more for others', async () => {
    await using own = await startTestService(engine, { MAX_DIRECTORIES_PER_TENANT: '2' })
    const createIn = (product: string) => own.api('POST', '', { tenant: 'acme', product })
    const responses = await Promise.all(Array.from({ length: 4 }, () => createIn('crm')))
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 201, 409, 409])
    const rejected = responses.find(({ status }) => status === 409)
    assert.match(
      String(rejected?.body.error.message),
      /maximum of 2 directories for this product.+MAX_DIRECTORIES_PER_TENANT/,
    )
    assert.equal((await createIn('erp')).status, 201)
    const created = responses.find(({ status }) => status === 201)
    assert.equal((await own.api('DELETE', `/${created?.body.data.id}`)).status, 200)
    assert.equal((await createIn('crm')).status, 201)
  })

  test('the list of a tenant without directories is empty', async () => {
    const { body } = await service().api('GET', '?tenant=nobody&product=crm')
    assert.deepEqual(body, { data: [], error: null })
  })

  test('the directories of a product are listed across tenants and paged', async () => {
    const created = []
    for (const tenant of ['a', 'b', 'c', 'd', 'e']) created.push(await create({ tenant, product: 'paged' }))
    const list = async (query: string) => (await service().api('GET', `/product?product=paged${query}`)).body
    assert.deepEqual((await list('')).data, created)
    assert.deepEqual((await list('&pageOffset=1&pageLimit=2')).data, created.slice(1, 3))
    const first = await list('&pageLimit=2')
    const second = await list(`&pageLimit=2&pageToken=${first.pageToken}`)
    const third = await list(`&pageLimit=2&pageToken=${second.pageToken}`)
    assert.deepEqual(
      [first, second, third].flatMap(({ data }) => data),
      created,
    )
    assert.equal(third.pageToken, undefined)
  })

  test('the same routes exist under the short prefix', async () => {
    const { id } = await create({})
    const { status, body } = await service().api('GET', `/api/v1/dsync/${id}`)
    assert.equal(status, 200)
    assert.equal(body.data.id, id)
  })

  test('everything that can be changed later can be given at creation', async () => {
    const settings = {
      ...{ name: 'Given', log_webhook_events: true, log_scim_requests: true, unique_group_names: 'true' },
      ...{
        scim_auth: 'oauth',
        scim_profile: 'strict',
        deactivated: true,
        removal_limit: { percent: 7, minimum: 8, window_seconds: 9 },
      },
    }
    const given = await create(settings)
    const changed = await create({})
    const { body } = await service().api('PATCH', `/${changed.id}`, settings)
    const { id, scim } = given
    assert.deepEqual(given, { ...body.data, id, scim })
    assert.equal(given.log_webhook_events, true)
    assert.equal(given.deactivated, true)
  })

  test('a directory can be read after its creation', async () => {
    const directory = await create({ name: 'Read me', webhook_url: 'https://app.example.com/' })
    const { body } = await service().api('GET', `/${directory.id}`)
    assert.deepEqual(body, { data: directory, error: null })
  })

  test('an update of some fields keeps the others', async () => {
    const directory = await create({ webhook_url: 'https://app.example.com/', webhook_secret: 'a plain secret' })
    const { status, body } = await service().api('PATCH', `/${directory.id}`, {
      name: 'Renamed',
      log_webhook_events: true,
    })
    assert.equal(status, 200)
    const expected = { ...directory, name: 'Renamed', log_webhook_events: true }
    assert.deepEqual(body, { data: expected, error: null })
    assert.deepEqual((await service().api('GET', `/${directory.id}`)).body.data, expected)
  })

  test('flags are accepted as text', async () => {
    const { id } = await create({})
    const on = await service().api('PATCH', `/${id}`, { deactivated: 'true', log_webhook_events: 'true' })
    assert.deepEqual([on.body.data.deactivated, on.body.data.log_webhook_events], [true, true])
    const off = await service().api('PATCH', `/${id}`, { deactivated: 'false', log_webhook_events: 'false' })
    assert.deepEqual([off.body.data.deactivated, off.body.data.log_webhook_events], [false, false])
  })

  for (const none of ['', null]) {
    test(`a webhook_url of ${JSON.stringify(none)} removes the endpoint`, async () => {
      const { id } = await create({ webhook_url: 'https://app.example.com/' })
      const { body } = await service().api('PATCH', `/${id}`, { webhook_url: none })
      assert.deepEqual(body.data.webhook, { endpoint: '', secret: '', headers: [] })
    })
  }

  test('a new webhook_url keeps the secret', async () => {
    const { id, webhook } = await create({ webhook_url: 'https://app.example.com/a' })
    const { body } = await service().api('PATCH', `/${id}`, { webhook_url: 'https://app.example.com/b' })
    assert.deepEqual(body.data.webhook, { endpoint: 'https://app.example.com/b', secret: webhook.secret, headers: [] })
  })

  test('the tokens of a Google directory can be changed and removed', async () => {
    const { id } = await create({ type: 'extdir', extdir_access_token: 'a', extdir_refresh_token: 'b' })
    const { body } = await service().api('PATCH', `/${id}`, { extdir_access_token: 'c', extdir_refresh_token: null })
    const { extdir_access_token, extdir_refresh_token } = body.data
    assert.deepEqual([extdir_access_token, extdir_refresh_token], ['c', ''])
  })

  test('a directory is deleted with its content', async () => {
    const directory = await create({ tenant: 'leaving' })
    const user = await service().scim(directory, 'POST', '/Users', { userName: 'a' })
    const deleted = await service().api('DELETE', `/${directory.id}`)
    assert.equal(deleted.status, 200)
    assert.deepEqual(deleted.body, { data: {}, error: null })
    assertApiError(await service().api('GET', `/${directory.id}`), 404)
    assertApiError(await service().api('DELETE', `/${directory.id}`), 404)
    assertApiError(await service().api('GET', `/users/${user.body.id}?tenant=leaving&product=crm`), 404)
    assertScimError(await service().scim(directory, 'GET', '/Users'), 404)
  })

  test('a rotated secret works immediately, and the old one no longer does', async () => {
    const before = await create({})
    const { status, body } = await service().api('POST', `/${before.id}/rotate-secret`)
    assert.equal(status, 200)
    assert.notEqual(body.data.scim.secret, before.scim.secret)
    assert.deepEqual({ ...body.data, scim: before.scim }, before)
    assert.equal((await service().scim(body.data, 'GET', '/Users')).status, 200)
    assertScimError(await service().scim(before, 'GET', '/Users'), 401)
  })

  test('the old secret keeps working during the grace period, whose end the directory has', async () => {
    const before = await create({})
    const start = Date.now()
    const { body } = await service().api('POST', `/${before.id}/rotate-secret`, { grace_seconds: 60 })
    assert(Date.parse(body.data.scim.previous_secret_expires_at ?? '') >= start + 60_000)
    assert.equal((await service().scim(before, 'POST', '/Users', { userName: 'a' })).status, 201)
    assert.equal((await service().scim(body.data, 'POST', '/Users', { userName: 'b' })).status, 201)
  })

  test('a second rotation without a grace period ends that of the first', async () => {
    const before = await create({})
    await service().api('POST', `/${before.id}/rotate-secret`, { grace_seconds: 60 })
    await service().api('POST', `/${before.id}/rotate-secret`, {})
    assertScimError(await service().scim(before, 'GET', '/Users'), 401)
  })

  test('the provider types are listed', async () => {
    const { status, body } = await service().api('GET', '/providers')
    assert.equal(status, 200)
    assert.deepEqual(body, { data: providers, error: null })
  })

  test('every invalid field is named with what it must be', async () => {
    const fields = { tenant: 'a:b', product: 7, type: 'nonsense', webhook_url: [], name: '' }
    const response = await service().api('POST', '', fields)
    assertApiError(response, 400)
    const named = response.body.error.problems?.map(({ field }) => field).sort()
    assert.deepEqual(named, ['name', 'product', 'tenant', 'type', 'webhook_url'])
    for (const field of Object.keys(fields)) assert.match(response.body.error.message, new RegExp(`${field}: `))
  })

  test('no secret of a directory is on disk in plain text', async () => {
    await using own = await startTestService(engine)
    const directory = await own.createDirectory({
      webhook_url: 'https://app.example.com/',
      webhook_secret: 'plain-secret-1',
    })
    const extdir = await own.createDirectory({
      type: 'extdir',
      extdir_access_token: 'token-1',
      extdir_refresh_token: 'token-2',
      extdir_service_account: keyFile,
      extdir_subject: 'admin@acme.example',
    })
    const { body } = await own.api('POST', `/${directory.id}/rotate-secret`, { grace_seconds: 60 })
    const stored = await storedText(own)
    assert(
      stored.includes(directory.id) && stored.includes(extdir.id),
      'the directories are looked for in the right place',
    )
    const secrets = [
      'plain-secret-1',
      'token-1',
      'token-2',
      'PRIVATE KEY',
      directory.scim.secret,
      body.data.scim.secret,
    ]
    assert.deepEqual(
      secrets.filter((secret) => stored.includes(secret)),
      [],
    )
  })
})

// On PostgreSQL the time is that of the server, which a test cannot move.
test('the old secret is rejected after the grace period', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  await using own = await startTestService('sqlite')
  const before = await own.createDirectory()
  const { body } = await own.api('POST', `/${before.id}/rotate-secret`, { grace_seconds: 60 })
  t.mock.timers.tick(59_000)
  assert.equal((await own.scim(before, 'GET', '/Users')).status, 200)
  t.mock.timers.tick(2_000)
  assertScimError(await own.scim(before, 'GET', '/Users'), 401)
  assert.equal((await own.scim(body.data, 'GET', '/Users')).status, 200)
})
