import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Directory } from '../../../src/directory/directory.ts'
import type { RemovalLimit } from '../../../src/directory/removal-limit.ts'
import type { IndexedUser } from '../../../src/directory/user.ts'
import { indexedUser } from '../../../src/directory/user.ts'
import { fromJsonText } from '../../../src/scim/json-text.ts'
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
  replacedBy,
  someUser,
  typesOf,
  userEvent,
  writesTo,
} from './samples.ts'

const limit: RemovalLimit = { percent: 30, minimum: 20, windowSeconds: 3600 }
const start = 0

const names = (count: number) => Array.from({ length: count }, (_, index) => `user-${index}`)

/** A directory with a limit and some users. */
async function populated(store: Store, count: number, removalLimit: RemovalLimit | null = limit) {
  const directory = await addDirectory(store, { removalLimit })
  return { directory, users: await addUsers(store, directory, names(count)) }
}

async function deleteAll(store: Store, directory: Directory, users: readonly IndexedUser[], at = cause.at) {
  const removed = users.map((user) =>
    store.deleteUser(directory, user, userEvent('user.deleted', user), { ...cause, at }),
  )
  for (const outcome of await Promise.all(removed)) committed(outcome)
}

async function setActive(store: Store, directory: Directory, before: IndexedUser, active: boolean) {
  const after = changedUser(before, { active })
  committed(await writesTo(store, directory).replaceUser(before, after))
  return after
}

/** The number of the directory's events that may be sent. */
async function countSendable(store: Store, { id }: Directory): Promise<number> {
  return (await store.eventsAfter(id, 0, 5000)).length
}

async function discard(store: Store, { id: directoryId }: Directory) {
  const request = { directoryId, syncId: 'sync-1', requestId: 'request-9', startedAt: cause.at }
  let resync = await store.discardHold(request)
  assert.ok(resync)
  while (resync.completedAt === undefined) {
    resync = committed(await store.stepResync(resync, { rows: 100, bytes: 1_000_000 }, cause.at))
  }
}

async function heldBy(store: Store, directory: Directory) {
  const [hold] = await store.getHolds(directory.id)
  assert.ok(hold, 'the directory is held')
  return hold
}

/** A directory with more than a thousand held events, and the start of the resync that replaces them. */
export async function holdMany(store: Store) {
  const { directory, users } = await populated(store, 1_200, { percent: 10, minimum: 20, windowSeconds: 60 })
  const { group } = await addGroup(store, directory, 'All', users)
  committed(await writesTo(store, directory).changeMembers(group, replacedBy([])))
  const { firstSequence } = await heldBy(store, directory)
  const request = { directoryId: directory.id, syncId: 'sync-1', requestId: 'request-9', startedAt: cause.at }
  return { directory, firstSequence, request }
}

export function holdContract(engine: string, { createDatabase, openStore }: StoreUnderTest): void {
  test(`${engine}: while many held events are discarded, their directory is written to`, async () => {
    const store = await openStore()
    const { directory, firstSequence, request } = await holdMany(store)
    const ended: string[] = []
    const discarding = store.discardHold(request).then(() => ended.push('discard'))
    const created = writesTo(store, directory).createUser(someUser({ userName: 'new' }))
    committed(await created)
    ended.push('create')
    await discarding
    assert.deepEqual(ended, ['create', 'discard'])
    const [started] = await store.eventsAfter(directory.id, firstSequence - 1, 10)
    assert.deepEqual([started?.sequence, started?.eventType], [firstSequence, 'sync.started'])
    const all = await store.listUsers(directory.id, { from: 1_199, limit: 10 })
    assert.deepEqual(
      all.map(({ item }) => item.id.length),
      [36, 36],
    )
  })

  test(`${engine}: a reason that comes while held events are discarded stays, and holds the resync`, async () => {
    const store = await openStore()
    const { directory, firstSequence, request } = await holdMany(store)
    const [first, second] = await store.listUsers(directory.id, { from: 0, limit: 2 })
    const users = await store.getUsers(directory.id, [first?.item.id ?? '', second?.item.id ?? ''])
    const strict = { percent: 0, minimum: 0, windowSeconds: 60 }
    await store.replaceDirectory({ ...directory, removalLimit: strict, revision: directory.revision + 1 })
    const changed = (await store.getDirectory(directory.id)) ?? assert.fail()
    const discarding = store.discardHold(request, new Map([['memberships', firstSequence]]))
    for (const user of users.values()) committed(await writesTo(store, changed).deleteUser(indexedUser(user)))
    assert.ok(await discarding)
    const holds = await store.getHolds(directory.id)
    assert.deepEqual(
      holds.map((hold) => [hold.reason, hold.firstSequence, hold.removals]),
      [['users', firstSequence, 2]],
    )
    assert.deepEqual(await store.eventsAfter(directory.id, firstSequence - 1, 10), [])
    assert.equal(await store.releaseHold(directory.id), true)
    const [started] = await store.eventsAfter(directory.id, firstSequence - 1, 10)
    assert.deepEqual([started?.sequence, started?.eventType], [firstSequence, 'sync.started'])
  })

  test(`${engine}: with 60 users, the events of 20 removals are sent, and all from the 21st removal on are held`, async () => {
    const store = await openStore()
    const { directory, users } = await populated(store, 60)
    await deleteAll(store, directory, users.slice(0, 20))
    assert.deepEqual(await store.getHolds(directory.id), [])
    await deleteAll(store, directory, users.slice(20, 25))
    await addUsers(store, directory, ['new'])
    const hold = await heldBy(store, directory)
    assert.deepEqual(hold, {
      ...{ directoryId: directory.id, since: cause.at, reason: 'users', limit, removals: 25, removalsBefore: 20 },
      ...{ highest: 60, firstSequence: 81, countedFrom: 61, version: 81 },
    })
    assert.equal(await countSendable(store, directory), 80)
    assert.equal((await store.feedEvents(directory.id, 0, 1000, 10_000_000)).length, 80)
    const [feed] = await store.feedDirectories({ directoryId: directory.id }, 1)
    assert.deepEqual([feed?.lastSequence, feed?.heldSince], [80, cause.at])
    const first = await store.removedUsers(hold, start, 10)
    const rest = await store.removedUsers(hold, first.at(-1)?.position ?? start, 100)
    const listed = [...first, ...rest]
    assert.deepEqual(new Set(listed.map(({ id }) => id)), new Set(users.slice(0, 25).map(({ id }) => id)))
    assert.equal(listed.length, 25)
    assert.deepEqual(new Set(listed.map(({ email }) => email)), new Set(users.slice(0, 25).map(({ email }) => email)))
  })

  test(`${engine}: a hold is taken once, to be reported`, async () => {
    const store = await openStore()
    const { directory, users } = await populated(store, 30)
    await deleteAll(store, directory, users)
    const hold = await heldBy(store, directory)
    const taken = (await Promise.all([1_000, 1_000].map((count) => store.takeNewHolds(count)))).flat()
    assert.deepEqual(
      taken.filter(({ directoryId }) => directoryId === directory.id),
      [hold],
    )
    assert.deepEqual(await store.takeNewHolds(1_000), [])
  })

  test(`${engine}: the hold begins at a removal in the middle of a batch`, async () => {
    const store = await openStore()
    const { directory, users } = await populated(store, 60)
    await Promise.all(users.slice(0, 40).map((user) => setActive(store, directory, user, false)))
    const { firstSequence, removals, removalsBefore } = await heldBy(store, directory)
    assert.deepEqual(
      { firstSequence, removals, removalsBefore },
      { firstSequence: 81, removals: 40, removalsBefore: 20 },
    )
    assert.equal(await countSendable(store, directory), 80)
  })

  test(`${engine}: the counts follow every change of users and members`, async () => {
    const store = await openStore()
    const { directory, users } = await populated(store, 6)
    const [ann, bob, cleo] = users as [IndexedUser, IndexedUser, IndexedUser]
    const activeUsers = async () => (await store.removalCounts(directory.id, limit, cause.at))?.activeUsers
    committed(await writesTo(store, directory).createUser(someUser({ userName: 'inactive', active: false })))
    assert.equal(await activeUsers(), 6)
    const inactive = await setActive(store, directory, ann, false)
    assert.equal(await activeUsers(), 5)
    await setActive(store, directory, inactive, true)
    await deleteAll(store, directory, [bob])
    assert.equal(await activeUsers(), 5)
    const { removals, highest } = (await store.removalCounts(directory.id, limit, cause.at)) ?? {}
    assert.deepEqual({ removals, highest }, { removals: 1, highest: 6 })
    const later = await store.removalCounts(directory.id, limit, cause.at + 3_600_000)
    assert.deepEqual([later?.removals, later?.highest], [0, 5])
    await deleteAll(store, directory, [await setActive(store, directory, cleo, false)])
    assert.equal((await store.removalCounts(directory.id, limit, cause.at))?.removals, 2, 'deactivated, then deleted')
  })

  test(`${engine}: removals that are older than the window do not count`, async () => {
    const store = await openStore()
    const { directory, users } = await populated(store, 40, { percent: 10, minimum: 4, windowSeconds: 60 })
    await deleteAll(store, directory, users.slice(0, 4), cause.at)
    await deleteAll(store, directory, users.slice(4, 8), cause.at + 60_000)
    assert.deepEqual(await store.getHolds(directory.id), [])
    await deleteAll(store, directory, users.slice(8, 9), cause.at + 119_999)
    const hold = await heldBy(store, directory)
    assert.deepEqual([hold.removals, hold.highest], [5, 36])
    assert.equal((await store.removedUsers(hold, start, 100)).length, 5)
  })

  test(`${engine}: a released hold sends the events, and earlier removals no longer count`, async () => {
    const store = await openStore()
    const { directory, users } = await populated(store, 60)
    await deleteAll(store, directory, users.slice(0, 30))
    assert.equal(await store.releaseHold(directory.id), true)
    assert.equal(await countSendable(store, directory), 90)
    assert.equal(await store.releaseHold(directory.id), false)
    await deleteAll(store, directory, users.slice(30, 50))
    assert.deepEqual(await store.getHolds(directory.id), [])
    await deleteAll(store, directory, users.slice(50, 51))
    assert.equal((await heldBy(store, directory)).removals, 21)
  })

  test(`${engine}: a discarded hold is replaced by a resync with the next sequence numbers`, async () => {
    const store = await openStore()
    const { directory, users } = await populated(store, 60)
    await deleteAll(store, directory, users.slice(0, 20))
    const removed = await Promise.all(users.slice(20, 50).map((user) => setActive(store, directory, user, false)))
    const created = await addUsers(store, directory, ['new'])
    await addGroup(store, directory, 'Sales', created)
    for (const user of removed) await setActive(store, directory, user, true)
    const hold = await heldBy(store, directory)
    const listed = await store.removedUsers(hold, start, 100)
    assert.equal(listed.filter(({ returnedAt }) => returnedAt !== undefined).length, 30)
    await discard(store, directory)
    assert.deepEqual(await store.getHolds(directory.id), [])
    const sent = (await store.eventsAfter(directory.id, 80, 1000)).map((event) => event)
    assert.deepEqual(typesOf(sent), [
      'sync.started',
      ...Array.from({ length: 41 }, () => 'user.snapshot'),
      ...['group.snapshot', 'member.snapshot', 'sync.completed'],
    ])
    assert.deepEqual(
      sent.map(({ sequence }) => sequence),
      sent.map((_, index) => 81 + index),
    )
    const present = [...users.slice(20), ...created].map(({ id }) => id)
    const snapshots = sent.filter(({ eventType }) => eventType === 'user.snapshot')
    assert.deepEqual(
      snapshots.map(({ data }) => fromJsonText(data)['id']),
      present,
      'in the order of lists',
    )
    const [later] = await addUsers(store, directory, ['later'])
    const all = await store.listUsers(directory.id, { from: 0, limit: 100 })
    assert.deepEqual(
      all.map(({ item }) => item.id),
      [...present, later?.id],
    )
    assert.equal(
      await store.discardHold({ directoryId: directory.id, syncId: 's', requestId: 'r', startedAt: 1 }),
      undefined,
    )
  })

  test(`${engine}: deleting a group and removing members count as removals of memberships`, async () => {
    const store = await openStore()
    const { directory, users } = await populated(store, 60)
    const { group: small } = await addGroup(store, directory, 'Small', users.slice(0, 10))
    const { group: large } = await addGroup(store, directory, 'Large', users)
    committed(await writesTo(store, directory).changeMembers(large, delta([], users.slice(0, 11))))
    assert.deepEqual(await store.getHolds(directory.id), [])
    const sent = await countSendable(store, directory)
    committed(await writesTo(store, directory).deleteGroup(small))
    assert.deepEqual(await store.getHolds(directory.id), [], '21 of 70 are 30 %')
    committed(await writesTo(store, directory).changeMembers(large, replacedBy(users.slice(15))))
    const hold = await heldBy(store, directory)
    assert.deepEqual([hold.reason, hold.removals, hold.removalsBefore, hold.highest], ['memberships', 25, 21, 70])
    assert.equal(await countSendable(store, directory), sent + 1)
  })

  test(`${engine}: memberships that end with their user do not count`, async () => {
    const store = await openStore()
    const { directory, users } = await populated(store, 40, { percent: 50, minimum: 10, windowSeconds: 60 })
    for (const name of ['Sales', 'Support', 'All']) await addGroup(store, directory, name, users)
    await deleteAll(store, directory, users.slice(0, 20))
    assert.deepEqual(await store.getHolds(directory.id), [])
    const { group } = await addGroup(store, directory, 'Other', users.slice(20))
    committed(await writesTo(store, directory).deleteGroup(group))
    assert.deepEqual(await store.getHolds(directory.id), [], '20 of 80 memberships')
  })

  test(`${engine}: a large change of members is held from the removal that exceeds the limit`, async () => {
    const store = await openStore()
    const { directory, users } = await populated(store, 1200, { percent: 10, minimum: 20, windowSeconds: 60 })
    const { group } = await addGroup(store, directory, 'All', users)
    const before = await countSendable(store, directory)
    committed(await writesTo(store, directory).changeMembers(group, replacedBy(users.slice(0, 1))))
    const hold = await heldBy(store, directory)
    assert.deepEqual([hold.removals, hold.removalsBefore, hold.highest], [1199, 120, 1200])
    assert.equal(await countSendable(store, directory), before + 120)
    await discard(store, directory)
    const [started, ...snapshots] = await store.eventsAfter(directory.id, before + 120, 5000)
    assert.deepEqual([started?.eventType, started?.sequence], ['sync.started', before + 121])
    assert.equal(snapshots.filter(({ eventType }) => eventType === 'member.snapshot').length, 1)
  })

  test(`${engine}: retention keeps held events, and a discard ends their deprovisionings`, async () => {
    const store = await openStore()
    const { directory, users } = await populated(store, 60)
    await deleteAll(store, directory, users.slice(0, 25))
    const open = async () => (await store.openDeprovisionings(directory.id, 100)).map(({ sequence }) => sequence)
    assert.equal((await open()).length, 25)
    const old = { before: cause.at + 1, hasOnEvent: false, abandonedBefore: 0 }
    for (let after: number | undefined = 0; after !== undefined; ) {
      after = await store.removeEvents(directory.id, { ...old, after })
    }
    assert.equal(await countSendable(store, directory), 0)
    assert.equal(await store.releaseHold(directory.id), true)
    assert.equal(await countSendable(store, directory), 5)
    await deleteAll(store, directory, users.slice(25, 50))
    const { firstSequence } = await heldBy(store, directory)
    await discard(store, directory)
    assert.deepEqual(
      (await open()).filter((sequence) => sequence >= firstSequence),
      [],
    )
  })

  test(`${engine}: a discard that a restart interrupts continues`, async () => {
    await using database = await createDatabase()
    const store = await database.open()
    const { directory, users } = await populated(store, 400)
    await deleteAll(store, directory, users.slice(0, 200))
    const request = { directoryId: directory.id, syncId: 'sync-1', requestId: 'request-9', startedAt: cause.at }
    assert.ok(await store.discardHold(request))
    assert.equal(await store.runningResyncStart(directory.id), 521)
    await store.close()
    const again = await database.open()
    await addUsers(again, directory, ['later'])
    let resync = await again.getResync(directory.id)
    while (resync !== undefined && resync.completedAt === undefined) {
      resync = committed(await again.stepResync(resync, { rows: 100, bytes: 1_000_000 }, cause.at))
    }
    const sent = await again.eventsAfter(directory.id, 520, 1000)
    assert.deepEqual(
      sent.map(({ sequence }) => sequence),
      sent.map((_, index) => 521 + index),
    )
    assert.deepEqual([sent[0]?.eventType, sent.at(-1)?.eventType], ['sync.started', 'sync.completed'])
    assert.equal(sent.filter(({ eventType }) => eventType === 'user.snapshot').length, 200)
    await again.close()
    assert.equal((await database.rows('events')).length, 520 + sent.length)
  })

  test(`${engine}: the sendable events of a commit are those that are neither held nor discarded`, async () => {
    const store = await openStore()
    const { directory, users } = await populated(store, 60)
    const remove = async (some: readonly IndexedUser[]) => {
      const outcomes = await Promise.all(some.map((user) => writesTo(store, directory).deleteUser(user)))
      return outcomes.flatMap((outcome) => committed(outcome).events)
    }
    const events = await remove(users.slice(0, 25))
    const sendable = async () => {
      const ids = await store.sendableIds(directory.id, events[0]?.sequence ?? 0, events.at(-1)?.sequence ?? 0)
      return events.filter(({ id }) => ids.has(id)).map(({ sequence }) => sequence)
    }
    const sent = Array.from({ length: 20 }, (_, index) => 61 + index)
    assert.deepEqual(await sendable(), sent)
    await discard(store, directory)
    assert.deepEqual(await sendable(), sent)
  })

  test(`${engine}: without a limit nothing is held`, async () => {
    const store = await openStore()
    const { directory, users } = await populated(store, 60, null)
    await deleteAll(store, directory, users)
    assert.deepEqual(await store.getHolds(directory.id), [])
    assert.equal(await countSendable(store, directory), 120)
  })
}
