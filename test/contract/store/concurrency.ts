import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Directory } from '../../../src/directory/directory.ts'
import type { Store } from '../../../src/store/store.ts'
import type { StoreUnderTest } from './database.ts'
import {
  addDirectory,
  addGroup,
  addUsers,
  changedGroup,
  changedUser,
  committed,
  delta,
  eventsOf,
  replacedBy,
  someGroup,
  someUser,
  writesTo,
} from './samples.ts'

export function concurrencyContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: 200 concurrent writes of every kind in two directories leave no gap in the sequence numbers`, async () => {
    const store = await openStore()
    const directories = [await addDirectory(store), await addDirectory(store)]
    const plans = await Promise.all(directories.map((directory) => mixedWrites(store, directory)))
    const outcomes = await Promise.all(plans.flat().map((write) => write()))
    assert.equal(outcomes.length, 200)
    const told = outcomes.flatMap((outcome) => (typeof outcome === 'object' ? outcome.events : []))
    for (const directory of directories) {
      const events = await eventsOf(store, directory)
      const ids = new Set(events.map(({ id }) => id))
      const own = told.filter(({ id }) => ids.has(id))
      for (const event of own) assert.equal(event.id, events[event.sequence - 1]?.id)
      assert.equal(events.length, 40 + own.length)
    }
  })

  test(`${engine}: concurrent reads each return their own result`, async () => {
    const store = await openStore()
    const [directory, other] = [await addDirectory(store), await addDirectory(store)]
    const names = Array.from({ length: 300 }, (_, n) => `user-${n}`)
    const users = await addUsers(store, directory, names)
    const { group } = await addGroup(store, directory, 'Everyone', users.slice(0, 150))
    const expected = users.map((_, n) => (n < 150 ? [group.id] : []))
    const from = { from: 0, limit: 9 }
    const byName = (name: string) =>
      store.listUsers(directory.id, { where: [{ attribute: 'userName', value: name }], ...from })

    const ids = users.map(({ id }) => id)
    const [got, shown, found, groups, absent] = await Promise.all([
      Promise.all(ids.map((id) => store.getUser(directory.id, id))),
      Promise.all(ids.map((id) => store.getUserWithGroups(directory.id, id))),
      Promise.all(names.map((name) => byName(name.toUpperCase()))),
      Promise.all(ids.map((id) => store.groupsOfUsers(directory.id, [id]))),
      Promise.all([...ids.map((id) => store.getUser(other.id, id)), store.getUser(directory.id, 'x \0')]),
    ])
    const idsOf = (all: readonly ({ readonly id: string } | undefined)[]) => all.map((one) => one?.id)
    assert.deepEqual(idsOf(got), ids)
    assert.deepEqual(idsOf(shown), ids)
    assert.deepEqual(
      shown.map((one) => idsOf(one?.groups ?? [])),
      expected,
    )
    assert.deepEqual(
      found.map((all) => idsOf(all.map(({ item }) => item))),
      ids.map((id) => [id]),
    )
    assert.deepEqual(
      groups.map((byUser, n) => idsOf(byUser.get(ids[n] ?? '') ?? [])),
      expected,
    )
    assert.deepEqual(new Set(absent), new Set([undefined]))
    const [twice, again] = await Promise.all([byName('user-7'), byName('user-7')])
    assert.deepEqual(twice, again)
  })

  test(`${engine}: 64 members that are added concurrently are all stored`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { changeMembers } = writesTo(store, directory)
    const users = await addUsers(
      store,
      directory,
      Array.from({ length: 64 }, (_, n) => `user-${n}`),
    )
    const { group } = await addGroup(store, directory, 'Everyone')
    const outcomes = await Promise.all(users.map((user) => changeMembers(group, delta([user]))))
    const versions = outcomes.map((outcome) => committed(outcome).group.version).toSorted((a, b) => a - b)
    assert.deepEqual(
      versions,
      users.map((_, n) => n + 2),
    )
    const members = await store.listMembers(directory.id, group.id, { from: 0, limit: 100 })
    assert.deepEqual(new Set(members.map(({ item }) => item.id)), new Set(users.map(({ id }) => id)))
    await Promise.all(users.map((user) => changeMembers(group, delta([], [user]))))
    assert.deepEqual(await store.listMembers(directory.id, group.id, { from: 0, limit: 100 }), [])
    assert.equal((await eventsOf(store, directory)).length, 64 + 1 + 64 + 64)
  })

  test(`${engine}: concurrent changes to one group each apply to the result of the one before`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { changeMembers } = writesTo(store, directory)
    const users = await addUsers(store, directory, ['ann', 'bob', 'cid'])
    const [ann, bob, cid] = users
    assert.ok(ann && bob && cid)
    const { group } = await addGroup(store, directory, 'Sales', [ann])
    const outcomes = await Promise.all([
      changeMembers(group, delta([bob])),
      changeMembers(group, delta([bob, cid], [ann])),
      changeMembers(group, delta([ann], [bob])),
      changeMembers(group, replacedBy([bob])),
      changeMembers(group, delta([cid])),
      changeMembers(group, delta([], [cid])),
      changeMembers(group, delta([cid])),
    ])
    assert.deepEqual(
      outcomes.map((outcome) => committed(outcome).events.length),
      [1, 2, 2, 3, 1, 1, 1],
    )
    const part = { from: 0, limit: 9 }
    const members = await store.listMembers(directory.id, group.id, part)
    assert.deepEqual(
      members.map(({ item }) => item.id),
      [bob.id, cid.id],
    )
    const second = await store.listMembers(directory.id, group.id, { from: 1, limit: 9 })
    assert.deepEqual(second, members.slice(1), 'the counts agree with the rows')
    await eventsOf(store, directory)
  })

  test(`${engine}: a failed write does not affect concurrent ones`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { createUser, createGroup } = writesTo(store, directory)
    const [twin] = await addUsers(store, directory, ['twin'])
    const { group } = await addGroup(store, directory, 'Sales')
    assert.ok(twin)
    const same = { ...someUser({ userName: 'other' }), id: twin.id }
    const users = ['a', 'b', 'c'].map((userName) => someUser({ userName }))
    const outcomes = await Promise.allSettled([...users.slice(0, 2), same, ...users.slice(2)].map(createUser))
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    )
    const groups = await Promise.allSettled([someGroup({ displayName: 'x' }), group].map((one) => createGroup(one)))
    assert.deepEqual(
      groups.map(({ status }) => status),
      ['fulfilled', 'rejected'],
    )
    assert.equal((await eventsOf(store, directory)).length, 6)
    assert.equal(await store.countUsers(directory.id), 4)
  })
}

/** 100 writes of every kind, after 40 events. */
async function mixedWrites(store: Store, directory: Directory) {
  const writes = writesTo(store, directory)
  const names = (prefix: string, length: number) => Array.from({ length }, (_, n) => `${prefix}-${n}`)
  const users = await addUsers(store, directory, names('user', 20))
  const groups = await Promise.all(names('group', 20).map((name) => addGroup(store, directory, name)))
  return Array.from({ length: 100 }, (_, n) => async () => {
    const user = users[n % 20]
    const group = groups[(n * 7) % 20]?.group
    assert.ok(user && group)
    switch (n % 8) {
      case 0:
        return writes.createUser(someUser({ userName: `new-${n % 40}` }))
      case 1:
        return writes.replaceUser(user, changedUser(user, { title: `${n}` }))
      case 2:
        return writes.deleteUser(user)
      case 3:
        return writes.createGroup(someGroup({ displayName: `new-${n}` }), delta(users.slice(0, 3)))
      case 4:
        return writes.replaceGroup(group, changedGroup(group, { displayName: `${n}` }), delta([user]))
      case 5:
        return writes.deleteGroup(group)
      default:
        return writes.changeMembers(
          group,
          n % 2 === 0 ? delta([user], users.slice(5, 7)) : replacedBy(users.slice(0, 9)),
        )
    }
  })
}
