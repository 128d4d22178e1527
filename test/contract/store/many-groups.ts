import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Directory } from '../../../src/directory/directory.ts'
import { firstGroups, manyGroups } from '../../../src/directory/directory-store.ts'
import type { Group } from '../../../src/directory/group.ts'
import type { IndexedUser } from '../../../src/directory/user.ts'
import type { Store } from '../../../src/store/store.ts'
import type { StoreUnderTest } from './database.ts'
import {
  addDirectory,
  addGroup,
  addUsers,
  committed,
  delta,
  eventsOf,
  someGroup,
  someUser,
  typesOf,
  writesTo,
} from './samples.ts'

/** More than are deleted at once on either engine. */
const count = 600

/** A directory with a user in many groups, each of which has another member as well. */
export async function addManyGroups(store: Store) {
  const directory = await addDirectory(store)
  const [user, other] = await addUsers(store, directory, ['ann', 'bob'])
  assert.ok(user && other)
  const { createGroup } = writesTo(store, directory)
  const groups = Array.from({ length: count }, (_, n) => someGroup({ displayName: `Group ${n}` }))
  const outcomes = await Promise.all(groups.map((group) => createGroup(group, delta([other, user]))))
  outcomes.forEach(committed)
  return { directory, user, other, groups: groups.toSorted((a, b) => (a.id < b.id ? -1 : 1)) }
}

const references = (groups: readonly Group[]) => groups.map(({ id, name }) => ({ id, name }))

async function membersOf(store: Store, { id }: Directory, group: { readonly id: string }, from = 0) {
  return (await store.listMembers(id, group.id, { from, limit: 9 })).map(({ item }) => item.id)
}

export function manyGroupsContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: a user is read with its first groups, and all of them are read in parts`, async () => {
    const store = await openStore()
    const { directory, user, other, groups } = await addManyGroups(store)
    const { id } = directory
    const first = references(groups.slice(0, firstGroups))
    assert.deepEqual((await store.getUserWithGroups(id, user.id))?.groups, first)
    const [together] = await Promise.all([user, other].map((one) => store.getUserWithGroups(id, one.id)))
    assert.deepEqual(together?.groups, first)
    assert.deepEqual((await store.findUserInScope({ directoryId: id }, user.id))?.found.groups, first)
    assert.deepEqual((await store.groupsOfUsers(id, [user.id])).get(user.id), first)
    const both = await store.groupsOfUsers(id, [user.id, other.id])
    assert.equal(both.get(user.id)?.length, firstGroups)
    assert.equal(both.get(other.id)?.length, firstGroups)
    let read = await store.listGroupsOfUser(id, user.id, '', 60)
    const parts = [read]
    while (read.length === 60) {
      read = await store.listGroupsOfUser(id, user.id, read.at(-1)?.id ?? '', 60)
      parts.push(read)
    }
    assert.deepEqual(parts.flat(), references(groups))
    assert.deepEqual(await store.listGroupsOfUser(id, 'nobody', '', 60), [])
  })

  test(`${engine}: a list has the groups of the users that are in few`, async () => {
    const store = await openStore()
    const { directory, user, groups } = await addManyGroups(store)
    const [few] = await addUsers(store, directory, ['cid'])
    assert.ok(few)
    const some = groups.slice(0, manyGroups - 1)
    const { changeMembers } = writesTo(store, directory)
    const outcomes = await Promise.all(some.map((group) => changeMembers(group, delta([few]))))
    outcomes.forEach(committed)
    const { rows } = await store.pageOfUsers(directory.id, { from: 0, limit: 9 }, true)
    const byId = new Map(rows.map(({ item }) => [item.id, item.groups]))
    assert.equal(byId.get(user.id), undefined)
    assert.deepEqual(byId.get(few.id), references(some))
    for (const { id, userName } of [user, few]) {
      const equality = { attribute: 'userName', value: userName } as const
      const [found] = await store.listUsers(directory.id, { where: [equality], from: 0, limit: 2 })
      assert.deepEqual(found?.item.groups, byId.get(id))
    }
  })

  for (const [what, deletionOf] of Object.entries(deletions)) {
    test(`${engine}: ${what} in many groups is deleted with one event, and other writes are made meanwhile`, async () => {
      const store = await openStore()
      const before = await addManyGroups(store)
      const { directory, other, groups } = before
      const { id: deleted, remove } = await deletionOf(store, before)
      const elsewhere = await addDirectory(store)
      const first = (await eventsOf(store, directory)).length
      const versions = await Promise.all(groups.map(({ id }) => store.getGroup(directory.id, id)))
      const sizes = await Promise.all(groups.map((group) => membersOf(store, directory, group)))
      const [one, last] = [groups[0], groups.at(-1)]
      assert.ok(one && last)
      let isOver = false
      const running = remove(store).finally(() => {
        isOver = true
      })
      const later = writesTo(store, directory).createUser(someUser({ userName: 'later' }))
      let others = 0
      while (!isOver) {
        const known = await store.getUser(directory.id, deleted)
        const group = await store.getGroup(directory.id, deleted)
        const isThere = known !== undefined || group !== undefined
        for (const outer of [one, last]) {
          const members = await membersOf(store, directory, outer)
          assert.ok(isThere || !members.includes(deleted), 'what is deleted is in no group')
        }
        committed(await writesTo(store, elsewhere).createUser(someUser({ userName: `other-${others++}` })))
      }
      assert.ok(others > 0)
      const outcome = committed(await running)
      assert.equal(outcome.events.length, 1)
      for (const group of [one, last]) assert.ok(!(await membersOf(store, directory, group)).includes(deleted))
      committed(await later)
      const events = (await eventsOf(store, directory)).slice(first)
      assert.deepEqual(new Set(typesOf(events)), new Set([outcome.events[0]?.eventType, 'user.created']))
      assert.equal(events.length, 2)
      assert.deepEqual(await store.listGroupsOfUser(directory.id, deleted, '', 9), [])
      // A write waits until the deletion is complete.
      committed(await writesTo(store, directory).createUser(someUser({ userName: 'last' })))
      const left = sizes.map((ids) => ids.filter((id) => id !== deleted))
      assert.deepEqual(await Promise.all(groups.map((group) => membersOf(store, directory, group))), left)
      assert.deepEqual(
        await Promise.all(groups.map((group, n) => membersOf(store, directory, group, (left[n]?.length ?? 0) - 1))),
        left.map((ids) => ids.slice(-1)),
      )
      const now = await Promise.all(groups.map(({ id }) => store.getGroup(directory.id, id)))
      assert.deepEqual(
        now.map((group) => group?.version),
        versions.map((group) => (group?.version ?? 0) + 1),
      )
      assert.equal((await store.groupsOfUsers(directory.id, [other.id])).get(other.id)?.length, firstGroups)
    })

    test(`${engine}: the deletion of ${what} in many groups is rejected at another version or revision`, async () => {
      const store = await openStore()
      const before = await addManyGroups(store)
      const { directory, groups } = before
      const { id, removeOutdated } = await deletionOf(store, before)
      const events = await eventsOf(store, directory)
      const [group] = groups
      assert.ok(group)
      assert.deepEqual(await removeOutdated(), ['version-mismatch', 'directory-changed'])
      committed(await writesTo(store, directory).createUser(someUser({ userName: 'later' })))
      assert.equal((await eventsOf(store, directory)).length, events.length + 1)
      assert.ok((await membersOf(store, directory, group)).includes(id))
    })
  }
}

interface Before {
  readonly directory: Directory
  readonly user: IndexedUser
  readonly groups: readonly Group[]
}

/** The resource to delete, and the call that deletes it, also in a store that was opened later. */
export interface Deletion {
  readonly id: string
  remove(store: Store): ReturnType<Store['deleteUser']>
  /** Fails with a version that is not the stored one, then with a revision of the directory that is not. */
  removeOutdated(): Promise<unknown[]>
}

export const deletions: Readonly<Record<string, (store: Store, before: Before) => Promise<Deletion>>> = {
  'a user': async (store, { directory, user }) => {
    const outdated = writesTo(store, { ...directory, revision: directory.revision + 1 })
    const { deleteUser } = writesTo(store, directory)
    return {
      id: user.id,
      remove: (now) => writesTo(now, directory).deleteUser(user),
      removeOutdated: async () => [await deleteUser({ ...user, version: 7 }), await outdated.deleteUser(user)],
    }
  },
  'a group': async (store, { directory, user, groups }) => {
    const { group } = await addGroup(store, directory, 'Nested', [user])
    const { changeMembers, deleteGroup } = writesTo(store, directory)
    const outcomes = await Promise.all(groups.map((outer) => changeMembers(outer, delta([group]))))
    outcomes.forEach(committed)
    const outdated = writesTo(store, { ...directory, revision: directory.revision + 1 })
    return {
      id: group.id,
      remove: (now) => writesTo(now, directory).deleteGroup(group),
      removeOutdated: async () => [await deleteGroup({ ...group, version: 7 }), await outdated.deleteGroup(group)],
    }
  },
}
