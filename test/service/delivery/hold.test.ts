import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HoldView } from '../../../src/delivery/hold/view.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { Answer, Client } from '../../support/client.ts'
import { apiPrefix } from '../../support/client.ts'
import { assertApiError } from '../../support/errors.ts'
import { openEventStream } from '../../support/event-stream.ts'
import { waitForMetrics } from '../../support/metrics.ts'
import { applyEvent, emptyCopy, inOrderOfIds, replicaOf } from '../../support/rebuilt.ts'
import { startReceiver } from '../../support/receiver.ts'
import { replicaRead } from '../../support/replica.ts'
import { forEachEngine, serviceForSuite, startTestService, testApiKey } from '../../support/service.ts'

/** A limit that holds the third removal of eight users. */
const limit = { percent: 25, minimum: 2, window_seconds: 3600 }

type Service = Client & { createDirectory(fields?: object): Promise<DirectoryView> }

async function populated(service: Service, fields: object = {}, count = 8) {
  const directory = await service.createDirectory({ removal_limit: limit, ...fields })
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    const { body } = await service.scim(directory, 'POST', '/Users', { userName: `user-${n}@acme.example` })
    ids.push(body.id)
  }
  return { directory, ids }
}

async function setActive(service: Client, directory: DirectoryView, ids: readonly string[], active: boolean) {
  for (const id of ids) {
    const { status } = await service.scim(directory, 'PATCH', `/Users/${id}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'active', value: active }],
    })
    assert.equal(status, 200)
  }
}

const holdIn = ({ status, body }: Answer): HoldView => {
  assert.equal(status, 200)
  return body.data as unknown as HoldView
}

async function holdOf(service: Client, { id }: DirectoryView, query = ''): Promise<HoldView> {
  return holdIn(await service.api('GET', `/${id}/hold${query}`))
}

forEachEngine((engine) => {
  const service = serviceForSuite(engine, { DSYNC_REMOVAL_LIMIT_PERCENT: '' })

  test('removals beyond the limit are held and shown, and a release sends them', async () => {
    await using receiver = await startReceiver()
    const { directory, ids } = await populated(service(), receiver.endpoint)
    const before = await holdOf(service(), directory)
    const ofRoles = { role: null, role_users: null, keep_at_least: null }
    const nothing = { ...ofRoles, held: false, since: null, reason: null, first_sequence: null, users: [] }
    const none = { reasons: [], version: null }
    assert.deepEqual(before, { ...nothing, ...none, limit, removals: 0, active_users: 8 })
    await setActive(service(), directory, ids.slice(0, 5), false)
    const { since, users, reasons, ...hold } = await holdOf(service(), directory)
    assert.deepEqual(hold, {
      ...{ ...ofRoles, held: true, reason: 'users', limit, removals: 5, active_users: 8, first_sequence: 11 },
      version: 'users:11',
    })
    const shown = { reason: 'users', since, first_sequence: 11, limit, removals: 5, highest: 8, users, roles: [] }
    assert.deepEqual(reasons, [{ ...shown, version: 11 }])
    assert.match(String(since), /^\d{4}-\d\d-\d\dT.*Z$/)
    assert.deepEqual(
      users.map(({ id, email, returned_at }) => ({ id, email, returned_at })),
      ids.slice(0, 5).map((id, n) => ({ id, email: `user-${n}@acme.example`, returned_at: null })),
    )
    await setActive(service(), directory, ids.slice(4, 5), true)
    const returned = await holdOf(service(), directory)
    assert.notEqual(returned.users[4]?.returned_at, null)
    assert.equal(returned.removals, 4)
    const stateOf = async () => {
      const { body } = await service().api('GET', `/${directory.id}/delivery`)
      return (body.data as { state?: unknown }).state
    }
    assert.equal(await stateOf(), 'held')
    const health = await service().api('GET', `/${directory.id}/health`)
    assert.partialDeepStrictEqual(health.body.data, { delivery: { state: 'held' } })
    const first = await service().api('GET', `/${directory.id}/hold?pageLimit=4`)
    const rest = await holdOf(service(), directory, `?pageLimit=4&pageToken=${first.body.pageToken}`)
    assert.deepEqual([holdIn(first).users.length, rest.users.length], [4, 1])
    await receiver.firstEvents(directory.id, 10)
    assert.equal((await service().api('POST', `/${directory.id}/test-event`)).status, 200)
    await service().api('POST', `/${directory.id}/replay`, { sequence: 1 })
    await receiver.until(() => receiver.events(directory.id).length === 12, 'the test event and the replay')
    const page = await service().api('GET', `/feed?directoryId=${directory.id}`)
    const { data, held } = page.body as unknown as { data: unknown[]; held: unknown }
    assert.equal(data.length, 10)
    assert.deepEqual(held, { directory_id: directory.id, since })
    const released = holdIn(await service().api('POST', `/${directory.id}/hold/release`))
    assert.deepEqual(released, { ...nothing, ...none, limit, removals: 0, active_users: 4 })
    await receiver.until(() => receiver.events(directory.id).length === 16, 'the held events')
    assert.deepEqual(holdIn(await service().api('POST', `/${directory.id}/hold/release`)), released)
    assert.equal(await stateOf(), 'flowing')
    assert.equal('held' in (await service().api('GET', `/feed?directoryId=${directory.id}`)).body, false)
  })

  test('the delivery of a held directory says so, also without an endpoint and while it is deactivated', async () => {
    const { directory, ids } = await populated(service())
    const stateOf = async () => {
      const { body } = await service().api('GET', `/${directory.id}/delivery`)
      return (body.data as { state?: unknown }).state
    }
    assert.equal(await stateOf(), 'off')
    await setActive(service(), directory, ids.slice(0, 3), false)
    assert.equal(await stateOf(), 'held')
    await service().api('PATCH', `/${directory.id}`, { deactivated: true })
    assert.equal(await stateOf(), 'held')
    await service().api('POST', `/${directory.id}/hold/release`)
    assert.equal(await stateOf(), 'off')
  })

  test('a discarded hold is replaced by a resync, without a gap and without a removal that was undone', async () => {
    await using receiver = await startReceiver()
    const { directory, ids } = await populated(service(), receiver.endpoint)
    const [gone = '', ...others] = ids
    await service().scim(directory, 'DELETE', `/Users/${gone}`)
    await setActive(service(), directory, others.slice(0, 4), false)
    await service().scim(directory, 'POST', '/Groups', { displayName: 'Sales', members: [{ value: ids[7] }] })
    await setActive(service(), directory, others.slice(1, 4), true)
    assert.equal((await holdOf(service(), directory)).first_sequence, 11)
    const discarded = holdIn(await service().api('POST', `/${directory.id}/hold/discard`))
    assert.equal(discarded.held, false)
    await receiver.until(() => receiver.events(directory.id).some(({ event }) => event === 'sync.completed'))
    const received = receiver.events(directory.id)
    assert.deepEqual(
      received.map(({ sequence }) => sequence),
      received.map((_, index) => index + 1),
    )
    assert.equal(received[10]?.event, 'sync.started')
    const removals = received.filter(
      ({ event, data }) => event === 'user.deleted' || (event === 'user.updated' && !data.active),
    )
    assert.deepEqual(
      removals.map(({ data }) => data.id),
      [gone, others[0]],
    )
    const copy = emptyCopy()
    for (const event of received) applyEvent(copy, event)
    assert.deepEqual(replicaOf(copy), inOrderOfIds(await replicaRead(service(), directory)))
    assert.equal(holdIn(await service().api('POST', `/${directory.id}/hold/discard`)).held, false)
  })

  test('other directories of a feed continue, and a stream says which one is held', async () => {
    const { directory, ids } = await populated(service(), { tenant: 'feeds-held' })
    const other = await service().createDirectory({ tenant: 'feeds-held' })
    await using stream = await openEventStream(
      `${service().origin}${apiPrefix}/feed?tenant=feeds-held&product=${directory.product}`,
      { authorization: `Api-Key ${testApiKey}` },
    )
    await stream.first(8)
    await setActive(service(), directory, ids.slice(0, 3), false)
    await service().scim(other, 'POST', '/Users', { userName: 'ann' })
    const { since } = await holdOf(service(), directory)
    await stream.line((line) => line === `: held ${JSON.stringify({ directory_id: directory.id, since })}`)
    const events = await stream.first(11)
    assert.equal(events.filter(({ event }) => event === 'user.updated').length, 2)
  })

  test('the limit is set for each directory, and null turns it off', async () => {
    const plain = await service().createDirectory()
    assert.deepEqual(plain.removal_limit, { percent: 30, minimum: 20, window_seconds: 3600 })
    const { directory, ids } = await populated(service(), { removal_limit: null })
    assert.equal(directory.removal_limit, null)
    await setActive(service(), directory, ids, false)
    assert.equal((await holdOf(service(), directory)).held, false)
    const changed = await service().api('PATCH', `/${directory.id}`, { removal_limit: { percent: 50 } })
    assert.deepEqual(changed.body.data.removal_limit, { percent: 50, minimum: 20, window_seconds: 3600 })
    for (const removal_limit of [{ percent: 101 }, { minimum: -1 }, { window_seconds: 0 }, { windows: 1 }, 30, 'off']) {
      const refused = await service().api('PATCH', `/${directory.id}`, { removal_limit })
      assertApiError(refused, 400)
      assert.match(refused.body.error.message, /removal_limit/)
    }
    assertApiError(await service().api('GET', '/unknown/hold'), 404)
    assertApiError(await service().api('POST', '/unknown/hold/discard'), 404)
    assertApiError(await service().api('GET', `/${directory.id}/hold?pageToken=no`), 400)
  })

  test('metrics count the held directories and removals', async () => {
    await using counting = await startTestService(engine)
    await waitForMetrics(counting, /^rollcall_held_directories 0$/m, /^rollcall_held_removals 0$/m)
    const { directory, ids } = await populated(counting)
    await setActive(counting, directory, ids.slice(0, 6), false)
    await waitForMetrics(counting, /^rollcall_held_directories 1$/m, /^rollcall_held_removals 4$/m)
  })
})
