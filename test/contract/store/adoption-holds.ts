import assert from 'node:assert/strict'
import { test } from 'node:test'
import { directoryEvent } from '../../../src/directory/change-directory.ts'
import type { Directory } from '../../../src/directory/directory.ts'
import type { EventType } from '../../../src/directory/event.ts'
import type { RemovalLimit } from '../../../src/directory/removal-limit.ts'
import type { Store } from '../../../src/store/store.ts'
import type { StoreUnderTest } from './database.ts'
import { addGroup, addUsers, cause, committed, eventsOf, someDirectory, typesOf, writesTo } from './samples.ts'

/** Of 10, the 3rd removal is the first that is held. */
const removalLimit: RemovalLimit = { percent: 20, minimum: 2, windowSeconds: 3600 }

const names = Array.from({ length: 10 }, (_, index) => `user-${index}`)

const about = (directory: Directory, eventType: EventType & `directory.${string}`) => ({
  event: directoryEvent(eventType, directory),
  cause,
})

async function adopted(store: Store, { hasEvent = false, ...given }: Partial<Directory> & { hasEvent?: boolean } = {}) {
  const directory = someDirectory({ adoption: 'hold', removalLimit, ...given })
  const event = hasEvent ? about(directory, 'directory.created') : undefined
  assert.equal(await store.createDirectory(directory, undefined, 0, event), 'created')
  return directory
}

async function turn(store: Store, { id }: Directory, deactivated: boolean): Promise<Directory> {
  const before = await store.getDirectory(id)
  assert.ok(before)
  const after = { ...before, deactivated, revision: before.revision + 1 }
  const event = about(after, deactivated ? 'directory.deactivated' : 'directory.activated')
  assert.equal(await store.replaceDirectory(after, undefined, { event }), 'replaced')
  return after
}

const firsts = async (store: Store, { id }: Directory) =>
  (await store.getHolds(id)).map(({ reason, firstSequence }) => [reason, firstSequence])

const sent = async (store: Store, directory: Directory) => typesOf(await eventsOf(store, directory))

/** Accepts the hold for one reason. */
async function release(store: Store, { id }: Directory, reason: 'adoption' | 'users') {
  const version = (await store.getHolds(id)).find((hold) => hold.reason === reason)?.version ?? -1
  return store.releaseHold(id, new Map([[reason, version]]))
}

export function adoptionHoldContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: a directory to adopt is held from its first user or group on, and its record says so until the release`, async () => {
    const store = await openStore()
    const directory = await adopted(store)
    assert.deepEqual(await store.getDirectory(directory.id), directory)
    assert.deepEqual(await firsts(store, directory), [['adoption', 1]])
    const users = await addUsers(store, directory, names.slice(0, 2))
    await addGroup(store, directory, 'Guides', users)
    assert.deepEqual(await sent(store, directory), [])
    assert.equal(await release(store, directory, 'adoption'), true)
    assert.equal((await sent(store, directory)).length, 5)
    const { adoption: _, ...released } = directory
    assert.deepEqual(await store.getDirectory(directory.id), released)
  })

  test(`${engine}: events about the directory itself pass an adoption until it holds an event`, async () => {
    const store = await openStore()
    const directory = await adopted(store, { hasEvent: true })
    assert.deepEqual(await firsts(store, directory), [['adoption', 2]])
    await turn(store, directory, true)
    const active = await turn(store, directory, false)
    const passed = ['directory.created', 'directory.deactivated', 'directory.activated']
    assert.deepEqual(await sent(store, directory), passed)
    assert.deepEqual(await firsts(store, directory), [['adoption', 4]])
    await addUsers(store, active, names.slice(0, 1))
    await turn(store, directory, true)
    assert.deepEqual(await sent(store, directory), passed)
    assert.deepEqual(await firsts(store, directory), [['adoption', 4]])
  })

  test(`${engine}: an adoption is reported once, when it holds its first event, and metrics do not count it`, async () => {
    const store = await openStore()
    const taken = async ({ id }: Directory) =>
      (await store.takeNewHolds(1_000)).flatMap(({ directoryId, since }) => (directoryId === id ? [since] : []))
    const before = await store.countHolds()
    const directory = await adopted(store, { createdAt: cause.at - 60_000 })
    assert.deepEqual(await taken(directory), [])
    const [user] = await addUsers(store, directory, names.slice(0, 1))
    assert.ok(user)
    assert.deepEqual(await taken(directory), [cause.at], 'it is since the first event')
    committed(await writesTo(store, directory).deleteUser(user))
    assert.deepEqual(await taken(directory), [])
    assert.deepEqual(await store.countHolds(), before)
  })

  test(`${engine}: an adoption and too many removals hold side by side, and end by themselves`, async () => {
    const store = await openStore()
    const removeThree = async (directory: Directory) => {
      const users = await addUsers(store, directory, names)
      const { deleteUser } = writesTo(store, directory)
      for (const user of users.slice(0, 3)) committed(await deleteUser(user))
    }
    const [first, second] = [await adopted(store), await adopted(store)]
    for (const directory of [first, second]) {
      await removeThree(directory)
      assert.deepEqual(await firsts(store, directory), [
        ['adoption', 1],
        ['users', 13],
      ])
    }
    assert.equal(await release(store, first, 'users'), true)
    assert.deepEqual(await firsts(store, first), [['adoption', 1]])
    assert.deepEqual(await sent(store, first), [])
    assert.equal(await release(store, second, 'adoption'), true)
    assert.deepEqual(await firsts(store, second), [['users', 13]])
    assert.equal((await sent(store, second)).length, 12)
  })

  test(`${engine}: a discard ends an adoption with a resync of the first users, or of nobody`, async () => {
    const store = await openStore()
    for (const count of [3, 0]) {
      const directory = await adopted(store, { hasEvent: true })
      await addUsers(store, directory, names.slice(0, count))
      const request = { directoryId: directory.id, syncId: 's', requestId: 'r', startedAt: cause.at }
      assert.ok(await store.discardHold(request))
      assert.deepEqual(await sent(store, directory), ['directory.created', 'sync.started'])
      assert.deepEqual(await firsts(store, directory), [])
      assert.equal((await store.getDirectory(directory.id))?.adoption, undefined)
    }
  })

  test(`${engine}: a directory to adopt that is deleted before its first user ends with its deletion`, async () => {
    const store = await openStore()
    const directory = await adopted(store, { hasEvent: true })
    await store.deleteDirectory(directory.id, cause.at, undefined, about(directory, 'directory.deleted'))
    const events = await store.eventsAfter(directory.id, 0, 10)
    assert.deepEqual(typesOf(events), ['directory.created', 'directory.deleted'])
  })
}
