import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UserEquality } from '../../../src/directory/directory-store.ts'
import type { Equality } from '../../../src/scim/filter/narrow.ts'
import type { StoreUnderTest } from './database.ts'
import { addDirectory, addGroup, committed, delta, someGroup, someUser, writesTo } from './samples.ts'

export function lookupContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: users are found by every indexed attribute, within their directory`, async () => {
    const store = await openStore()
    const [directory, other] = [await addDirectory(store), await addDirectory(store)]
    const emails = (...values: string[]) => values.map((value) => ({ value }))
    const users = [
      someUser({ userName: 'Ann', externalId: 'E1', emails: emails('ann@x.example', 'Shared@x.example') }),
      someUser({ userName: 'Bob', externalId: 'e1', emails: emails('shared@X.example'), active: false }),
      someUser({ userName: 'Cid', externalId: 'E1' }),
    ]
    const [ann, bob] = users
    assert.ok(ann && bob)
    for (const user of users) committed(await writesTo(store, directory).createUser(user))
    const { group } = await addGroup(store, directory, 'Sales', [bob, ann])
    committed(
      await writesTo(store, other).createUser(
        someUser({ userName: 'Ann', externalId: 'E1', emails: emails('ann@x.example') }),
      ),
    )

    for (const [equalities, expected] of [
      [[{ attribute: 'id', value: ann.id }], [0]],
      [[{ attribute: 'userName', value: 'aNN' }], [0]],
      [[{ attribute: 'externalId', value: 'E1' }], [0, 2]],
      [[{ attribute: 'externalId', value: 'none' }], []],
      [[{ attribute: 'emails', value: 'SHARED@x.example' }], [0, 1]],
      [[{ attribute: 'emails', value: 'cid' }], []],
      [[{ attribute: 'email', value: 'SHARED@x.example' }], [0, 1]],
      [[{ attribute: 'email', value: 'cid' }], [2]],
      [[{ attribute: 'email', value: 'ann' }], []],
      [
        [
          { attribute: 'userName', value: 'bob' },
          { attribute: 'email', value: 'shared@x.example' },
        ],
        [1],
      ],
      [[{ attribute: 'active', value: true }], [0, 2]],
      [[{ attribute: 'active', value: false }], [1]],
      [[{ attribute: 'groups', value: group.id }], [0, 1]],
      [
        [
          { attribute: 'externalId', value: 'E1' },
          { attribute: 'emails', value: 'ann@x.example' },
        ],
        [0],
      ],
      [
        [
          { attribute: 'userName', value: 'ann' },
          { attribute: 'userName', value: 'bob' },
        ],
        [],
      ],
      [[{ attribute: 'userName', value: 'ann \0' }], []],
      [Array.from({ length: 5 }, () => ({ attribute: 'active', value: true })), [0, 2]],
    ] as [UserEquality[], number[]][]) {
      const found = await store.listUsers(directory.id, { where: equalities, from: 0, limit: 9 })
      const which = found.map(({ item }) => users.findIndex(({ id }) => id === item.id))
      assert.deepEqual(which, expected, JSON.stringify(equalities))
      assert.equal(await store.countUsers(directory.id, equalities), expected.length)
      const second = await store.listUsers(directory.id, { where: equalities, from: 1, limit: 1 })
      assert.deepEqual(second, found.slice(1, 2))
      const [first] = found
      if (first === undefined) continue
      assert.deepEqual(
        await store.listUsers(directory.id, { where: equalities, from: first.position, limit: 9 }),
        found.slice(1),
      )
    }
    await assert.rejects(
      store.listUsers(directory.id, { where: [{ attribute: 'members', value: 'x' }], from: 0, limit: 1 }),
    )
  })

  test(`${engine}: groups are found by every indexed attribute, within their directory`, async () => {
    const store = await openStore()
    const [directory, other] = [await addDirectory(store), await addDirectory(store)]
    const { createUser, createGroup } = writesTo(store, directory)
    const ann = someUser({ userName: 'ann' })
    committed(await createUser(ann))
    const groups = [
      someGroup({ displayName: 'Sales', externalId: 'E1' }),
      someGroup({ displayName: 'SALES' }),
      someGroup({ displayName: 'Staff', externalId: 'e1' }),
    ]
    for (const [index, group] of groups.entries()) committed(await createGroup(group, delta(index === 1 ? [] : [ann])))
    await addGroup(store, other, 'Sales')

    for (const [equalities, expected] of [
      [[{ attribute: 'id', value: groups[2]?.id }], [2]],
      [[{ attribute: 'displayName', value: 'sales' }], [0, 1]],
      [[{ attribute: 'externalId', value: 'E1' }], [0]],
      [[{ attribute: 'members', value: ann.id }], [0, 2]],
      [
        [
          { attribute: 'members', value: ann.id },
          { attribute: 'displayName', value: 'STAFF' },
        ],
        [2],
      ],
      [[{ attribute: 'id', value: 'nobody' }], []],
    ] as [Equality[], number[]][]) {
      const found = await store.listGroups(directory.id, { where: equalities, from: 0, limit: 9 })
      const which = found.map(({ item }) => groups.findIndex(({ id }) => id === item.id))
      assert.deepEqual(which, expected, JSON.stringify(equalities))
      assert.equal(await store.countGroups(directory.id, equalities), expected.length)
    }
  })

  test(`${engine}: ids of another directory neither find nor change anything`, async () => {
    const store = await openStore()
    const [mine, theirs] = [await addDirectory(store), await addDirectory(store, { tenant: 'other' })]
    const user = someUser({ userName: 'ann' })
    committed(await writesTo(store, theirs).createUser(user))
    const { group } = await addGroup(store, theirs, 'Sales', [user])
    const { group: own } = await addGroup(store, mine, 'Own')
    const part = { from: 0, limit: 9 }
    assert.equal(await store.getUser(mine.id, user.id), undefined)
    assert.equal(await store.getUserWithGroups(mine.id, user.id), undefined)
    assert.equal(await store.getGroup(mine.id, group.id), undefined)
    assert.deepEqual(await store.listMembers(mine.id, group.id, part), [])
    assert.deepEqual(await store.listUsers(mine.id, part), [])
    assert.equal(await store.countUsers(mine.id), 0)
    const writes = writesTo(store, mine)
    assert.equal(await writes.replaceUser(user, { ...user, version: 2 }), 'version-mismatch')
    assert.equal(await writes.deleteUser(user), 'version-mismatch')
    assert.equal(await writes.deleteGroup(group), 'version-mismatch')
    assert.equal(await writes.replaceGroup(group, { ...group, version: 2 }), 'version-mismatch')
    assert.equal(await writes.changeMembers(group, delta([user])), 'group-not-found')
    const added = committed(await writes.changeMembers(own, delta([user, group])))
    assert.deepEqual(added.skipped, [user.id, group.id])
    assert.deepEqual(await store.getUser(theirs.id, user.id).then((found) => found?.version), 1)
    assert.equal((await store.eventsAfter(mine.id, 0, 9)).length, 1)
  })
}
