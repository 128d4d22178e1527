import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditReport } from '../../src/admin/audit/verify.ts'
import type { HoldView } from '../../src/delivery/hold/view.ts'
import type { DirectoryView } from '../../src/directory/directory-view.ts'
import { verifyReceipt } from '../../src/privacy/receipt.ts'
import { cookieOf } from '../support/client.ts'
import { dataOf, statusWhen } from '../support/delivery.ts'
import { eventually } from '../support/eventually.ts'
import { connectDirectory, startPulledService, sync, syncWell } from '../support/extdir.ts'
import type { ReceivedEvent } from '../support/receiver.ts'
import { startReceiver } from '../support/receiver.ts'
import { forSuite, onEveryEngine } from '../support/service.ts'
import { adminSettings, events, login, makeKey, rootToken } from './admin/support/admin.ts'
import { openLink } from './api/support/setup-link.ts'
import { openImportBench } from './import/support/import.ts'
import { emptyPolis, someContents, somePolisGroup, somePolisUser } from './import/support/memory-polis.ts'
import { createClient, scimWith, tokenOf } from './oauth/support/clients.ts'

/** A story of each family of routes, in `npm test` the only tests of the whole service on PostgreSQL. */
onEveryEngine((engine) => {
  const pulled = forSuite(() => startPulledService(engine, adminSettings))
  const receiver = forSuite(() => startReceiver())
  const service = () => pulled().service

  /** A directory of a tenant of its own, whose events go to the receiver. */
  const createDirectory = (tenant: string, fields: object = {}) =>
    service().createDirectory({ tenant, ...receiver().endpoint, ...fields })

  /** Sends a SCIM request, which must succeed. */
  async function scim(directory: Pick<DirectoryView, 'scim'>, method: string, path: string, body?: object) {
    const answer = await service().scim(directory, method, path, body)
    assert(answer.status < 300, answer.text)
    return answer.body
  }
  const createUser = async (directory: DirectoryView, userName: string, more: object = {}) =>
    (await scim(directory, 'POST', '/Users', { userName, ...more })).id
  const createGroup = async (directory: DirectoryView, displayName: string, ...ids: readonly string[]) =>
    (await scim(directory, 'POST', '/Groups', { displayName, members: ids.map((value) => ({ value })) })).id
  const replace = (directory: DirectoryView, path: string, value: object) =>
    scim(directory, 'PATCH', path, { Operations: [{ op: 'replace', value }] })

  const call = async <T>(method: string, path: string, body?: object): Promise<T> =>
    dataOf<T>(await service().api(method, path, body))
  const list = (path: string) => call<readonly Readonly<Record<string, unknown>>[]>('GET', path)
  const idsOf = (rows: readonly { readonly id?: unknown }[]) => rows.map(({ id }) => id)
  const feedOf = ({ id }: DirectoryView) => call<readonly ReceivedEvent[]>('GET', `/feed?directoryId=${id}`)

  /** The types of the first events that the receiver gets of a directory. */
  async function received({ id }: Pick<DirectoryView, 'id'>, count: number) {
    return (await receiver().firstEvents(id, count)).map(({ event }) => event)
  }

  test('what a provider does over SCIM arrives as signed events, and the product reads it', async () => {
    const directory = await createDirectory('provisioned', { product: 'stories' })
    const [ann, bob] = [
      await createUser(directory, 'ann@acme.example'),
      await createUser(directory, 'bob@acme.example'),
    ]
    assert.equal((await service().scim(directory, 'POST', '/Users', { userName: 'ANN@acme.example' })).status, 409)
    assert.partialDeepStrictEqual(await list('/refused-requests?product=stories'), [{ status: 409 }])
    const group = await createGroup(directory, 'Sales', ann, bob)
    await replace(directory, `/Users/${ann}`, { title: 'Manager' })
    const found = await scim(directory, 'GET', `/Users?filter=${encodeURIComponent('title eq "manager"')}`)
    assert.deepEqual(idsOf(found.Resources), [ann])
    for (const scope of [`directoryId=${directory.id}`, 'product=stories']) {
      assert.deepEqual(idsOf(await list(`/users?${scope}`)), [ann, bob])
      assert.deepEqual(idsOf(await list(`/users?${scope}&search=bob`)), [bob])
      assert.deepEqual(idsOf(await list(`/users?${scope}&group=${group}`)), [ann, bob])
      assert.deepEqual(idsOf(await list(`/groups?${scope}&name=Sales`)), [group])
      const since = 'updated_since=2020-01-01T00:00:00Z'
      assert.deepEqual(new Set(idsOf(await list(`/users?${scope}&${since}`))), new Set([ann, bob]))
      assert.deepEqual(idsOf(await list(`/groups?${scope}&${since}`)), [group])
    }
    await scim(directory, 'DELETE', `/Users/${ann}`)
    assert.deepEqual(await list(`/groups/${group}/members?directoryId=${directory.id}`), [{ user_id: bob }])
    const joined = ['group.user_added', 'group.user_added']
    const expected = ['user.created', 'user.created', 'group.created', ...joined, 'user.updated', 'user.deleted']
    assert.deepEqual(await received(directory, expected.length), expected)
    const delivered = await receiver().firstEvents(directory.id, expected.length)
    assert.deepEqual(await feedOf(directory), delivered)
    assert.deepEqual(await list('/feed?product=stories'), delivered)
    assert.deepEqual(idsOf(await list(`/users?directoryId=${directory.id}`)), [bob])
  })

  test('a pull from Google creates users and groups, and a run that would delete everybody waits for approval', async () => {
    const { google } = pulled()
    const ann = google.addUser({ primaryEmail: 'ann@example.com', givenName: 'Ann', familyName: 'Doe' })
    const crew = google.addGroup({ email: 'crew@example.com', name: 'Crew' })
    google.addUserToGroup(crew.id, ann.id)
    const directory = await connectDirectory(service(), google, { tenant: 'pulled', ...receiver().endpoint })
    const { created, members_added } = await syncWell(service(), directory)
    assert.deepEqual({ created, members_added }, { created: 2, members_added: 1 })
    assert.deepEqual(await received(directory, 3), ['user.created', 'group.created', 'group.user_added'])
    google.deleteUser(ann.id)
    const run = await sync(service(), directory)
    assert.equal(run.state, 'held', 'it would delete every user')
    assert.deepEqual(idsOf(await list(`/${directory.id}/sync-runs/${run.id}/held`)), [ann.id])
    const trace = await call<{ readonly events: readonly object[] }>('GET', `/requests/${run.id}`)
    assert.deepEqual(trace.events, [])
    assert.deepEqual(idsOf(await list(`/users?directoryId=${directory.id}`)), [ann.id])
    await call('POST', `/${directory.id}/sync-runs/${run.id}/approve?wait=true`)
    assert.deepEqual(await list(`/users?directoryId=${directory.id}`), [])
    assert.equal((await received(directory, 4)).at(-1), 'user.deleted')
  })

  test('an administrator connects a provider with a setup link, and sees that it works', async () => {
    const { call: portal } = await openLink(service(), { tenant: 'set-up', ...receiver().endpoint })
    assert.equal((await portal('GET')).data.directory, null)
    const { data } = await portal('POST', '/directory', { type: 'okta-scim-v2' })
    const { pathname: path } = new URL(data.directory?.scim_endpoint ?? '')
    const connection = { scim: { path, secret: data.secret ?? '', endpoint: '' } }
    const { id } = await scim(connection, 'POST', '/Users', { userName: 'ann@set-up.example' })
    const [directory = assert.fail()] = await call<readonly DirectoryView[]>('GET', '?tenant=set-up&product=crm')
    const events = await receiver().firstEvents(directory.id, 2)
    assert.deepEqual(
      events.map(({ event, data }) => [event, data.id]),
      [
        ['directory.created', directory.id],
        ['user.created', id],
      ],
    )
    assert.partialDeepStrictEqual((await portal('GET', '/health')).data, { state: 'healthy' })
    await portal('POST', '/directory/rotate-secret')
    assert.equal((await service().scim(connection, 'GET', '/Users')).status, 401)
    await call('DELETE', '/setuplinks?tenant=set-up&product=crm')
    assert.equal((await portal('GET')).status, 410)
    const [link] = await list('/setuplinks/all?tenant=set-up&product=crm')
    assert.deepEqual([link?.['state'], link?.['directoryId']], ['revoked', directory.id])
  })

  test('a new mapping gives users roles and attributes in a run, and the product gets the changes', async () => {
    const directory = await createDirectory('mapped')
    const [ann, bob] = [await createUser(directory, 'ann', { title: 'it' }), await createUser(directory, 'bob')]
    await createGroup(directory, 'Admins', ann)
    const mapping = {
      attributes: { department: { from: ['title'], transform: [{ map: { it: 'Engineering' } }] } },
      roles: { default: ['member'], rules: [{ id: 'admins', role: 'admin', when: { group_name: 'Admins' } }] },
    }
    await call('PUT', `/${directory.id}/mapping`, { mapping })
    await eventually('the run to be completed', async () => {
      const { run } = await call<{ readonly run: { readonly state: string } }>('GET', `/${directory.id}/mapping`)
      return run.state === 'completed'
    })
    const scope = `directoryId=${directory.id}`
    const user = await call('GET', `/users/${ann}?${scope}`)
    assert.partialDeepStrictEqual(user, { roles: ['admin'], attributes: { department: 'Engineering' } })
    assert.deepEqual(idsOf(await list(`/users?${scope}&role=member`)), [bob])
    const changes = (await receiver().firstEvents(directory.id, 6))
      .slice(4)
      .map(({ data, changes: of }) => [data.id, of?.['roles']?.to])
    assert.deepEqual(changes, [
      [ann, ['admin']],
      [bob, ['member']],
    ])
  })

  test('a person who is erased is found nowhere, and the receipt proves it', async () => {
    const directory = await createDirectory('erasing', { log_webhook_events: true, log_scim_requests: true })
    const id = await createUser(directory, 'zoe@acme.example', { name: { givenName: 'Zoë' } })
    await createGroup(directory, 'Sales', id)
    await replace(directory, `/Users/${id}`, { active: false })
    await received(directory, 4)
    await statusWhen(service(), directory.id, ({ undelivered }) => undelivered === 0)
    await call('POST', `/${directory.id}/pause`)
    const person = { tenant: 'erasing', product: 'crm', subject: 'zoe@acme.example' }
    const { users } = await call<{ readonly users: readonly object[] }>('POST', '/privacy/export', person)
    assert.equal(users.length, 1)
    // While nothing is being sent, an erasure does not have to wait for other processes.
    const { receipt } = await call<{ readonly receipt: string }>('POST', '/privacy/erase', person)
    const keys = (await service().request('GET', '/.well-known/jwks.json')).body as unknown
    const verified = await verifyReceipt(receipt, keys as Parameters<typeof verifyReceipt>[1])
    assert('receipt' in verified)
    assert.deepEqual(verified.receipt.users, [{ directory_id: directory.id, id }])
    const scope = `directoryId=${directory.id}`
    assert.deepEqual(await list(`/users?${scope}`), [])
    for (const path of [`/feed?${scope}`, `/events?${scope}`, `/${directory.id}/requests`]) {
      const rows = await list(path)
      assert(rows.length > 0 && !/zoe|Zoë/i.test(JSON.stringify(rows)), path)
    }
    await call('POST', `/${directory.id}/resume`)
    assert.deepEqual((await received(directory, 6)).slice(4), ['user.deleted', 'user.erased'])
  })

  test('a directory of Polis is imported, and its provider continues with the secret that it has', async () => {
    const polis = emptyPolis()
    const contents = someContents()
    const [ann, leads] = [somePolisUser('ann'), somePolisGroup('Leads')]
    polis.contents.push({ ...contents, users: [ann], groups: [leads], members: new Map([[leads.id, [ann.id]]]) })
    await using bench = await openImportBench(engine)
    const plan = await bench.run(polis, 'plan')
    const { totals } = await bench.run(polis, 'apply')
    assert.deepEqual([totals, totals.users.created, totals.members.created], [plan.totals, 1, 1])
    assert.equal((await bench.run(polis, 'verify')).difference_count, 0)
    await bench.withService(async (imported) => {
      const { id, scim: connection } = contents.directory
      const [shown] = dataOf<readonly object[]>(await imported.api('GET', `/users?directoryId=${id}`))
      assert.partialDeepStrictEqual(shown, { id: ann.id, email: ann.email })
      const renamed = { Operations: [{ op: 'replace', path: 'title', value: 'Manager' }] }
      const target = { scim: { ...connection, endpoint: '' } }
      assert.equal((await imported.scim(target, 'PATCH', `/Users/${ann.id}`, renamed)).status, 200)
      const [event] = dataOf<readonly ReceivedEvent[]>(await imported.api('GET', `/feed?directoryId=${id}`))
      assert.deepEqual([event?.event, event?.data.id], ['user.updated', ann.id])
    })
  })

  test('an admin makes an API key, which signs in to the console, and the audit trail has every change', async () => {
    const admin = await login(service())
    const { id, key } = await makeKey(admin, 'of a customer', { tenant: 'audited' })
    const { origin } = service()
    const signedIn = await service().request('POST', '/console/session', {
      body: { api_key: key },
      headers: { origin },
    })
    assert.equal(signedIn.status, 201)
    const asKey = (method: string, path: string, body?: object) =>
      service().request(method, path, { body, headers: { origin, ...cookieOf(signedIn) } })
    const created = await asKey('POST', '/api/v1/directory-sync', { tenant: 'audited', product: 'crm' })
    assert.equal(created.status, 201, created.text)
    assert.equal((await asKey('POST', '/api/v1/directory-sync', { tenant: 'acme', product: 'crm' })).status, 403)
    assert.equal((await admin.admin('DELETE', `/apikey/${id}`)).status, 200)
    assert.equal((await asKey('GET', '/api/v1/directory-sync?product=crm')).status, 401)
    const trail = await events(admin, { tenant: 'audited', to: '2100-01-01' })
    assert.deepEqual(
      trail.map(({ action }) => action),
      ['api_key.deleted', 'directory.created', 'api_key.created'],
    )
    const report = dataOf<AuditReport>(await admin.admin('GET', '/event/verify'))
    assert.equal(report.ok, true)
    assert(!JSON.stringify(trail).includes(rootToken))
  })

  test('removals beyond the limit are held until an operator releases them', async () => {
    const removal_limit = { percent: 25, minimum: 1, window_seconds: 3600 }
    const directory = await createDirectory('held', { removal_limit })
    const ids: string[] = []
    for (const name of ['ann', 'bob', 'cem', 'dan']) ids.push(await createUser(directory, name))
    for (const id of ids.slice(0, 3)) await scim(directory, 'DELETE', `/Users/${id}`)
    const hold = await call<HoldView>('GET', `/${directory.id}/hold`)
    assert.deepEqual([hold.held, hold.removals, idsOf(hold.users)], [true, 3, ids.slice(0, 3)])
    assert.partialDeepStrictEqual(await call('GET', '/overview?tenant=held'), { directories: { total: 1, held: 1 } })
    const [health] = await list('/health?held=true&tenant=held')
    assert.partialDeepStrictEqual(health, { directory_id: directory.id, delivery: { state: 'held' } })
    const before = (await feedOf(directory)).length
    assert.equal((await call<HoldView>('POST', `/${directory.id}/hold/release`)).held, false)
    const all = await received(directory, 7)
    assert.deepEqual([before, all.slice(4)], [5, ['user.deleted', 'user.deleted', 'user.deleted']])
    assert.equal((await service().api('POST', `/${directory.id}/resync`)).status, 202)
    const resynced = (await received(directory, 10)).slice(7)
    assert.deepEqual(resynced, ['sync.started', 'user.snapshot', 'sync.completed'])
  })

  test('a provider signs in with the client credentials of a directory, until they are deleted', async () => {
    const directory = await createDirectory('credentials', { scim_auth: 'oauth' })
    const client = await createClient(service(), directory)
    const token = await tokenOf(service(), client)
    const created = await scimWith(service(), directory, token, 'POST', '/Users', { userName: 'ann' })
    assert.equal(created.status, 201, created.text)
    assert.equal((await service().scim(directory, 'GET', '/Users')).status, 401, 'the secret of the directory')
    const [event] = await receiver().firstEvents(directory.id, 1)
    assert.equal(event?.data.id, created.body.id)
    const [shown] = await list(`/${directory.id}/oauth-clients`)
    assert.equal(shown?.['client_id'], client.client_id)
    await call('DELETE', `/${directory.id}/oauth-clients/${client.client_id}`)
    assert.equal((await scimWith(service(), directory, token)).status, 401)
  })
})
