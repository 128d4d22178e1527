import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PortalViewWithSecret } from '../../../src/setup/portal.ts'
import type { SetupLinkView } from '../../../src/setup/setup-link.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, forSuite, startTestService } from '../../support/service.ts'

const settings = { PORTAL_NAME: 'Acme CRM', PORTAL_COLOR: '#1d4ed8', TRUST_PROXY: '1' }

/** A setup link, and calls with its token. */
async function openLink(service: TestService, fields: object) {
  const { body } = await service.api('POST', '/setuplinks', { product: 'crm', ...fields })
  const link = body.data as unknown as SetupLinkView
  const token = link.url.slice(link.url.lastIndexOf('/') + 1)
  const call = async (method: string, path = '', sent?: object) => {
    const headers = { authorization: `Setup ${token}` }
    const answer = await service.request(method, `/api/v1/setup${path}`, { headers, body: sent })
    return { ...answer, data: (answer.body as unknown as { data: PortalViewWithSecret }).data }
  }
  return { link, token, call }
}

forEachEngine((engine) => {
  const opened = forSuite(async () => startTestService(engine, settings))

  test('an administrator chooses a provider and gets the endpoint, and the secret once', async () => {
    const service = opened()
    const webhook = { webhook_url: 'http://127.0.0.1:9/in', webhook_secret: 'whsec_c2VjcmV0LW9uZQ==' }
    const { call } = await openLink(service, {
      tenant: 'acme',
      name: 'Acme',
      types: ['okta-scim-v2', 'azure-scim-v2'],
      ...webhook,
    })
    const { data: before, text } = await call('GET')
    assert.deepEqual(before.portal, { name: 'Acme CRM', logo_url: null, color: '#1d4ed8' })
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
      ['Acme', { endpoint: webhook.webhook_url, secret: webhook.webhook_secret }],
    )

    const rotated = await call('POST', '/directory/rotate-secret', { grace_seconds: 60 })
    assert.notEqual(rotated.data.secret, secret)
    assert.equal((await call('POST', '/directory', { type: 'jumpcloud-scim-v2' })).status, 400)
  })

  test('another provider can be chosen until the directory has users', async () => {
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
    const refused = await call('POST', '/directory', { type: 'okta-scim-v2' })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /already connected to OneLogin/)
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
    assert.deepEqual([data.secret, data.directory?.scim_endpoint, data.directory?.google?.status], [null, null, 'none'])
    assert.equal((await call('POST', '/authorization-url')).status, 501)
  })

  test('a link that is revoked answers 410, and one that does not exist 404; neither reveals anything', async () => {
    const service = opened()
    const { call, token } = await openLink(service, { tenant: 'umbrella' })
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
      assert(!/umbrella|crm/i.test(answer.text))
      assert.equal(answer.headers['referrer-policy'], 'no-referrer')
    }
  })

  test('guessing tokens is limited per address', async () => {
    const service = opened()
    const guess = (address: string) =>
      service.request('GET', `/setup/${'1'.repeat(48)}`, { headers: { 'x-forwarded-for': address } })
    const statuses: number[] = []
    for (let n = 0; n < 31; n += 1) statuses.push((await guess('192.0.2.1')).status)
    assert.deepEqual([...new Set(statuses)], [404, 429])
    assert.equal((await guess('192.0.2.2')).status, 404)
  })
})
