import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newStream } from '../../../src/delivery/event-store.ts'
import type { DirectoryActivity } from '../../../src/diagnostics/health/health-store.ts'
import type { ChangeBehavior } from '../../../src/directory/behaviors.ts'
import type { Store } from '../../../src/store/store.ts'
import type { StoreUnderTest } from './database.ts'
import {
  addDirectory,
  addGroup,
  addUsers,
  cause,
  changedUser,
  committed,
  delta,
  userEvent,
  writesTo,
} from './samples.ts'

const endpoint = { url: 'https://acme.example/events', secret: 'whsec_x', previousSecret: undefined }
const nothing = {
  lastRequestAt: undefined,
  lastSuccessAt: undefined,
  tested: undefined,
  failed: undefined,
  feedReadAt: undefined,
}

async function healthOf(store: Store, id: string, overdueUntil = 0) {
  return (await store.storedHealth([id], overdueUntil)).get(id) ?? assert.fail('there is no health')
}

async function shownIn(store: Store, id: string): Promise<ChangeBehavior[]> {
  const { behaviors } = await healthOf(store, id)
  return (Object.keys(behaviors) as ChangeBehavior[]).filter((behavior) => behaviors[behavior] !== undefined)
}

export function healthContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: a commit records the observed behaviors, alone and together with others`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { id } = directory
    const writes = writesTo(store, directory)
    assert.deepEqual(await shownIn(store, id), [])
    const [ann, bob] = await addUsers(store, directory, ['ann', 'bob'])
    if (ann === undefined || bob === undefined) return assert.fail()
    assert.deepEqual(await shownIn(store, id), ['user_created'])
    committed(await writes.replaceUser(ann, changedUser(ann, { title: 'x' })))
    assert.deepEqual(await shownIn(store, id), ['user_created', 'user_updated'])
    const { group } = await addGroup(store, directory, 'Everyone', [ann, bob])
    assert.deepEqual((await shownIn(store, id)).slice(2), ['group_pushed', 'member_added'])
    committed(await writes.changeMembers(group, delta([], [bob])))
    committed(await writes.deleteUser(bob))
    assert.deepEqual((await shownIn(store, id)).slice(2), [
      ...['user_deleted', 'group_pushed', 'member_added', 'member_removed'],
    ])
    const later = { ...cause, at: cause.at + 5 }
    committed(await store.deleteUser(directory, changedUser(ann, {}), userEvent('user.deleted', ann), later))
    const { behaviors, lastChangeAt, lastSequence } = await healthOf(store, id)
    assert.deepEqual(behaviors.user_deleted, { firstAt: cause.at, lastAt: later.at })
    assert.deepEqual(behaviors.user_created, { firstAt: cause.at, lastAt: cause.at })
    assert.deepEqual([lastChangeAt, lastSequence], [later.at, 9])
  })

  test(`${engine}: activity is added up, and a request with the right secret ends a series of failed ones`, async () => {
    const store = await openStore()
    const { id: directoryId } = await addDirectory(store)
    const gone = await addDirectory(store)
    await store.deleteDirectory(gone.id, 0)
    const add = (activity: Partial<DirectoryActivity>) =>
      store.recordActivity([
        { ...nothing, directoryId, ...activity },
        { ...nothing, directoryId: gone.id, ...activity },
      ])
    const failedAt = (at: number, count = 1) => ({
      count,
      lastAt: at,
      lastAddress: `10.0.0.${at}`,
      sinceSuccess: count,
      withSecret: 1,
      since: at,
    })
    await add({ failed: { ...failedAt(1, 2), problem: 'the first' } })
    await add({ failed: { ...failedAt(5), problem: 'the token has expired' } })
    assert.deepEqual((await healthOf(store, directoryId)).failed, {
      ...{ count: 3, lastAt: 5, lastAddress: '10.0.0.5', sinceSuccess: 3, withSecret: 2, since: 1 },
      problem: 'the token has expired',
    })
    await add({ lastRequestAt: 7, lastSuccessAt: 6, tested: { firstAt: 6, lastAt: 6 } })
    await add({ lastRequestAt: 8, failed: failedAt(9), feedReadAt: 3 })
    await add({ lastRequestAt: 10, tested: { firstAt: 10, lastAt: 11 } })
    const { failed, lastRequestAt, lastSuccessAt, tested, feedReadAt } = await healthOf(store, directoryId)
    assert.deepEqual(failed, {
      count: 4,
      lastAt: 9,
      lastAddress: '10.0.0.9',
      sinceSuccess: 0,
      withSecret: 0,
      since: undefined,
    })
    assert.deepEqual([lastRequestAt, lastSuccessAt, feedReadAt], [10, 6, 3])
    assert.deepEqual(tested, { firstAt: 6, lastAt: 11 })
    assert.equal((await store.storedHealth([gone.id, 'nobody', 'nul\0'], 0)).size, 0)
  })

  test(`${engine}: failed requests before one with the right secret are counted for a day`, async () => {
    const store = await openStore()
    const { id: directoryId } = await addDirectory(store)
    const day = 86_400_000
    const add = async (activity: Partial<DirectoryActivity>) => {
      await store.recordActivity([{ ...nothing, directoryId, ...activity }])
      return (await healthOf(store, directoryId)).failedBeside
    }
    const failed = (at: number, sinceSuccess: number) => ({
      ...{ count: 4, lastAt: at, lastAddress: undefined, sinceSuccess, withSecret: sinceSuccess },
      since: sinceSuccess === 0 ? undefined : at,
    })
    assert.equal(await add({ failed: failed(1, 4) }), undefined)
    assert.deepEqual(await add({ lastRequestAt: 2 }), { count: 4, at: 2 })
    assert.deepEqual(await add({ lastRequestAt: 3 }), { count: 4, at: 2 }, 'no failure in between')
    assert.deepEqual(await add({ lastRequestAt: 5, failed: failed(6, 2), failedBefore: 2 }), { count: 6, at: 5 })
    assert.deepEqual(await add({ failed: failed(7, 4) }), { count: 6, at: 5 })
    assert.deepEqual(await add({ lastRequestAt: day + 4 }), { count: 12, at: day + 4 })
    assert.deepEqual(await add({ failed: failed(3 * day, 4) }), { count: 12, at: day + 4 })
    assert.deepEqual(await add({ lastRequestAt: 3 * day + 1 }), { count: 4, at: 3 * day + 1 }, 'the others are old')
  })

  test(`${engine}: health has the stream, its dead events, the oldest event that waits and overdue deprovisionings`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store, { endpoint })
    const { id } = directory
    assert.partialDeepStrictEqual(await healthOf(store, id), { stream: newStream, oldestUndeliveredAt: undefined })
    const [ann] = await addUsers(store, directory, ['ann', 'bob', 'cyd'])
    if (ann === undefined) return assert.fail()
    committed(await store.deleteUser(directory, ann, userEvent('user.deleted', ann), { ...cause, receivedAt: 500 }))
    const leased = await store.leaseStream(id, 'endpoint', 'me', 60_000)
    if (typeof leased === 'string') return assert.fail(leased)
    const state = { ...newStream, deliveredSequence: 2, failures: 1, lastError: 'answered 500' }
    const dead = [1, 2].map((sequence) => ({ sequence, diedAt: 10 * sequence, reason: 'answered 400' }))
    await store.recordStream(leased.lease, state, { dead })
    assert.partialDeepStrictEqual(await healthOf(store, id, 500), {
      ...{ stream: state, deadEvents: 2, deadSince: 10, oldestUndeliveredAt: cause.at, overdue: 1, overdueSince: 500 },
    })
    await store.recordStream(leased.lease, { ...state, deliveredSequence: 4 }, {})
    assert.partialDeepStrictEqual(await healthOf(store, id, 499), {
      ...{ oldestUndeliveredAt: undefined, overdue: 0, overdueSince: undefined },
    })
  })
}
