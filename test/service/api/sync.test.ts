import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HoldView } from '../../../src/delivery/hold/view.ts'
import type { HealthView } from '../../../src/diagnostics/health/view.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { SyncRunView } from '../../../src/google/sync/run-view.ts'
import type { PortalHealth } from '../../../src/setup/portal-health.ts'
import type { FakeGoogle } from '../../../tools/fake-google/server.ts'
import type { Answer, Client } from '../../support/client.ts'
import { authorizationPath, cookieOf } from '../../support/client.ts'
import { assertApiError } from '../../support/errors.ts'
import { eventually } from '../../support/eventually.ts'
import { connectDirectory, endOfLastSync, startPulledService, sync, syncWell } from '../../support/extdir.ts'
import { startReceiver } from '../../support/receiver.ts'
import { replicaRead } from '../../support/replica.ts'
import { forEachEngine } from '../../support/service.ts'
import { openLink } from './support/setup-link.ts'

/** `ann`, `bob`, … of example.com. */
function addUsers(google: FakeGoogle, ...names: readonly string[]) {
  return names.map((name) =>
    google.addUser({ primaryEmail: `${name}@example.com`, givenName: name, familyName: 'Doe' }),
  )
}

/** Enough users for a deletion of all of them to exceed the threshold. */
function addMany(google: FakeGoogle, count: number) {
  return addUsers(google, ...Array.from({ length: count }, (_, n) => `user-${n}`))
}

async function users(client: Client, { id }: DirectoryView) {
  const { body } = await client.api('GET', `/users?directoryId=${id}`)
  return body.data
}

const emailsOf = (rows: readonly { readonly email: string }[]) => rows.map(({ email }) => email).sort()

async function runs(client: Client, { id }: DirectoryView): Promise<SyncRunView[]> {
  const { status, body } = await client.api('GET', `/${id}/sync-runs`)
  assert.equal(status, 200)
  return body.data as unknown as SyncRunView[]
}

/** Returns an empty list of users while it is active. */
async function withEmptyAnswer<T>(google: FakeGoogle, call: () => Promise<T>): Promise<T> {
  google.onRequest = ({ endpoint }) => (endpoint === 'users.list' ? { kind: 'empty-list' } : undefined)
  try {
    return await call()
  } finally {
    google.onRequest = () => undefined
  }
}

/** Asserts the status and the message of an error. */
function refused(response: Answer, status: number, message: RegExp): void {
  assertApiError(response, status)
  assert.match(response.body.error.message, message)
}

forEachEngine((engine) => {
  test('a sync creates users, groups and members with signed events', async () => {
    await using pulled = await startPulledService(engine)
    await using receiver = await startReceiver()
    const { google, service } = pulled
    const [ann, bob] = addUsers(google, 'ann', 'bob')
    assert(ann && bob)
    google.suspendUser(bob.id)
    const group = google.addGroup({ email: 'crew@example.com', name: 'Crew' })
    google.addUserToGroup(group.id, ann.id)
    const directory = await connectDirectory(service, google, receiver.endpoint)
    const { created, members_added } = await syncWell(service, directory)
    assert.deepEqual({ created, members_added }, { created: 3, members_added: 1 })
    const rows = await users(service, directory)
    assert.deepEqual(
      rows.map(({ id, email, first_name, active }) => ({ id, email, first_name, active })).sort(byEmail),
      [
        { id: ann.id, email: 'ann@example.com', first_name: 'ann', active: true },
        { id: bob.id, email: 'bob@example.com', first_name: 'bob', active: false },
      ],
    )
    await receiver.until(() => receiver.events(directory.id).length >= 4, 'four events')
    assert.deepEqual(
      receiver
        .events(directory.id)
        .map(({ event }) => event)
        .sort(),
      ['group.created', 'group.user_added', 'user.created', 'user.created'],
    )
  })

  test('the first sync of a directory to adopt waits for the accounts, which its users then have', async () => {
    await using pulled = await startPulledService(engine)
    await using receiver = await startReceiver()
    const { google, service } = pulled
    addUsers(google, 'ann')
    const directory = await connectDirectory(service, google, { ...receiver.endpoint, adoption: 'hold' })
    await syncWell(service, directory)
    const { body } = await service.api('GET', `/${directory.id}/hold`)
    assert.partialDeepStrictEqual(body.data, { held: true, reason: 'adoption', first_sequence: 1 })
    await service.api('POST', `/${directory.id}/adoption`, [{ account_id: 'acct_1', email: 'Ann@example.com' }])
    const plan = (await service.api('GET', `/${directory.id}/adoption`)).body.data as unknown as { version: string }
    const applied = await service.api('POST', `/${directory.id}/adoption/apply`, { version: plan.version })
    assert.equal(applied.status, 202, applied.text)
    const [created] = await receiver.firstEvents(directory.id, 1)
    assert.partialDeepStrictEqual(created, { event: 'user.created', data: { account_id: 'acct_1' } })
  })

  test('a sync without changes writes nothing and sends nothing', async () => {
    await using pulled = await startPulledService(engine)
    const { google, service } = pulled
    const [ann] = addUsers(google, 'ann', 'bob')
    const group = google.addGroup({ email: 'crew@example.com', name: 'Crew' })
    google.addUserToGroup(group.id, ann?.id ?? '')
    const directory = await connectDirectory(service, google)
    await syncWell(service, directory)
    const before = await replicaRead(service, directory)
    const { created, updated, deleted, members_added, members_removed } = await syncWell(service, directory)
    assert.deepEqual([created, updated, deleted, members_added, members_removed], [0, 0, 0, 0, 0])
    assert.deepEqual(await replicaRead(service, directory), before)
    const { body } = await service.api('GET', `/feed?directoryId=${directory.id}`)
    assert.equal(body.data.length, 4, 'the events of the first sync only')
  })

  test('a sync responds immediately, and only one runs at a time', async () => {
    await using pulled = await startPulledService(engine)
    const { google, service } = pulled
    addUsers(google, 'ann')
    const directory = await connectDirectory(service, google)
    const release = Promise.withResolvers<void>()
    google.onRequest = () => ({ kind: 'slow', until: release.promise })
    const { status, body } = await service.api('POST', `/${directory.id}/sync`)
    const run = body.data as unknown as SyncRunView
    assert.deepEqual([status, run.state, run.finished_at], [202, 'running', null])
    refused(await service.api('POST', `/${directory.id}/sync`), 409, /already running/)
    const cron = await service.api('POST', '/api/v1/dsync/cron/sync-extdir')
    assert.deepEqual(cron.body.data, {
      runs: [],
      skipped: [{ directory_id: directory.id, reason: 'A sync of this directory is already running.' }],
    })
    release.resolve()
    google.onRequest = () => undefined
    await service.logged(({ runId }) => runId === run.id, 'the end of the run')
    const after = await service.api('GET', `/${directory.id}/sync-runs/${run.id}`)
    assert.equal((after.body.data as unknown as SyncRunView).state, 'completed')
  })

  test('a directory that cannot be synced is rejected with the reason', async () => {
    await using pulled = await startPulledService(engine)
    const { google, service } = pulled
    const scim = await service.createDirectory()
    refused(await service.api('POST', `/${scim.id}/sync`), 400, /only type extdir is pulled/)
    refused(await service.api('GET', `/${scim.id}/sync-runs`), 400, /only type extdir is pulled/)
    assertApiError(await service.api('POST', '/unknown/sync'), 404)
    const unconnected = await service.createDirectory({ type: 'extdir' })
    refused(await service.api('POST', `/${unconnected.id}/sync`), 409, /not connected yet/)
    const connected = await connectDirectory(service, google)
    refused(await service.api('POST', `/${connected.id}/sync?wait=maybe`), 400, /wait/)
    assertApiError(await service.api('GET', `/${connected.id}/sync-runs/unknown`), 404)
    assertApiError(await service.api('GET', `/${connected.id}/sync-runs?pageToken=nonsense`), 400)
    await service.api('PATCH', `/${connected.id}`, { deactivated: true })
    refused(await service.api('POST', `/${connected.id}/sync`), 403, /deactivated/)
  })

  test('the cron route syncs every directory, and a failure does not stop the others', async () => {
    await using pulled = await startPulledService(engine)
    const { google, service } = pulled
    addUsers(google, 'ann')
    const good = await connectDirectory(service, google)
    const unconnected = await service.createDirectory({ type: 'extdir' })
    const bad = await connectDirectory(service, google, { extdir_refresh_token: 'nonsense', extdir_access_token: 'no' })
    await service.createDirectory()
    const { status, body } = await service.api('POST', '/cron/sync-extdir?wait=true')
    assert.equal(status, 200)
    const { runs: ended, skipped } = body.data as unknown as {
      runs: SyncRunView[]
      skipped: { directory_id: string; reason: string }[]
    }
    const states = new Map(ended.map(({ directory_id, state }) => [directory_id, state]))
    assert.deepEqual([states.size, states.get(good.id), states.get(bad.id)], [2, 'completed', 'failed'])
    assert.deepEqual(
      skipped.map(({ directory_id }) => directory_id),
      [unconnected.id],
    )
  })

  test('an empty list deletes nobody: the run is held until it is approved', async () => {
    await using pulled = await startPulledService(engine)
    const { google, service } = pulled
    const people = addMany(google, 25)
    const directory = await connectDirectory(service, google)
    await syncWell(service, directory)
    const held = await withEmptyAnswer(google, () => sync(service, directory))
    assert.deepEqual([held.state, held.deleted, held.held], ['held', 0, 25])
    assert.equal((await users(service, directory)).length, 25)
    const list = await service.api('GET', `/${directory.id}/sync-runs/${held.id}/held`)
    assert.deepEqual(
      (list.body.data as unknown as { kind: string; id: string }[]).map(({ kind, id }) => `${kind} ${id}`).sort(),
      people.map(({ id }) => `user ${id}`).sort(),
    )
    const approved = await service.api('POST', `/${directory.id}/sync-runs/${held.id}/approve?wait=true`)
    const again = approved.body.data as unknown as SyncRunView
    assert.deepEqual([again.id, again.state, again.deleted], [held.id, 'completed', 0], 'they are there after all')
    assert.equal((await users(service, directory)).length, 25)
    refused(await service.api('POST', `/${directory.id}/sync-runs/${held.id}/approve`), 409, /holds no/)
  })

  test('an approved run deletes only users who are gone', async () => {
    await using pulled = await startPulledService(engine)
    const { google, service } = pulled
    const people = addMany(google, 25)
    const directory = await connectDirectory(service, google)
    await syncWell(service, directory)
    for (const { id } of people.slice(0, 10)) google.deleteUser(id)
    const held = await sync(service, directory)
    assert.deepEqual([held.state, held.held], ['held', 10])
    const [first] = people.slice(10)
    google.deleteUser(first?.id ?? '')
    const approved = await service.api('POST', `/${directory.id}/sync-runs/${held.id}/approve?wait=true`)
    assert.equal((approved.body.data as unknown as SyncRunView).state, 'completed', approved.text)
    assert.deepEqual(emailsOf(await users(service, directory)), emailsOf(google.users().map(emailed)))
  })

  test('a held run is shown, discarded and released like any other hold', async () => {
    await using pulled = await startPulledService(engine)
    const { google, service } = pulled
    const added = addUsers(google, 'ann', 'bob')
    const directory = await connectDirectory(service, google)
    await syncWell(service, directory)
    await withEmptyAnswer(google, () => sync(service, directory))
    const hold = async (call = '', accepted?: object) => {
      const path = `/${directory.id}/hold${call}`
      const { status, body } = await service.api(call === '' ? 'GET' : 'POST', path, accepted)
      assert.equal(status, 200)
      return body.data as unknown as HoldView
    }
    const { held, reason, removals, active_users, first_sequence, users: listed } = await hold()
    assert.deepEqual([held, reason, removals, active_users, first_sequence], [true, 'sync', 2, 2, null])
    assert.deepEqual(emailsOf(listed), ['ann@example.com', 'bob@example.com'], 'a small directory is held as well')
    const { reasons, version } = await hold()
    assert.partialDeepStrictEqual(reasons, [
      { reason: 'sync', removals: 2, highest: 2, first_sequence: null, roles: [] },
    ])
    assert.equal((await hold('/release', { reasons: ['users', 'roles'] })).held, true, 'it is held for another reason')
    await withEmptyAnswer(google, () => sync(service, directory))
    assertApiError(await service.api('POST', `/${directory.id}/hold/release`, { version }), 409)
    const latest = await hold()
    assert.equal((await hold('/discard', { version: latest.version, reasons: ['sync'] })).held, false)
    assert.equal((await users(service, directory)).length, 2)
    for (const { id } of added) google.deleteUser(id)
    assert.equal((await sync(service, directory)).state, 'held')
    assert.equal((await hold('/release')).held, false)
    await eventually('the deletions', async () => (await users(service, directory)).length === 0)
  })

  test('held deletions wait for approval, however many users are added in the meantime', async () => {
    await using pulled = await startPulledService(engine)
    const { google, service } = pulled
    const people = addMany(google, 25)
    const directory = await connectDirectory(service, google)
    await syncWell(service, directory)
    for (const { id } of people) google.deleteUser(id)
    addUsers(google, ...Array.from({ length: 100 }, (_, n) => `newcomer-${n}`))
    const first = await sync(service, directory)
    const second = await sync(service, directory)
    assert.deepEqual([first.state, first.held, second.state, second.held, second.deleted], ['held', 25, 'held', 25, 0])
    const approved = await service.api('POST', `/${directory.id}/sync-runs/${second.id}/approve?wait=true`)
    assert.equal((approved.body.data as unknown as SyncRunView).deleted, 25)
  })

  test('a later sync that finds everybody supersedes the held run', async () => {
    await using pulled = await startPulledService(engine)
    const { google, service } = pulled
    addMany(google, 25)
    const directory = await connectDirectory(service, google)
    await syncWell(service, directory)
    const held = await withEmptyAnswer(google, () => sync(service, directory))
    await syncWell(service, directory)
    const [latest, before, first] = await runs(service, directory)
    assert.deepEqual([latest?.state, before?.state, first?.state], ['completed', 'superseded', 'completed'])
    assertApiError(await service.api('POST', `/${directory.id}/sync-runs/${held.id}/approve`), 409)
  })

  test('the threshold is configurable', async () => {
    await using pulled = await startPulledService(engine, { DSYNC_EXTDIR_MAX_DELETE_PERCENT: '100' })
    const { google, service } = pulled
    const people = addMany(google, 25)
    const directory = await connectDirectory(service, google)
    await syncWell(service, directory)
    for (const { id } of people) google.deleteUser(id)
    const { deleted } = await syncWell(service, directory)
    assert.equal(deleted, 25)
    assert.deepEqual(await users(service, directory), [])
  })

  test('a directory with a domain contains only users of that domain', async () => {
    await using pulled = await startPulledService(engine, {}, { domains: ['example.com', 'other.example'] })
    const { google, service } = pulled
    addUsers(google, 'ann')
    google.addUser({ primaryEmail: 'zoe@other.example' })
    const directory = await connectDirectory(service, google, { extdir_domain: 'other.example' })
    await syncWell(service, directory)
    assert.deepEqual(emailsOf(await users(service, directory)), ['zoe@other.example'])
  })

  test('a service account syncs a directory without consent', async () => {
    await using pulled = await startPulledService(engine)
    const { google, service } = pulled
    addUsers(google, 'ann')
    const account = google.registerServiceAccount()
    const directory = await service.createDirectory({
      type: 'extdir',
      extdir_service_account: account,
      extdir_subject: google.adminEmail,
    })
    await syncWell(service, directory)
    assert.deepEqual(emailsOf(await users(service, directory)), ['ann@example.com'])
    assert.equal(JSON.stringify(directory).includes(account.private_key), false)
  })

  test('renewed and rotated tokens are stored', async () => {
    await using pulled = await startPulledService(engine)
    const { google, service } = pulled
    addUsers(google, 'ann')
    google.knobs.rotatesRefreshTokens = true
    const directory = await connectDirectory(service, google)
    for (const _ of [1, 2, 3]) {
      google.expireAccessTokens()
      await syncWell(service, directory)
    }
    assert.equal(google.requests.of('token'), 3)
  })

  test('a withdrawn consent requires authorization once; nothing is deleted and no more requests are sent', async () => {
    await using pulled = await startPulledService(engine)
    const { google, service } = pulled
    addUsers(google, 'ann')
    const directory = await connectDirectory(service, google)
    await syncWell(service, directory)
    google.revokeAll()
    const run = await sync(service, directory)
    assert.deepEqual([run.state, run.deleted], ['failed', 0])
    const { body } = await service.api('GET', `/${directory.id}`)
    assert.deepEqual(statusOf(body.data), { extdir_authorization_status: 'needs_authorization' })
    const before = google.requests.total()
    refused(await service.api('POST', `/${directory.id}/sync`), 409, /consent/)
    await service.api('POST', '/cron/sync-extdir?wait=true')
    assert.equal(google.requests.total(), before)
    await consent(service, authorizationPath(body.data))
    const after = await service.api('GET', `/${directory.id}`)
    assert.deepEqual(statusOf(after.body.data), { extdir_authorization_status: 'authorized' })
    assert.equal((await endOfLastSync(service, directory)).trigger, 'consent')
  })

  test('a consent starts the first sync; health says whether further ones are scheduled', async () => {
    for (const { settings, scheduled } of [
      { settings: {}, scheduled: true },
      { settings: { DSYNC_EXTDIR_CRON_INTERVAL: '0' }, scheduled: false },
    ]) {
      await using pulled = await startPulledService(engine, settings)
      const { google, service } = pulled
      addUsers(google, 'ann')
      const directory = await service.createDirectory({ type: 'extdir' })
      await consent(service, authorizationPath(directory))
      const { trigger, state } = await endOfLastSync(service, directory)
      assert.deepEqual([trigger, state], ['consent', 'completed'])
      assert.equal((await users(service, directory)).length, 1)
      const health = async () => {
        const { body } = await service.api('GET', `/${directory.id}/health`)
        const { reasons } = body.data as unknown as HealthView
        return reasons.map(({ code }) => code)
      }
      assert.deepEqual(await health(), scheduled ? [] : ['sync-not-scheduled'])
      const { status, text } = await service.api('GET', '/health?reason=sync-not-scheduled')
      assert.deepEqual([status, text.includes(directory.id)], [200, !scheduled])
      await service.api('POST', '/cron/sync-extdir?wait=true')
      assert.deepEqual(await health(), [])
    }
  })

  test('the setup portal shows the sync that the consent has started, and whether syncs repeat', async () => {
    for (const { settings, repeats } of [
      { settings: {}, repeats: true },
      { settings: { DSYNC_EXTDIR_CRON_INTERVAL: '0' }, repeats: false },
    ]) {
      await using pulled = await startPulledService(engine, settings)
      const { google, service } = pulled
      addUsers(google, 'ann')
      const { call } = await openLink(service, { tenant: 'acme' })
      const { data } = await call('POST', '/directory', { type: 'extdir' })
      assert.equal(data.directory?.google?.is_scheduled, repeats)
      const health = async () => (await call('GET', '/health')).data as unknown as PortalHealth
      assert.partialDeepStrictEqual(await health(), { state: 'waiting', last_sync: null })
      const { url } = (await call('POST', '/authorization-url')).data as unknown as { readonly url: string }
      await consent(service, new URL(url).pathname + new URL(url).search)
      await eventually('the sync', async () => (await health()).state === 'healthy')
      assert.equal((await health()).last_sync?.has_failed, false)
    }
  })

  test('runs are listed newest first, in pages', async () => {
    await using pulled = await startPulledService(engine)
    const { google, service } = pulled
    const directory = await connectDirectory(service, google)
    const ids = []
    for (let n = 0; n < 3; n++) ids.unshift((await syncWell(service, directory)).id)
    const first = await service.api('GET', `/${directory.id}/sync-runs?pageLimit=2`)
    const rest = await service.api('GET', `/${directory.id}/sync-runs?pageLimit=2&pageToken=${first.body.pageToken}`)
    assert.deepEqual(
      [...first.body.data, ...rest.body.data].map(({ id }) => id),
      ids,
    )
    assert.equal(rest.body.pageToken, undefined)
  })

  test('a list that never ends fails the run after about a hundred requests, and the operator is notified', async () => {
    await using receiver = await startReceiver()
    const { webhook_url, webhook_secret } = receiver.endpoint
    const notices = { OPERATOR_WEBHOOK_URL: webhook_url, OPERATOR_WEBHOOK_SECRET: webhook_secret }
    await using pulled = await startPulledService(engine, notices)
    const { google, service } = pulled
    addUsers(google, 'ann')
    google.addGroup({ email: 'crew@example.com', name: 'Crew' })
    const directory = await connectDirectory(service, google)
    await syncWell(service, directory)
    for (const list of ['users.list', 'groups.list', 'members.list'] as const) {
      let requests = 0
      google.onRequest = ({ endpoint }) => {
        if (endpoint !== list) return undefined
        requests += 1
        return { kind: 'empty-page' }
      }
      const { state, error } = await sync(service, directory)
      assert.equal(state, 'failed')
      assert.match(error ?? '', /does not end/)
      assert.ok(requests > 1 && requests < 110, `${requests} requests of ${list}`)
    }
    const isFailure = ({ body }: { readonly body: string }) => body.includes('"sync.failed"')
    await receiver.until(() => receiver.attempts.some(isFailure), 'a notice')
    google.onRequest = () => undefined
    await syncWell(service, directory)
    assert.equal((await users(service, directory)).length, 1)
  })

  test('a run that waits for Google ends when its directory is deactivated', async () => {
    await using pulled = await startPulledService(engine)
    const { google, service } = pulled
    const directory = await connectDirectory(service, google)
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    google.onRequest = ({ endpoint }) => {
      if (endpoint !== 'users.list') return undefined
      asked.resolve()
      return { kind: 'slow', until: answered.promise }
    }
    const ended = sync(service, directory)
    await asked.promise
    await service.api('PATCH', `/${directory.id}`, { deactivated: true })
    const { state, error } = await ended
    answered.resolve()
    assert.deepEqual([state, error], ['failed', 'The directory was deactivated.'])
  })

  test('directories are synced automatically at an interval', async () => {
    await using pulled = await startPulledService(engine, { DSYNC_EXTDIR_CRON_INTERVAL: '1' })
    const { google, service } = pulled
    addUsers(google, 'ann')
    const directory = await connectDirectory(service, google)
    await service.logged(({ directoryId, state }) => directoryId === directory.id && state === 'completed', 'a run')
    assert.equal((await runs(service, directory))[0]?.trigger, 'interval')
  })
})

/** Consents like an administrator who opens the authorization URL. */
async function consent(service: Client, path: string): Promise<void> {
  const begun = await service.request('GET', path)
  const consented = await fetch(String(begun.headers['location']), { redirect: 'manual' })
  const back = new URL(consented.headers.get('location') ?? '')
  const page = await service.request('GET', back.pathname + back.search, { headers: cookieOf(begun) })
  assert.equal(page.status, 200, page.text)
}

const byEmail = (a: { readonly email: string }, b: { readonly email: string }) => (a.email < b.email ? -1 : 1)
const emailed = ({ primaryEmail }: { readonly primaryEmail: string }) => ({ email: primaryEmail })

function statusOf(row: object): object {
  return {
    extdir_authorization_status: Object.entries(row).find(([key]) => key === 'extdir_authorization_status')?.[1],
  }
}
