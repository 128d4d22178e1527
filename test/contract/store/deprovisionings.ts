import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newStream } from '../../../src/delivery/event-store.ts'
import type { Directory } from '../../../src/directory/directory.ts'
import type { EventDraft } from '../../../src/directory/event.ts'
import type { IndexedUser } from '../../../src/directory/user.ts'
import { toJsonText } from '../../../src/scim/json-text.ts'
import type { Store } from '../../../src/store/store.ts'
import type { StoreUnderTest } from './database.ts'
import { addDirectory, addUsers, cause, changedUser, committed, userEvent } from './samples.ts'

const endpoint = { url: 'https://acme.example/events', secret: 'whsec_x', previousSecret: undefined }
const dayMs = 24 * 3_600_000

/** A request that arrived half a second before its change, long after those of other tests. */
const request = { requestId: 'deprovisioning', at: cause.at + 1_000, receivedAt: cause.at + 500 }

export function deprovisioningContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: the commit of a deletion or deactivation opens a deprovisioning; other changes do not`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const [ann, bob, cyd, dan] = await fourUsers(store, directory)
    await Promise.all([remove(store, directory, ann), deactivate(store, directory, bob)])
    // Alone, one user is changed by another statement on PostgreSQL.
    await deactivate(store, directory, cyd)
    await store.replaceUser(directory, dan, changedUser(dan, { title: 'x' }), userEvent('user.updated', dan), request)
    const open = await store.openDeprovisionings(directory.id, 9)
    assert.deepEqual(
      open.map(({ subject, userId, receivedAt }) => [subject, userId, receivedAt]).sort(),
      [ann, bob, cyd].map(({ userName, id }) => [userName, id, request.receivedAt]).sort(),
    )
    const events = await store.eventsAfter(directory.id, 4, 9)
    const reported = events.slice(0, 3).map(({ sequence }) => sequence)
    assert.deepEqual(
      open.map(({ sequence }) => sequence),
      reported,
    )
    assert.equal((await store.openDeprovisionings(directory.id, 2)).length, 2)
  })

  test(`${engine}: several users that are deactivated and deleted together all open one`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const users = await fourUsers(store, directory)
    await Promise.all(users.map((user) => deactivate(store, directory, user)))
    const inactive = await Promise.all(users.map(async ({ id }) => present(await store.getUser(directory.id, id))))
    await Promise.all(
      inactive.map((user) => remove(store, directory, { ...user, emails: [], searched: { values: [], names: [] } })),
    )
    const open = await store.openDeprovisionings(directory.id, 20)
    assert.deepEqual(open.map(({ userId }) => userId).sort(), [...users, ...users].map(({ id }) => id).sort())
  })

  test(`${engine}: the record of a stream ends the deprovisionings that were delivered, each once`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store, { endpoint })
    const [ann, bob, cyd] = await fourUsers(store, directory)
    for (const user of [ann, bob, cyd]) await remove(store, directory, user)
    const leased = await store.leaseStream(directory.id, 'endpoint', 'me', 60_000)
    if (typeof leased === 'string') return assert.fail(leased)
    const at = request.receivedAt + 2_000
    const state = { ...newStream, deliveredSequence: 6 }
    const deprovisioned = [5, 6, 4].map((sequence) => ({ sequence, at }))
    const first = await store.recordStream(leased.lease, state, { deprovisioned })
    assert.deepEqual(first, { deprovisionMs: [2_000, 2_000] })
    assert.equal(await store.recordStream(leased.lease, state, { deprovisioned }), 'recorded')
    const [last, ...others] = await store.openDeprovisionings(directory.id, 9)
    assert.deepEqual([last?.subject, others], [cyd.userName, []])
    const dead = [{ sequence: 7, diedAt: at, reason: 'answered 400' }]
    await store.recordStream(leased.lease, { ...state, deliveredSequence: 7 }, { dead })
    assert.equal((await store.openDeprovisionings(directory.id, 9)).length, 1, 'a dead event stays open')
    const late = [{ sequence: 7, at: at + dayMs }]
    await store.recordStream(leased.lease, { ...state, deliveredSequence: 7 }, { replayed: [7], deprovisioned: late })
    const counted = async (since: number) =>
      (await store.deprovisionTimes(directory.id, since)).map(({ count }) => count)
    assert.deepEqual(await counted(at), [2, 1])
    assert.deepEqual(await counted(at + dayMs), [1], 'those of earlier days are left out')
    const [short] = await store.deprovisionTimes(directory.id, at)
    assert.ok(Math.abs((short?.ms ?? 0) / 2_000 - 1) <= 0.026, `${short?.ms} ms`)
    const stale = { ...leased.lease, token: leased.lease.token - 1 }
    assert.equal(await store.recordStream(stale, state, { deprovisioned }), 'lost')
  })

  test(`${engine}: a reader of the feed ends the deprovisionings up to its position`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const [ann, bob] = await fourUsers(store, directory)
    for (const user of [ann, bob]) await remove(store, directory, user)
    const reader = async () => (await store.feedDirectories({ directoryId: directory.id }, 1))[0]?.reader
    assert.equal((await reader())?.firstDeprovisioning, 5)
    assert.deepEqual(await store.endDeprovisionings(directory.id, 5, request.receivedAt + 10), [10])
    assert.equal((await reader())?.firstDeprovisioning, 6)
    assert.deepEqual(await store.endDeprovisionings(directory.id, 4, request.receivedAt), [])
    await store.replaceDirectory({ ...directory, endpoint, revision: directory.revision + 1 })
    assert.equal(await reader(), undefined)
    const open = await store.openDeprovisionings(directory.id, 9)
    assert.deepEqual(open, [], 'nothing sends earlier events to a first endpoint')
  })

  test(`${engine}: overdue deprovisionings are counted, reported once, and removed when they are old`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const long = { requestId: 'long-ago', at: 1_000 }
    const users = await fourUsers(store, directory)
    for (const user of users.slice(0, 2)) {
      committed(await store.deleteUser(directory, user, userEvent('user.deleted', user), long))
    }
    assert.equal(await store.countOpenDeprovisionings(999, 9), 0)
    assert.equal(await store.countOpenDeprovisionings(1_000, 9), 2)
    assert.equal(await store.countOpenDeprovisionings(1_000, 1), 1)
    const taken = await Promise.all([store.takeOverdue(1_000, 9), store.takeOverdue(1_000, 9)])
    assert.deepEqual(
      taken.flat().map(({ directoryId, sequence }) => [directoryId, sequence]),
      [5, 6].map((sequence) => [directory.id, sequence]),
    )
    assert.deepEqual(await store.takeOverdue(1_000, 9), [])
    assert.equal(await store.pruneDeprovisionings(1_001, 1), 1)
    assert.equal(await store.pruneDeprovisionings(1_001, 9), 1)
    assert.equal(await store.countOpenDeprovisionings(1_000, 9), 0)
  })
}

async function fourUsers(store: Store, directory: Directory) {
  const [ann, bob, cyd, dan] = await addUsers(store, directory, ['ann', 'bob', 'cyd', 'dan'])
  if (ann === undefined || bob === undefined || cyd === undefined || dan === undefined) return assert.fail()
  return [ann, bob, cyd, dan] as const
}

function remove(store: Store, directory: Directory, user: IndexedUser) {
  return store.deleteUser(directory, user, userEvent('user.deleted', user), request).then(committed)
}

function deactivate(store: Store, directory: Directory, user: IndexedUser) {
  const after = changedUser(user, { active: false })
  const changes = toJsonText({ active: { from: true, to: false } })
  const event: EventDraft = { ...userEvent('user.updated', after), changes }
  return store.replaceUser(directory, user, after, event, request).then(committed)
}

function present<T>(value: T | undefined): T {
  return value ?? assert.fail('it does not exist')
}
