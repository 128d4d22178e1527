import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schedule } from '../../../src/concurrency/schedule.ts'
import { createTimeSlices } from '../../../src/concurrency/time-slices.ts'
import { CursorDiverged } from '../../../src/delivery/feed/divergence.ts'
import { createFeed } from '../../../src/delivery/feed/feed.ts'
import { silentLogger } from '../../../src/delivery/observer.ts'
import { createFeedStore } from './support/feed-store.ts'

const scope = { tenant: 'acme', product: 'crm' }

function openFeed() {
  const memory = createFeedStore()
  const feed = createFeed({
    secret: 'a secret of the service',
    store: memory.store,
    clock: Date.now,
    schedule,
    slices: createTimeSlices(),
    log: silentLogger,
    streamLimits: { total: 0, perCaller: 0, perTenant: 0 },
  })
  const read = async (query: object) => {
    const { events, next } = await feed.page({ ...scope, ...query })
    return { found: events.map(({ event, directory }) => `${directory.id}:${event.sequence}`), next }
  }
  /** The directories that a query reports as diverged, and the cursor to go on with. */
  const diverged = async (query: object) => {
    const error = await read(query).then(
      () => assert.fail('nothing diverged'),
      (thrown: unknown) => thrown,
    )
    assert(error instanceof CursorDiverged, String(error))
    assert.equal(error.code, 'cursor-diverged')
    return { directories: error.directoryIds, next: error.next }
  }
  return { ...memory, read, diverged }
}

test('the directory read longest ago comes first, so that a busy one does not starve the others', async () => {
  const { commit, read } = openFeed()
  commit('busy', 100)
  commit('quiet', 1)
  commit('calm', 1)
  const first = await read({ limit: 2 })
  assert.deepEqual(first.found, ['busy:1', 'busy:2'])
  const second = await read({ limit: 2, after: first.next })
  assert.deepEqual(second.found, ['quiet:1', 'calm:1'])
  const third = await read({ limit: 2, after: second.next })
  assert.deepEqual(third.found, ['busy:3', 'busy:4'])
})

test('a new directory joins with its first event, and a deleted one drops out', async () => {
  const { commit, read, remove } = openFeed()
  commit('a', 1)
  commit('b', 1)
  const { next } = await read({})
  remove('a')
  commit('c', 2)
  commit('b', 1)
  const after = await read({ after: next })
  assert.deepEqual(after.found, ['c:1', 'c:2', 'b:2'])
  assert(after.next.length <= next.length, 'the cursor does not keep deleted directories')
})

test('without new events the cursor stays the same', async () => {
  const { commit, read } = openFeed()
  assert.deepEqual(await read({}), await read({}))
  commit('a', 3)
  const { next } = await read({})
  assert.deepEqual(await read({ after: next }), { found: [], next })
})

test('a cursor before the first stored event continues with that event', async () => {
  const { commit, read, keepFrom } = openFeed()
  commit('a', 10)
  const { next } = await read({ limit: 1 })
  keepFrom('a', 8)
  assert.deepEqual((await read({ after: next })).found, ['a:8', 'a:9', 'a:10'])
  keepFrom('a', 11)
  const none = await read({ after: next })
  assert.deepEqual(none.found, [])
  commit('a', 1)
  assert.deepEqual((await read({ after: none.next })).found, ['a:11'])
})

for (const { what, events } of [
  { what: 'none follows', events: 0 },
  { what: 'fewer follow', events: 1 },
  { what: 'as many follow', events: 3 },
  { what: 'more follow', events: 50 },
]) {
  test(`a cursor diverges when the last events were lost and ${what}, and continues with the events after that`, async () => {
    const { commit, loseFrom, read, diverged } = openFeed()
    commit('a', 10)
    commit('b', 10)
    const { next: after } = await read({})
    loseFrom('a', 8)
    commit('a', events)
    commit('b', 1)
    const { directories, next } = await diverged({ after })
    assert.deepEqual(directories, ['a'])
    commit('a', 1)
    assert.deepEqual((await read({ after: next })).found, ['b:11', `a:${8 + events}`])
  })
}

test('every directory whose last event is lost is reported at once', async () => {
  const { commit, loseFrom, read, diverged } = openFeed()
  for (const id of ['a', 'b', 'c']) commit(id, 5)
  const { next: after } = await read({})
  for (const id of ['a', 'c']) loseFrom(id, 3)
  const { directories, next } = await diverged({ after })
  assert.deepEqual(directories, ['a', 'c'])
  assert.deepEqual((await read({ after: next })).found, [])
})

test('after a divergence, a reader continues with a resync that is already running', async () => {
  const { commit, loseFrom, beginResync, read, diverged } = openFeed()
  commit('a', 10)
  const { next: after } = await read({})
  loseFrom('a', 8)
  commit('a', 1)
  beginResync('a', 3)
  const { next } = await diverged({ after })
  assert.deepEqual((await read({ after: next })).found, ['a:9', 'a:10', 'a:11'])
})

test('the last event can also be named by its sequence and id; by its sequence alone it is not compared', async () => {
  const { commit, loseFrom, read, diverged } = openFeed()
  commit('a', 5)
  const from = (after: string) => ({ directoryId: 'a', after })
  assert.deepEqual((await read(from('4:event-4'))).found, ['a:5'])
  loseFrom('a', 4)
  commit('a', 2)
  assert.deepEqual((await read(from('3:event-3'))).found, ['a:4', 'a:5'])
  assert.deepEqual((await diverged(from('4:event-4'))).directories, ['a'])
  assert.deepEqual((await diverged(from('5:event-5'))).directories, ['a'])
  assert.deepEqual((await read(from('4'))).found, ['a:5'])
  assert.deepEqual((await diverged(from('6'))).directories, ['a'])
})

test('a position that says only the sequence is compared from the next cursor on', async () => {
  const { commit, loseFrom, read, diverged } = openFeed()
  commit('a', 5)
  const { next: after } = await read({ directoryId: 'a', after: 5 })
  loseFrom('a', 5)
  commit('a', 1)
  assert.deepEqual((await diverged({ directoryId: 'a', after })).directories, ['a'])
})

test('a cursor whose event is no longer kept is not compared', async () => {
  const { commit, keepFrom, read } = openFeed()
  commit('a', 5)
  const { next } = await read({})
  keepFrom('a', 6)
  assert.deepEqual(await read({ after: next }), { found: [], next })
  commit('a', 1)
  assert.deepEqual((await read({ after: next })).found, ['a:6'])
})

test('a scope with too many directories is rejected', async () => {
  const { commit, read } = openFeed()
  for (let n = 1; n <= 300; n += 1) commit(`d${n}`, 1)
  assert.equal((await read({ limit: 1000 })).found.length, 300)
  commit('d301', 1)
  await assert.rejects(read({}), { code: 'invalid-input', message: /more than 300 directories/ })
  assert.deepEqual((await read({ directoryId: 'd301' })).found, ['d301:1'])
})
