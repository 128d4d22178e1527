import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Directory } from '../../../src/directory/directory.ts'
import type { EventType, EventWrite } from '../../../src/directory/event.ts'
import { toJsonText } from '../../../src/scim/json-text.ts'
import type { Store } from '../../../src/store/store.ts'
import { eventually } from '../../support/eventually.ts'
import type { StoreUnderTest } from './database.ts'
import { closeWhenPurged, tables } from './database.ts'
import { productReader } from './product-feed.ts'
import { addDirectory, addGroup, addUsers, cause, committed, typesOf, userEvent } from './samples.ts'

const endpoint = { url: 'https://acme.example/', secret: 'whsec_x', previousSecret: undefined }
const longMs = 60_000

function eventOf({ id, name }: Directory, eventType: EventType & `directory.${string}`): EventWrite {
  return { event: { eventType, data: toJsonText({ id, name }) }, cause }
}

const remove = (store: Store, directory: Directory, at = cause.at) =>
  store.deleteDirectory(directory.id, at, undefined, eventOf(directory, 'directory.deleted'))

const sentTypes = async (store: Store, { id }: Directory) => typesOf(await store.eventsAfter(id, 0, 100))

async function turn(store: Store, directory: Directory, deactivated: boolean): Promise<Directory> {
  const after = { ...directory, deactivated, revision: directory.revision + 1 }
  const event = eventOf(directory, deactivated ? 'directory.deactivated' : 'directory.activated')
  assert.equal(await store.replaceDirectory(after, undefined, { event }), 'replaced')
  return after
}

export function leavingContract(engine: string, { createDatabase, openStore }: StoreUnderTest): void {
  test(`${engine}: the creation of a directory can be its first event, which its endpoint receives`, async () => {
    const store = await openStore()
    const directory = { ...(await addDirectory(store)), id: 'created-with-event', endpoint }
    const event = eventOf(directory, 'directory.created')
    assert.equal(await store.createDirectory(directory, undefined, 0, event), 'created')
    assert.deepEqual(await sentTypes(store, directory), ['directory.created'])
    assert.equal(await store.hadEvents(directory.id), false, 'nothing has changed in it')
    const leased = await store.leaseStream(directory.id, 'endpoint', 'me', longMs)
    assert.equal(typeof leased === 'object' && leased.state.deliveredSequence, 0)
    await addUsers(store, directory, ['ada'])
    assert.deepEqual(await sentTypes(store, directory), ['directory.created', 'user.created'])
  })

  test(`${engine}: a deactivated directory is sent up to its deactivation, and the rest once it is active`, async () => {
    const store = await openStore()
    const active = await addDirectory(store, { endpoint })
    await addUsers(store, active, ['ada'])
    const off = await turn(store, active, true)
    await addUsers(store, off, ['late'])
    const first = ['user.created', 'directory.deactivated']
    assert.deepEqual(await sentTypes(store, off), first)
    assert.equal((await store.feedEvents(off.id, 0, 9, 1_000_000)).length, 3, 'the feed has all')
    const due = async () => (await store.directoriesDue('endpoint', 'me', 0, '', 999)).directories.map(({ id }) => id)
    assert.ok((await due()).includes(off.id))
    const leased = await store.leaseStream(off.id, 'endpoint', 'me', longMs)
    assert.ok(typeof leased === 'object')
    await store.recordStream(leased.lease, { ...leased.state, deliveredSequence: 2 })
    assert.ok(!(await due()).includes(off.id))
    const on = await turn(store, off, false)
    assert.ok((await due()).includes(on.id))
    assert.deepEqual(await sentTypes(store, on), [...first, 'user.created', 'directory.activated'])
  })

  test(`${engine}: of a deleted directory, the events can still be sent and read, with the deletion as the last`, async () => {
    await using database = await createDatabase()
    let store = await database.open()
    const product = 'leaving'
    const directory = await addDirectory(store, { product, endpoint })
    const users = await addUsers(store, directory, ['ada', 'ben'])
    await addGroup(store, directory, 'Everyone', users)
    await store.changeStream(directory.id, 'endpoint', {
      apply: (state) => ({ ...state, failures: 4, pause: { reason: 'gone', at: 1 } }),
      endsLease: true,
    })
    const before = await sentTypes(store, directory)
    assert.equal(await remove(store, directory, 1_000), true)
    assert.equal(await remove(store, directory), false)

    assert.equal(await store.getDirectory(directory.id), undefined)
    const recipient = await store.getDirectory(directory.id, 'leaving')
    assert.deepEqual([recipient?.endpoint, recipient?.deletedAt], [endpoint, 1_000])
    assert.deepEqual(await store.leavingDirectories({ tenant: directory.tenant, product }), [recipient])
    assert.deepEqual(await store.listDirectories({}, { limit: 9 }), [])
    const types = [...before, 'directory.deleted']
    assert.deepEqual(await sentTypes(store, directory), types)
    const { id, tenant } = directory
    assert.deepEqual((await store.directoriesDue('endpoint', 'me', 0, '', 9)).directories, [{ id, tenant }])
    const leased = await store.leaseStream(id, 'endpoint', 'me', longMs)
    assert.ok(typeof leased === 'object')
    assert.deepEqual([leased.state.pause, leased.state.failures], [undefined, 0], 'nobody can resume it')
    for (const scope of [{ directoryId: id }, { tenant, product }]) {
      const [found] = await store.feedDirectories(scope, 9)
      assert.deepEqual([found?.id, found?.lastSequence, found?.isDeleted], [id, types.length, true])
    }
    const reader = productReader(store, product)
    await reader.readToEnd()
    assert.deepEqual(
      reader.receivedOf(directory),
      types.map((_, index) => index + 1),
    )

    const kept = new Set(['directories', 'directory_state', 'delivery_streams', 'events', 'event_volumes', 'feed_runs'])
    await eventually('all but the events to be purged', async () => {
      await store.close()
      const rows = await database.rowsOf(tables)
      store = await database.open()
      return tables.every((table, index) => kept.has(table) || !JSON.stringify(rows[index]).includes(id))
    })
    assert.deepEqual(await sentTypes(store, directory), types, 'after a restart')

    assert.deepEqual(await store.forgetDirectories(1_000, 9), [])
    assert.deepEqual(await store.forgetDirectories(1_001, 9), [{ id, undelivered: types.length }])
    assert.equal(await store.getDirectory(id, 'leaving'), undefined)
    assert.equal(await store.leaseStream(id, 'endpoint', 'me', longMs), 'none')
    await closeWhenPurged(database, store, id)
    const rows = await database.rowsOf(tables)
    assert.deepEqual(
      tables.filter((_, index) => JSON.stringify(rows[index]).includes(id)),
      [],
    )
  })

  test(`${engine}: held events are not sent when their directory is deleted, but its deletion is`, async () => {
    const store = await openStore()
    const removalLimit = { percent: 0, minimum: 1, windowSeconds: 3600 }
    const directory = await addDirectory(store, { endpoint, removalLimit })
    const users = await addUsers(store, directory, ['ada', 'ben', 'cleo'])
    for (const user of users) committed(await store.deleteUser(directory, user, userEvent('user.deleted', user), cause))
    const sent = await sentTypes(store, directory)
    assert.equal(sent.length, 4, 'the second removal is held')
    assert.equal(await remove(store, directory), true)
    assert.deepEqual(await sentTypes(store, directory), [...sent, 'directory.deleted'])
    assert.deepEqual(await store.getHolds(directory.id), [])
    assert.equal((await store.eventsAfter(directory.id, 4, 9))[0]?.sequence, 5)
  })

  test(`${engine}: a deactivated directory that is deleted sends what has waited, and its deletion`, async () => {
    const store = await openStore()
    const off = await turn(store, await addDirectory(store, { endpoint }), true)
    await addUsers(store, off, ['late'])
    assert.equal(await remove(store, off), true)
    assert.deepEqual(await sentTypes(store, off), ['directory.deactivated', 'user.created', 'directory.deleted'])
  })

  for (const deactivated of [true, false]) {
    test(`${engine}: a discard of a hold reports again whether its directory is active: ${!deactivated}`, async () => {
      const store = await openStore()
      const removalLimit = { percent: 0, minimum: 1, windowSeconds: 3600 }
      let directory = await addDirectory(store, { endpoint, removalLimit })
      const users = await addUsers(store, directory, ['ada', 'ben'])
      for (const user of users)
        committed(await store.deleteUser(directory, user, userEvent('user.deleted', user), cause))
      directory = await turn(store, directory, true)
      if (!deactivated) directory = await turn(store, directory, false)
      const before = await sentTypes(store, directory)
      const request = { directoryId: directory.id, syncId: 'sync-1', requestId: 'request-9', startedAt: cause.at }
      assert.ok(await store.discardHold(request))
      const state = deactivated ? 'directory.deactivated' : 'directory.activated'
      assert.deepEqual(await sentTypes(store, directory), [...before, 'sync.started', state])
      await addUsers(store, directory, ['cleo'])
      assert.equal((await sentTypes(store, directory)).length, before.length + (deactivated ? 2 : 3))
    })
  }
}
