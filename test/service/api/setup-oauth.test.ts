import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditEntryView } from '../../../src/admin/audit/entry-view.ts'
import type { PortalViewWithClient } from '../../../src/setup/portal.ts'
import type { PortalHealth } from '../../../src/setup/portal-health.ts'
import type { SetupLinkView } from '../../../src/setup/setup-link.ts'
import { startFakeEntra } from '../../../tools/fake-entra/issuer.ts'
import { eventually } from '../../support/eventually.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'
import { adminSettings, login } from '../admin/support/admin.ts'
import { createClient, presentAssertion, requestToken } from '../oauth/support/clients.ts'
import { openLink } from './support/setup-link.ts'

const tenantId = 'ce5f061f-abe6-4e40-9615-301f87bcb7f0'

/** The values of a workload identity as Entra ID shows them. */
const pasted = {
  type: 'federated',
  issuer: `https://login.microsoftonline.com/${tenantId}/v2.0`,
  jwks_url: `https://login.microsoftonline.com/${tenantId}/discovery/v2.0/keys`,
  subject: 'd2f8ee76-c549-45b8-a143-f5b640669704',
  audience: 'api://b5ba7a93-4452-4522-aeb4-a2b5da870c16/.default',
}

/** A setup link whose administrator has chosen Entra ID, and calls about OAuth clients. */
async function openEntra(service: TestService, tenant: string) {
  const { call, link } = await openLink(service, { tenant })
  const chosen = await call('POST', '/directory', { type: 'azure-scim-v2' })
  const create = async (fields: object) => {
    const answer = await call('POST', '/directory/oauth-clients', fields)
    return { ...answer, data: answer.data as unknown as PortalViewWithClient }
  }
  const clients = async () => (await call('GET')).data.directory?.oauth?.clients ?? []
  const health = async () => (await call('GET', '/health')).data as unknown as PortalHealth
  return { call, link, create, clients, health, secret: chosen.data.secret }
}

/** The id of the directory that a link has created. */
async function directoryOf(service: TestService, { setupID }: SetupLinkView): Promise<string> {
  const { body } = await service.api('GET', `/setuplinks?id=${setupID}`)
  return (body.data as unknown as SetupLinkView).directoryId ?? ''
}

forEachEngine((engine) => {
  const opened = serviceForSuite(engine, adminSettings)

  test('an administrator creates client credentials, and signs in with what the page shows', async () => {
    const service = opened()
    const { create, clients, health, call, link } = await openEntra(service, 'acme')
    assert.equal((await health()).signed_in_at, null)
    const { status, data, text } = await create({ type: 'secret' })
    assert.equal(status, 201, text)
    const { client_id, client_secret } = data.created
    const { pathname } = new URL(data.directory?.oauth?.token_endpoint ?? '')
    const { body } = await service.request('POST', pathname, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `grant_type=client_credentials&client_id=${client_id}&client_secret=${client_secret}`,
    })
    const { access_token } = body as unknown as { access_token: string }
    // The use of a client is stored after the response, and the calls of a link are limited.
    const path = `/${await directoryOf(service, link)}/oauth-clients`
    await eventually(
      'the use of the client',
      async () => !(await service.api('GET', path)).text.includes('"last_used_at":null'),
    )
    assert.notEqual((await health()).signed_in_at, null, 'signed in before the first request')
    const users = await service.request('GET', `${new URL(data.directory?.scim_endpoint ?? '').pathname}/Users`, {
      headers: { authorization: `Bearer ${access_token}` },
    })
    assert.equal(users.status, 200)
    const [client, ...others] = await clients()
    assert.deepEqual([client?.client_id, client?.type, others], [client_id, 'secret', []])
    assert(!(await call('GET')).text.includes(client_secret ?? ''), 'the secret is shown once')
  })

  test('the values of a workload identity become a client, without the blanks of copying', async () => {
    const service = opened()
    const { create, clients, link } = await openEntra(service, 'globex')
    const { status, data, text } = await create({ ...pasted, issuer: ` ${pasted.issuer}\n` })
    assert.equal(status, 201, text)
    assert.equal(data.created.client_secret, null)
    assert.deepEqual(
      (await clients()).map(({ client_id, type, expires_at }) => ({ client_id, type, expires_at })),
      [{ client_id: data.created.client_id, type: 'federated', expires_at: null }],
    )
    const [stored] = (await service.api('GET', `/${await directoryOf(service, link)}/oauth-clients`)).body
      .data as unknown as object[]
    assert.equal((stored as { issuer: string }).issuer, pasted.issuer)
  })

  for (const { fields, problems } of [
    { fields: { type: 'federated' }, problems: ['issuer', 'jwks_url', 'subject', 'audience'] },
    { fields: { ...pasted, issuer: `https://sts.example/${tenantId}/v2.0` }, problems: ['issuer'] },
    {
      fields: { ...pasted, jwks_url: pasted.jwks_url.replace(tenantId, tenantId.replace('c', 'd')) },
      problems: ['jwks_url'],
    },
    { fields: { ...pasted, jwks_url: 'http://169.254.169.254/latest/meta-data' }, problems: ['jwks_url'] },
    { fields: { ...pasted, subject: 'Sync Fabric' }, problems: ['subject'] },
    { fields: { ...pasted, audience: pasted.issuer }, problems: ['audience'] },
  ]) {
    test(`pasted values are refused with the fields to repair: ${problems.join(', ')} of ${JSON.stringify(fields)}`, async () => {
      const { create, clients } = await openEntra(opened(), 'initech')
      const { status, body } = await create(fields)
      assert.equal(status, 400)
      assert.deepEqual(
        body.error.problems?.map(({ field }) => field),
        problems,
      )
      assert.deepEqual(await clients(), [])
      await opened().api('DELETE', '/setuplinks?tenant=initech&product=crm')
    })
  }

  test('a client can be deleted; only those of the directory of the link', async () => {
    const service = opened()
    const { create, clients, call } = await openEntra(service, 'hooli')
    const other = await openEntra(service, 'stark')
    const { client_id, client_secret } = (await create({ type: 'secret' })).data.created
    const path = `/directory/oauth-clients/${client_id}`
    assert.equal((await other.call('DELETE', path)).status, 404)
    assert.equal((await clients()).length, 1)
    assert.deepEqual((await call('DELETE', path)).data.directory?.oauth?.clients, [])
    assert.equal((await requestToken(service, { client_id, client_secret: client_secret ?? '' })).status, 401)
    assert.equal((await call('DELETE', path)).status, 404)
  })

  test('other identity providers are not offered OAuth, and choosing one deletes the clients', async () => {
    const { create, call, clients } = await openEntra(opened(), 'umbrella')
    await create({ type: 'secret' })
    const okta = await call('POST', '/directory', { type: 'okta-scim-v2' })
    assert.equal(okta.data.directory?.oauth, null)
    assert.equal((await create({ type: 'secret' })).status, 400)
    await call('POST', '/directory', { type: 'azure-scim-v2' })
    assert.deepEqual(await clients(), [])
  })

  test('the page says what was wrong with an assertion', async () => {
    await using entra = await startFakeEntra()
    const service = opened()
    const { health, link } = await openEntra(service, 'oscorp')
    const { issuer, jwksUrl: jwks_url, subject } = entra
    const fields = { type: 'federated', issuer, jwks_url, subject, audience: 'api://another' }
    const { client_id } = await createClient(service, { id: await directoryOf(service, link) }, fields)
    assert.equal((await presentAssertion(service, await entra.assertion(), { client_id })).status, 401)
    const { failed_authentications: reported } = await health()
    assert.match(reported.last_problem ?? '', /audience.*api:\/\/another/)
    assert.equal(reported.since_last_success, 1)
  })

  test('the audit trail says which setup link has created and deleted a client', async () => {
    const service = opened()
    const { create, call, link } = await openEntra(service, 'cyberdyne')
    const { client_id } = (await create({ type: 'secret' })).data.created
    await call('DELETE', `/directory/oauth-clients/${client_id}`)
    const { admin } = await login(service)
    const { body } = await admin('GET', '/event')
    const entries = (body.data as unknown as AuditEntryView[]).filter(
      ({ action, actor }) => action.startsWith('oauth_client.') && actor.id === link.setupID,
    )
    assert.deepEqual(
      entries.map(({ action, actor, changes }) => [
        action,
        actor.kind,
        (changes as Readonly<Record<string, unknown>>)['client_id'],
      ]),
      [
        ['oauth_client.deleted', 'setup', { from: client_id, to: null }],
        ['oauth_client.created', 'setup', { from: null, to: client_id }],
      ],
    )
  })

  test('the page says when the secret of the directory is refused', async () => {
    const service = opened()
    const { call, link } = await openEntra(service, 'wayne')
    assert.equal((await call('GET')).data.directory?.oauth?.is_required, false)
    await service.api('PATCH', `/${await directoryOf(service, link)}`, { scim_auth: 'oauth' })
    assert.equal((await call('GET')).data.directory?.oauth?.is_required, true)
  })
})
