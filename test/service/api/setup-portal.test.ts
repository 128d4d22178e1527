import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PortalHealth } from '../../../src/setup/portal-health.ts'
import type { SetupLinkView } from '../../../src/setup/setup-link.ts'
import { forEachEngine, forSuite, startTestService } from '../../support/service.ts'
import { openLink } from './support/setup-link.ts'

const settings = {
  ...{ PORTAL_NAME: 'Acme CRM', PORTAL_COLOR: '#1d4ed8', PORTAL_LISTED_IN: 'okta', TRUST_PROXY: '1' },
  ...{ DSYNC_EXTDIR_CLIENT_ID: 'client', DSYNC_EXTDIR_CLIENT_SECRET: 'secret' },
}

test('without an OAuth client, Google Workspace is not offered, and a directory of it says so', async () => {
  await using service = await startTestService('sqlite')
  const chosen = await openLink(service, { tenant: 'hooli' })
  const { types } = (await chosen.call('GET')).data
  assert.ok(types.length > 5 && !types.some(({ type }) => type === 'extdir'))
  assert.equal((await chosen.call('POST', '/directory', { type: 'extdir' })).status, 400)
  const { id: directoryId } = await service.createDirectory({ tenant: 'hooli', product: 'erp', type: 'extdir' })
  const given = await openLink(service, { tenant: 'hooli', product: 'erp', directoryId })
  assert.equal((await given.call('GET')).data.directory?.google?.can_connect, false)
  assert.equal((await given.call('POST', '/authorization-url')).status, 501)
})

forEachEngine((engine) => {
  const opened = forSuite(async () => startTestService(engine, settings))

  test('an administrator chooses a provider and gets the endpoint, and the secret once', async () => {
    const service = opened()
    const webhook = { webhook_url: 'http://127.0.0.1:9/in', webhook_secret: 'whsec_c2VjcmV0LW9uZQ==' }
    const { call } = await openLink(service, {
      tenant: 'acme',
      name: 'Acme',
      types: ['okta-scim-v2', 'azure-scim-v2'],
      return_url: 'https://crm.example/',
      ...webhook,
    })
    const { data: before, text } = await call('GET')
    assert.deepEqual(before.portal, {
      name: 'Acme CRM',
      logo_url: null,
      color: '#1d4ed8',
      listed_in: ['okta'],
      return_url: 'https://crm.example/',
    })
    assert.deepEqual(
      before.types.map(({ type }) => type),
      ['okta-scim-v2', 'azure-scim-v2'],
    )
    assert.deepEqual([before.name, before.directory], ['Acme', null])
    assert(!text.includes('127.0.0.1:9') && !text.includes('whsec_'))

    const chosen = await call('POST', '/directory', { type: 'okta-scim-v2' })
    assert.equal(chosen.status, 201, chosen.text)
    const { secret, directory } = chosen.data
    const scim = await service.request('GET', `${new URL(directory?.scim_endpoint ?? '').pathname}/Users`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    assert.equal(scim.status, 200)
    assert.equal((await call('POST', '/directory', { type: 'okta-scim-v2' })).data.secret, null)
    assert(!(await call('GET')).text.includes(secret ?? ''))
    const [created] = (await service.api('GET', '?tenant=acme&product=crm')).body.data as unknown as {
      name: string
      webhook: object
    }[]
    assert.deepEqual(
      [created?.name, created?.webhook],
      ['Acme', { endpoint: webhook.webhook_url, secret: webhook.webhook_secret, headers: [] }],
    )

    const rotated = await call('POST', '/directory/rotate-secret', { grace_seconds: 60 })
    assert.notEqual(rotated.data.secret, secret)
    assert.equal(rotated.data.directory?.secret_ending, rotated.data.secret?.slice(-4))
    assert.equal((await call('POST', '/directory', { type: 'jumpcloud-scim-v2' })).status, 400)
  })

  test('another provider can be chosen; the directory stays, and its secret too once it had events', async () => {
    const service = opened()
    const { call, link } = await openLink(service, { tenant: 'globex' })
    await call('POST', '/directory', { type: 'okta-scim-v2' })
    const { data } = await call('POST', '/directory', { type: 'onelogin-scim-v2' })
    const list = await service.api('GET', '?tenant=globex&product=crm')
    const [directory, ...others] = list.body.data as unknown as { id: string; type: string }[]
    assert.deepEqual([directory?.type, others], ['onelogin-scim-v2', []])
    const shown = await service.api('GET', `/setuplinks?id=${link.setupID}`)
    assert.equal((shown.body.data as unknown as SetupLinkView).directoryId, directory?.id)
    await service.request('POST', `${new URL(data.directory?.scim_endpoint ?? '').pathname}/Users`, {
      headers: { authorization: `Bearer ${data.secret}`, 'content-type': 'application/scim+json' },
      body: { userName: 'a@globex.example' },
    })
    const again = await call('POST', '/directory', { type: 'okta-scim-v2' })
    assert.deepEqual([again.status, again.data.secret, again.data.directory?.type], [201, null, 'okta-scim-v2'])
    const users = await service.request('GET', `${new URL(data.directory?.scim_endpoint ?? '').pathname}/Users`, {
      headers: { authorization: `Bearer ${data.secret}` },
    })
    assert.equal((users.body as unknown as { totalResults: number }).totalResults, 1)
    const refused = await call('POST', '/directory', { type: 'extdir' })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /already connected to Okta/)
  })

  test('a directory without events starts over when another provider is chosen: the previous secret is rejected', async () => {
    const service = opened()
    const { call } = await openLink(service, { tenant: 'stark' })
    const first = await call('POST', '/directory', { type: 'okta-scim-v2' })
    const google = await call('POST', '/directory', { type: 'extdir' })
    assert.deepEqual([google.data.secret, google.data.directory?.google?.status], [null, 'none'])
    const { data } = await call('POST', '/directory', { type: 'azure-scim-v2' })
    const list = await service.api('GET', '?tenant=stark&product=crm')
    assert.equal((list.body.data as unknown as object[]).length, 1)
    assert.equal(data.directory?.scim_endpoint, first.data.directory?.scim_endpoint, 'no further directory is made')
    const path = `${new URL(data.directory?.scim_endpoint ?? '').pathname}/Users`
    const statusWith = async (secret: string | null) =>
      (await service.request('GET', path, { headers: { authorization: `Bearer ${secret}` } })).status
    assert.deepEqual([await statusWith(first.data.secret), await statusWith(data.secret)], [401, 200])
  })

  test('choosing providers while a provider creates users loses no acknowledged user', async () => {
    const service = opened()
    for (let round = 0; round < 10; round += 1) {
      const { call } = await openLink(service, { tenant: `beside-${round}` })
      const { data } = await call('POST', '/directory', { type: 'okta-scim-v2' })
      const path = `${new URL(data.directory?.scim_endpoint ?? '').pathname}/Users`
      const headers = { authorization: `Bearer ${data.secret}`, 'content-type': 'application/scim+json' }
      const create = (n: number) => service.request('POST', path, { headers, body: { userName: `user-${n}` } })
      const [creates] = await Promise.all([
        Promise.all(Array.from({ length: 6 }, (_, n) => create(n))),
        call('POST', '/directory', { type: 'onelogin-scim-v2' }),
        call('POST', '/directory', { type: 'extdir' }),
      ])
      const acknowledged = creates.filter(({ status }) => status === 201).length
      const { body } = await service.api('GET', `/users?tenant=beside-${round}&product=crm`)
      assert.equal((body.data as unknown as object[]).length, acknowledged)
    }
  })

  test('a link no longer works once its directory is deleted, regardless of who created it', async () => {
    const service = opened()
    const { id: directoryId } = await service.createDirectory({ tenant: 'wayne', product: 'crm' })
    const given = await openLink(service, { tenant: 'wayne', directoryId })
    const made = await openLink(service, { tenant: 'wonka' })
    await made.call('POST', '/directory', { type: 'okta-scim-v2' })
    const list = await service.api('GET', '?tenant=wonka&product=crm')
    const [{ id } = { id: '' }] = list.body.data as unknown as { id: string }[]
    for (const directory of [directoryId, id]) await service.api('DELETE', `/${directory}`)
    for (const { call, token } of [given, made]) {
      assert.equal((await call('GET')).status, 410)
      assert.equal((await call('POST', '/directory', { type: 'okta-scim-v2' })).status, 410)
      assert.equal((await service.request('GET', `/setup/${token}`)).status, 410)
    }
    assert.deepEqual((await service.api('GET', '?tenant=wonka&product=crm')).body.data, [])
    assert.equal((await service.api('POST', '/setuplinks', { tenant: 'wonka', product: 'crm' })).status, 201)
  })

  test('the type of a directory that the link was created for is fixed', async () => {
    const service = opened()
    const { id: directoryId } = await service.createDirectory({
      tenant: 'initech',
      product: 'crm',
      type: 'okta-scim-v2',
    })
    const { call } = await openLink(service, { tenant: 'initech', directoryId })
    assert.deepEqual((await call('GET')).data.types, [{ type: 'okta-scim-v2', label: 'Okta SCIM v2.0' }])
    assert.equal((await call('POST', '/directory', { type: 'azure-scim-v2' })).status, 409)
  })

  test('a Google Workspace has no SCIM endpoint and no secret', async () => {
    const { call } = await openLink(opened(), { tenant: 'hooli' })
    assert.equal((await call('POST', '/authorization-url')).status, 404)
    const { data } = await call('POST', '/directory', { type: 'extdir' })
    assert.deepEqual([data.secret, data.directory?.scim_endpoint, data.directory?.secret_ending], [null, null, null])
    assert.deepEqual([data.directory?.google?.status, data.directory?.google?.can_connect], ['none', true])
    assert.match((await call('POST', '/authorization-url')).text, /oauth\/authorize/)
  })

  test('a new connection waits for its first request; a refusal is shown until the request succeeds', async () => {
    const service = opened()
    const { call } = await openLink(service, { tenant: 'waiting' })
    const { data } = await call('POST', '/directory', { type: 'azure-scim-v2' })
    const health = async () => {
      const { state, last_refused } = (await call('GET', '/health')).data as unknown as PortalHealth
      return [state, last_refused?.subject]
    }
    assert.deepEqual(await health(), ['waiting', undefined])
    const create = (userName: string, body: object = {}) =>
      service.request('POST', `${new URL(data.directory?.scim_endpoint ?? '').pathname}/Users`, {
        headers: { authorization: `Bearer ${data.secret}`, 'content-type': 'application/scim+json' },
        body: { userName, ...body },
      })
    await create('first@example.com', { active: 'perhaps' })
    assert.deepEqual(await health(), ['attention', 'first@example.com'])
    await create('second@example.com')
    assert.deepEqual(await health(), ['healthy', 'first@example.com'])
    await create('first@example.com')
    assert.deepEqual(await health(), ['healthy', undefined])
  })

  test('the address for Entra ID has a flag in its query, which every request accepts', async () => {
    const service = opened()
    const { call } = await openLink(service, { tenant: 'flagged' })
    const { data } = await call('POST', '/directory', { type: 'azure-scim-v2' })
    const { pathname } = new URL(data.directory?.scim_endpoint ?? '')
    const send = (method: string, path: string, body?: object) =>
      service.request(method, pathname + path, {
        headers: { authorization: `Bearer ${data.secret}`, 'content-type': 'application/scim+json' },
        body,
      })
    const flag = 'aadOptscim062020'
    const created = await send('POST', `/Users?${flag}`, { userName: 'ann@flagged.example' })
    const { id } = created.body as unknown as { id: string }
    const patch = { Operations: [{ op: 'replace', value: { active: false } }] }
    const found = `filter=${encodeURIComponent('userName eq "ann@flagged.example"')}`
    const statuses = [
      created,
      await send('GET', `?${flag}`),
      await send('GET', `?${flag}=`),
      await send('GET', `/Users?${found}&${flag}`),
      await send('GET', `/Users?${flag}&${found}`),
      await send('PATCH', `/Users/${id}?${flag}`, patch),
      await send('GET', `/ServiceProviderConfig?${flag}`),
    ].map(({ status }) => status)
    assert.deepEqual(statuses, [201, 200, 200, 200, 200, 200, 200])
  })

  test('a revoked link returns 410, and an unknown one 404; neither reveals anything', async () => {
    const service = opened()
    const { call, token } = await openLink(service, { tenant: 'umbrella', return_url: 'https://umbrella.example/' })
    await service.api('DELETE', '/setuplinks?tenant=umbrella&product=crm')
    const unknown = '0'.repeat(48)
    const headers = { authorization: `Setup ${unknown}` }
    const answers = [
      { answer: await call('GET'), status: 410 },
      { answer: await call('POST', '/directory', { type: 'okta-scim-v2' }), status: 410 },
      { answer: await service.request('GET', `/setup/${token}`), status: 410 },
      { answer: await service.request('GET', '/api/v1/setup', { headers }), status: 404 },
      { answer: await service.request('GET', `/setup/${unknown}`), status: 404 },
      { answer: await service.request('GET', '/api/v1/setup'), status: 401 },
    ]
    for (const { answer, status } of answers) {
      assert.equal(answer.status, status, answer.text)
      // The name of the product is that of the settings.
      assert(!/umbrella|crm/i.test(answer.text.replaceAll('Acme CRM', '')))
      assert.equal(answer.headers['referrer-policy'], 'no-referrer')
    }
  })

  test('guessing tokens is limited per address, and a valid link works from a limited one', async () => {
    const service = opened()
    const guess = (address: string) =>
      service.request('GET', `/setup/${'1'.repeat(48)}`, { headers: { 'x-forwarded-for': address } })
    const statuses: number[] = []
    for (let n = 0; n < 31; n += 1) statuses.push((await guess('192.0.2.1')).status)
    assert.deepEqual([...new Set(statuses)], [404, 429])
    assert.equal((await guess('192.0.2.2')).status, 404)
    const { token } = await openLink(service, { tenant: 'tyrell' })
    const headers = { 'x-forwarded-for': '192.0.2.1' }
    assert.equal((await service.request('GET', `/setup/${token}`, { headers })).status, 200)
    const authorized = { ...headers, authorization: `Setup ${token}` }
    assert.equal((await service.request('GET', '/api/v1/setup', { headers: authorized })).status, 200)
  })
})
