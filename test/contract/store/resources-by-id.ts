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

  test(`${engine}: a thousand users are read in one call`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const names = Array.from({ length: 1_000 }, (_, n) => `user-${n}`)
    const ids = (await addUsers(store, directory, names)).map(({ id }) => id)
    assert.deepEqual([...(await store.getUsers(directory.id, ids)).keys()].sort(), ids.sort())
  })
}
