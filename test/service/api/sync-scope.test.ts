import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HoldView } from '../../../src/delivery/hold/view.ts'
import type { HealthView } from '../../../src/diagnostics/health/view.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { SetupLinkView } from '../../../src/setup/setup-link.ts'
import type { FakeGoogle } from '../../../tools/fake-google/server.ts'
import type { Client } from '../../support/client.ts'
import { assertApiError } from '../../support/errors.ts'
import { eventually } from '../../support/eventually.ts'
import { connectDirectory, startPulledService, sync, syncWell } from '../../support/extdir.ts'
import { startReceiver } from '../../support/receiver.ts'
import { forEachEngine } from '../../support/service.ts'
import { openLink } from './support/setup-link.ts'

/** Ann is in sales, and bob in support, which is nested in sales; cat is in /Press, dan in /Press/Photo. */
function addCompany(google: FakeGoogle) {
  const add = (name: string, orgUnitPath = '/') => google.addUser({ primaryEmail: `${name}@example.com`, orgUnitPath })
  const people = { ann: add('ann'), bob: add('bob'), cat: add('cat', '/Press'), dan: add('dan', '/Press/Photo') }
  const sales = google.addGroup({ email: 'sales@example.com', name: 'Sales' })
  const support = google.addGroup({ email: 'support@example.com', name: 'Support' })
  google.addUserToGroup(sales.id, people.ann.id)
  google.addUserToGroup(support.id, people.bob.id)
  google.nestGroup(sales.id, support.id)
  return { ...people, sales, support }
}

async function contents(client: Client, { id }: DirectoryView) {
  const users = await client.api('GET', `/users?directoryId=${id}`)
  const groups = await client.api('GET', `/groups?directoryId=${id}`)
  const names = users.body.data.map(({ email }) => email.replace('@example.com', ''))
  return [...names, ...groups.body.data.map(({ name }) => name)].sort().join(' ')
}

async function reasons(client: Client, { id }: DirectoryView) {
  const { body } = await client.api('GET', `/${id}/health`)
  return (body.data as unknown as HealthView).reasons
}

const scopeOf = ({ extdir_groups, extdir_org_units }: DirectoryView) => ({ extdir_groups, extdir_org_units })

forEachEngine((engine) => {
  test('a directory is restricted to groups and organizational units', async () => {
    await using pulled = await startPulledService(engine)
    const { google, service } = pulled
    const { ann, bob, cat, sales } = addCompany(google)
    const chosen = { extdir_groups: ['Sales@Example.com'], extdir_org_units: ['/Press/Photo/'] }
    const directory = await connectDirectory(service, google, chosen)
    const stored = { extdir_groups: ['sales@example.com'], extdir_org_units: ['/Press/Photo'] }
    assert.deepEqual(scopeOf(directory), stored)
    const { skipped } = await syncWell(service, directory)
    assert.deepEqual([await contents(service, directory), skipped], ['Sales ann bob dan', 0])
    google.changeUser(cat.id, { orgUnitPath: '/Press/Photo/Archive' })
    google.removeMember(sales.id, ann.id)
    google.changeUser(bob.id, { orgUnitPath: '/Press/Photo' })
    await syncWell(service, directory)
    assert.equal(await contents(service, directory), 'Sales bob cat dan')
    const { body } = await service.api('PATCH', `/${directory.id}`, { extdir_groups: null, extdir_org_units: [] })
    assert.deepEqual(scopeOf(body.data), { extdir_groups: [], extdir_org_units: [] })
    await syncWell(service, directory)
    assert.equal(await contents(service, directory), 'Sales Support ann bob cat dan')
  })

  test('a narrower restriction is held; a discard drops the removals, a release makes them', async () => {
    await using pulled = await startPulledService(engine)
    await using receiver = await startReceiver()
    const { google, service } = pulled
    const { sales } = addCompany(google)
    for (let n = 0; n < 20; n += 1) google.addUser({ primaryEmail: `user-${n}@example.com` })
    const directory = await connectDirectory(service, google, receiver.endpoint)
    await syncWell(service, directory)
    await receiver.until(() => receiver.events(directory.id).length === 29, 'the events of the first sync')
    await service.api('PATCH', `/${directory.id}`, { extdir_groups: [sales.id] })
    assert.deepEqual(
      [(await sync(service, directory)).state, (await contents(service, directory)).length > 100],
      ['held', true],
    )
    const hold = async () => (await service.api('GET', `/${directory.id}/hold`)).body.data as unknown as HoldView
    const { held, reason, removals, users } = await hold()
    assert.deepEqual(
      { held, reason, removals, users: users.length },
      {
        ...{ held: true, reason: 'sync', removals: 23, users: 22 },
      },
    )
    assert.equal((await service.api('POST', `/${directory.id}/hold/discard`)).status, 200)
    assert.equal((await hold()).held, false)
    assert.equal((await sync(service, directory)).state, 'held')
    assert.equal((await service.api('POST', `/${directory.id}/hold/release`)).status, 200)
    await eventually('the removals', async () => (await contents(service, directory)) === 'Sales ann bob')
    const removed = () => receiver.events(directory.id).filter(({ event }) => event.endsWith('.deleted'))
    await receiver.until(() => removed().length === 23, 'the removals')
  })

  test('a group that Google does not have fails the run; health and the run name it', async () => {
    await using pulled = await startPulledService(engine)
    const { google, service } = pulled
    addCompany(google)
    const directory = await connectDirectory(service, google, { extdir_groups: ['sales@example.com', 'typo'] })
    const { state, error } = await sync(service, directory)
    assert.deepEqual([state, await contents(service, directory)], ['failed', ''])
    assert.match(error ?? '', /has no group typo: correct extdir_groups/)
    assert.match((await reasons(service, directory))[0]?.message ?? '', /has no group typo/)
    await service.api('PATCH', `/${directory.id}`, { extdir_groups: ['sales@example.com'] })
    await syncWell(service, directory)
    assert.deepEqual(await reasons(service, directory), [])
  })

  test('a renamed group stays chosen; a deleted one takes its members along, and health names it', async () => {
    await using pulled = await startPulledService(engine)
    const { google, service } = pulled
    const { sales } = addCompany(google)
    const fields = { extdir_groups: ['sales@example.com'], extdir_org_units: ['/Press'] }
    const directory = await connectDirectory(service, google, fields)
    await syncWell(service, directory)
    google.renameGroup(sales.id, 'turnover@example.com', { dropOld: true })
    await syncWell(service, directory)
    assert.equal(await contents(service, directory), 'Sales ann bob cat dan')
    google.deleteGroup(sales.id)
    const { error } = await syncWell(service, directory)
    assert.match(error ?? '', /no longer has the group sales@example\.com: remove it/)
    assert.equal(await contents(service, directory), 'cat dan')
    const [{ code, message } = assert.fail('there is no reason')] = await reasons(service, directory)
    assert.equal(code, 'group-gone')
    assert.match(message, /sales@example\.com/)
    const listed = await service.api('GET', '/health?reason=group-gone')
    assert.ok(listed.text.includes(directory.id))
    await service.api('PATCH', `/${directory.id}`, { extdir_groups: [] })
    assert.deepEqual(await reasons(service, directory), [])
  })

  test('a setup link names the groups and units of the directory that it creates', async () => {
    await using pulled = await startPulledService(engine)
    const { google, service } = pulled
    addCompany(google)
    const fields = { extdir_groups: ['sales@example.com'], extdir_org_units: ['/Press'] }
    const { link, call } = await openLink(service, { tenant: 'acme', ...fields })
    assert.deepEqual({ extdir_groups: link.extdir_groups, extdir_org_units: link.extdir_org_units }, fields)
    await call('POST', '/directory', { type: 'okta-scim-v2' })
    const { data } = await call('POST', '/directory', { type: 'extdir' })
    assert.partialDeepStrictEqual(data.directory?.google, { groups: ['sales@example.com'], org_units: ['/Press'] })
    const other = await openLink(service, { tenant: 'globex', ...fields })
    const made = await other.call('POST', '/directory', { type: 'extdir' })
    assert.partialDeepStrictEqual(made.data.directory?.google, { org_units: ['/Press'] })
  })

  test('the holder of a setup link chooses groups and units, which the first sync then has', async () => {
    await using pulled = await startPulledService(engine)
    const { google, service } = pulled
    addCompany(google)
    const { link, call } = await openLink(service, { tenant: 'acme' })
    const chosen = { extdir_groups: ['support@example.com'] }
    assert.equal((await call('PUT', '/directory/google-scope', chosen)).status, 404)
    await call('POST', '/directory', { type: 'okta-scim-v2' })
    const refused = await call('PUT', '/directory/google-scope', chosen)
    assert.match(refused.text, /extdir_groups: only for directories of the type extdir/)
    await call('POST', '/directory', { type: 'extdir' })
    const many = Array.from({ length: 100 }, (_, n) => `/${String(n).padStart(490, '0')}`)
    const { data } = await call('PUT', '/directory/google-scope', { ...chosen, extdir_org_units: many })
    assert.partialDeepStrictEqual(data.directory?.google, { groups: ['support@example.com'], org_units: many })
    assert.equal((await call('PUT', '/directory/google-scope', { extdir_groups: ['no group'] })).status, 400)
    const { body } = await service.api('GET', `/setuplinks?id=${link.setupID}`)
    const { directoryId } = body.data as unknown as SetupLinkView
    const { accessToken, refreshToken } = google.issueTokens()
    const tokens = { extdir_access_token: accessToken, extdir_refresh_token: refreshToken }
    const connected = await service.api('PATCH', `/${directoryId}`, tokens)
    await syncWell(service, connected.body.data)
    assert.equal(await contents(service, connected.body.data), 'Support bob')
  })

  test('groups and units are refused where they have no effect', async () => {
    await using pulled = await startPulledService(engine)
    const { service } = pulled
    const scope = { tenant: 'acme', product: 'crm' }
    const fields = { extdir_groups: ['sales@example.com'] }
    const { id: directoryId } = await service.createDirectory({ ...scope, type: 'extdir' })
    const scim = await service.createDirectory(scope)
    for (const { answer, says } of [
      {
        answer: await service.api('POST', '', { ...scope, type: 'okta-scim-v2', ...fields }),
        says: /extdir_groups: only for directories of the type extdir/,
      },
      {
        answer: await service.api('PATCH', `/${scim.id}`, { extdir_org_units: ['/Press'] }),
        says: /extdir_org_units: only for directories of the type extdir/,
      },
      {
        answer: await service.api('POST', '/setuplinks', { ...scope, types: ['okta-scim-v2'], ...fields }),
        says: /extdir_groups: this link is not for Google Workspace/,
      },
      {
        answer: await service.api('POST', '/setuplinks', { ...scope, directoryId, ...fields }),
        says: /extdir_groups: leave it out when you send directoryId/,
      },
    ]) {
      assertApiError(answer, 400)
      assert.match(answer.text, says)
    }
    assert.equal((await service.api('PATCH', `/${scim.id}`, { extdir_groups: null, name: 'A' })).status, 200)
  })
})
