import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Directory } from '../../../src/directory/directory.ts'
import type { RemovalLimit } from '../../../src/directory/removal-limit.ts'
import type { IndexedUser } from '../../../src/directory/user.ts'
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
  userEvent,
  writesTo,
} from './samples.ts'

/** A limit that holds more than five removals within a minute. */
const limit: RemovalLimit = { percent: 0, minimum: 5, windowSeconds: 60 }
const minute = 60_000

const names = (count: number) => Array.from({ length: count }, (_, index) => `user-${index}`)

async function populated(store: Store, count: number, removalLimit: RemovalLimit = limit) {
  const directory = await addDirectory(store, { removalLimit })
  return { directory, users: await addUsers(store, directory, names(count)) }
}

async function setActive(store: Store, directory: Directory, before: IndexedUser, active: boolean, at = cause.at) {
  const after = changedUser(before, { active }, at)
  committed(await writesTo(store, directory, { at }).replaceUser(before, after))
  return after
}

async function remove(store: Store, directory: Directory, users: readonly IndexedUser[], at = cause.at) {
  const deleted = users.map((user) =>
    store.deleteUser(directory, user, userEvent('user.deleted', user), { ...cause, at }),
  )
  for (const outcome of await Promise.all(deleted)) committed(outcome)
}

/** The number of removals of users that count; undefined while the directory is held. */
async function counted(store: Store, { id }: Directory, at = cause.at): Promise<number | undefined> {
  const counts = await store.removalCounts(id, limit, at)
  return counts?.holds.length === 0 ? counts?.removals : undefined
}

export function removalContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: a deleted user counts, also an inactive one, but once if deactivated within the window`, async () => {
    const store = await openStore()
    const { directory, users } = await populated(store, 8)
    const inactive = await Promise.all(users.slice(0, 4).map((user) => setActive(store, directory, user, false)))
    assert.equal(await counted(store, directory), 4)
    await remove(store, directory, inactive.slice(0, 2), cause.at + 1_000)
    assert.equal(await counted(store, directory), 4)
    assert.equal(await counted(store, directory, cause.at + minute), 2, 'each counts from the last removal on')
    await remove(store, directory, inactive.slice(2), cause.at + 2 * minute)
    assert.equal(await counted(store, directory, cause.at + 2 * minute), 2, 'deactivated before the window')
    const never = ['a', 'b', 'c', 'd'].map((userName) => someUser({ userName, active: false }))
    for (const user of never) committed(await writesTo(store, directory).createUser(user))
    await remove(store, directory, never, cause.at + 2 * minute)
    assert.equal((await store.getHolds(directory.id))[0]?.removals, 6)
  })

  test(`${engine}: a user who is active again does not count`, async () => {
    const store = await openStore()
    const { directory, users } = await populated(store, 8)
    let [ann, bob] = users as [IndexedUser, IndexedUser]
    for (let n = 0; n < 20; n += 1) {
      ann = await setActive(store, directory, ann, false)
      ;[ann, bob] = await Promise.all([
        setActive(store, directory, ann, true),
        setActive(store, directory, bob, n % 2 === 1),
      ])
    }
    assert.equal(await counted(store, directory), 0)
  })

  test(`${engine}: a user who is created again with the same userName does not count`, async () => {
    const store = await openStore()
    const { directory, users } = await populated(store, 8)
    const { createUser } = writesTo(store, directory)
    await remove(store, directory, users.slice(0, 5))
    assert.equal(await counted(store, directory), 5)
    const inactive = someUser({ userName: 'user-0', active: false })
    committed(await createUser(inactive))
    committed(await createUser(someUser({ userName: 'other' })))
    assert.equal(await counted(store, directory), 5, 'an inactive user has not come back')
    await setActive(store, directory, inactive, true)
    committed(await createUser(someUser({ userName: 'USER-1' })))
    const again = [2, 3, 4, 2].map((n) => createUser(someUser({ userName: `user-${n}` })))
    assert.equal((await Promise.all(again)).filter((outcome) => outcome === 'user-name-taken').length, 1)
    assert.equal(await counted(store, directory), 0)
  })

  test(`${engine}: removing and adding one member 21 times does not hold the directory`, async () => {
    const store = await openStore()
    const { directory, users } = await populated(store, 8)
    const { group } = await addGroup(store, directory, 'Sales', users)
    const { changeMembers } = writesTo(store, directory)
    const [ann, bob] = users as [IndexedUser, IndexedUser]
    for (let n = 0; n < 21; n += 1) {
      committed(await changeMembers(group, delta([], [ann])))
      committed(await changeMembers(group, delta([ann])))
      committed(await changeMembers(group, replacedBy(users.slice(2))))
      const added = await Promise.all([changeMembers(group, delta([ann])), changeMembers(group, delta([bob]))])
      for (const outcome of added) committed(outcome)
    }
    assert.deepEqual(await store.getHolds(directory.id), [])
    committed(await changeMembers(group, replacedBy(users.slice(5))))
    committed(await changeMembers(group, replacedBy(users.slice(6))))
    assert.equal((await store.getHolds(directory.id))[0]?.removals, 6)
  })

  test(`${engine}: removing all members of a large group and adding them again does not hold the directory`, async () => {
    const store = await openStore()
    const { directory, users } = await populated(store, 1_100, { ...limit, minimum: 1_500 })
    const { group } = await addGroup(store, directory, 'All', users)
    const { changeMembers } = writesTo(store, directory)
    for (let n = 0; n < 2; n += 1) {
      committed(await changeMembers(group, replacedBy(users.slice(0, 10))))
      committed(await changeMembers(group, n === 0 ? replacedBy(users) : delta(users)))
    }
    assert.deepEqual(await store.getHolds(directory.id), [])
    committed(await changeMembers(group, delta([], users)))
    committed(await changeMembers(group, delta(users.slice(0, 600))))
    committed(await changeMembers(group, delta([], users.slice(0, 600))))
    assert.deepEqual(await store.getHolds(directory.id), [])
  })

  test(`${engine}: while a directory is held, a user who comes back no longer counts, and is listed once`, async () => {
    const store = await openStore()
    const { directory, users } = await populated(store, 20)
    const inactive: IndexedUser[] = []
    for (const user of users.slice(0, 8)) inactive.push(await setActive(store, directory, user, false))
    const [first, , , , , , , last] = inactive as [IndexedUser, ...IndexedUser[]]
    const later = cause.at + 10 * minute
    const back = await setActive(store, directory, first, true, later)
    await setActive(store, directory, last as IndexedUser, true, later)
    const hold = async () => {
      const [found] = await store.getHolds(directory.id)
      assert.ok(found)
      return found
    }
    const { removals, removalsBefore } = await hold()
    assert.deepEqual([removals, removalsBefore], [6, 4])
    await setActive(store, directory, back, false, later)
    assert.deepEqual([(await hold()).removals, (await hold()).removalsBefore], [7, 4])
    await remove(store, directory, inactive.slice(1, 2), later)
    assert.deepEqual([(await hold()).removals, (await hold()).removalsBefore], [7, 3])
    const listed = await store.removedUsers(await hold(), 0, 100)
    const expected = [...inactive.slice(2, 8), first, ...inactive.slice(1, 2)]
    assert.deepEqual(
      listed.map(({ id, removedAt, returnedAt }) => [id, removedAt, returnedAt]),
      expected.map(({ id }, n) => [id, n < 6 ? cause.at : later, id === last?.id ? later : undefined]),
    )
    const { group } = await addGroup(store, directory, 'Sales', users.slice(10))
    committed(await writesTo(store, directory).changeMembers(group, replacedBy([])))
    assert.equal((await hold()).removals, 7, 'memberships are counted by themselves')
  })

  test(`${engine}: a user who was removed before a release does not reduce the count by coming back`, async () => {
    const store = await openStore()
    const { directory, users } = await populated(store, 20)
    const inactive: IndexedUser[] = []
    for (const user of users.slice(0, 8)) inactive.push(await setActive(store, directory, user, false))
    assert.equal(await store.releaseHold(directory.id), true)
    await remove(store, directory, users.slice(8, 10))
    for (const user of inactive.slice(0, 4)) await setActive(store, directory, user, true)
    assert.equal(await counted(store, directory), 2)
    await remove(store, directory, inactive.slice(4))
    assert.equal((await store.getHolds(directory.id))[0]?.removals, 6)
  })
}
