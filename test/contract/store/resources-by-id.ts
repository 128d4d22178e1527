import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoreUnderTest } from './database.ts'
import { addDirectory, addGroup, addUsers, committed, writesTo } from './samples.ts'

export function resourcesByIdContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: users are read by their ids; unknown ids and those of other directories are left out`, async () => {
    const store = await openStore()
    const [directory, other] = [await addDirectory(store), await addDirectory(store)]
    const [ann, bob, cleo, gone] = await addUsers(store, directory, ['ann', 'bob', 'cleo', 'gone'])
    const [eve] = await addUsers(store, other, ['eve'])
    assert.ok(ann && bob && cleo && gone && eve)
    committed(await writesTo(store, directory).deleteUser(gone))
    const ids = [cleo.id, ann.id, ann.id, gone.id, eve.id, 'with \0 NUL']
    const found = await store.getUsers(directory.id, ids)
    assert.deepEqual([...found.keys()].sort(), [ann.id, cleo.id])
    for (const id of [ann.id, cleo.id]) assert.deepEqual(found.get(id), await store.getUser(directory.id, id))
    assert.deepEqual(await store.getUsers(directory.id, []), new Map())
  })

  test(`${engine}: groups are read by their ids; unknown ids and those of other directories are left out`, async () => {
    const store = await openStore()
    const [directory, other] = [await addDirectory(store), await addDirectory(store)]
    const { group: sales } = await addGroup(store, directory, 'Sales')
    const { group: gone } = await addGroup(store, directory, 'Gone')
    const { group: others } = await addGroup(store, other, 'Others')
    committed(await writesTo(store, directory).deleteGroup(gone))
    const found = await store.getGroups(directory.id, [gone.id, others.id, sales.id, sales.id, 'with \0 NUL'])
    assert.deepEqual(found, new Map([[sales.id, await store.getGroup(directory.id, sales.id)]]))
    assert.deepEqual(await store.getGroups(directory.id, []), new Map())
  })

  test(`${engine}: a user or group is found in the directories of a scope, and nowhere else`, async () => {
    const store = await openStore()
    const [tenant, product] = ['scoped', 'crm']
    const made = []
    for (const createdAt of [1, 2, 3]) made.push(await addDirectory(store, { tenant, product, createdAt }))
    const deleted = await addDirectory(store, { tenant, product })
    const other = await addDirectory(store, { tenant: 'scoped-other', product })
    const [, second] = made
    assert.ok(second)
    const inDirectory = async (directory: typeof other) => {
      const users = await addUsers(store, directory, ['ann'])
      const { group } = await addGroup(store, directory, 'Sales', users)
      return { user: users[0]?.id ?? assert.fail(), group: group.id }
    }
    const [inSecond, inDeleted, inOther] = [
      await inDirectory(second),
      await inDirectory(deleted),
      await inDirectory(other),
    ]
    await store.deleteDirectory(deleted.id, 0)
    const directory = { id: second.id, createdAt: second.createdAt }
    for (const scope of [
      { tenant, product },
      { directoryId: second.id },
      { directoryId: second.id, tenant, product },
    ]) {
      const user = await store.findUserInScope(scope, inSecond.user)
      const groups = [{ id: inSecond.group, name: 'Sales' }]
      assert.deepEqual(user, { directory, found: { ...(await store.getUser(second.id, inSecond.user)), groups } })
      const group = await store.findGroupInScope(scope, inSecond.group)
      assert.deepEqual(group, { directory, found: await store.getGroup(second.id, inSecond.group) })
      for (const { user, group } of [inDeleted, inOther]) {
        assert.equal(await store.findUserInScope(scope, user), undefined)
        assert.equal(await store.findGroupInScope(scope, group), undefined)
      }
      assert.equal(await store.findUserInScope(scope, 'with \0 NUL'), undefined)
    }
    assert.equal(await store.findUserInScope({ directoryId: second.id, tenant: 'another' }, inSecond.user), undefined)
    assert.equal(await store.findUserInScope({ directoryId: second.id, product: 'another' }, inSecond.user), undefined)
    assert.equal(await store.findUserInScope({ tenant, product: 'another' }, inSecond.user), undefined)
  })

  test(`${engine}: members are listed without their names; a deleted or unknown group has none`, async () => {
    const store = await openStore()
    const [directory, another] = [await addDirectory(store), await addDirectory(store)]
    const [ann, bob] = await addUsers(store, directory, ['ann', 'bob'])
    assert.ok(ann && bob)
    const { group } = await addGroup(store, directory, 'Sales', [ann, bob])
    const { group: gone } = await addGroup(store, directory, 'Gone', [ann])
    committed(await writesTo(store, directory).deleteGroup(gone))
    const all = { from: 0, limit: 10 }
    const members = await store.listMemberIds(directory.id, group.id, { from: 1, limit: 10 })
    assert.deepEqual(
      members.map(({ item }) => item),
      [{ id: bob.id, memberType: 'User' }],
    )
    assert.deepEqual(await store.listMemberIds(directory.id, gone.id, all), [])
    assert.deepEqual(await store.listMemberIds(directory.id, 'with \0 NUL', all), [])
    assert.deepEqual(await store.listMemberIds(another.id, group.id, all), [])
  })

  test(`${engine}: a thousand users are read in one call`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const names = Array.from({ length: 1_000 }, (_, n) => `user-${n}`)
    const ids = (await addUsers(store, directory, names)).map(({ id }) => id)
    assert.deepEqual([...(await store.getUsers(directory.id, ids)).keys()].sort(), ids.sort())
  })
}
