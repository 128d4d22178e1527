import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ComparedUser } from '../../../src/directory/directory-store.ts'
import type { IndexedUser } from '../../../src/directory/user.ts'
import { fromJsonText } from '../../../src/scim/json-text.ts'
import type { Store } from '../../../src/store/store.ts'
import type { StoreUnderTest } from './database.ts'
import { mappedDirectory } from './mapping-world.ts'
import { addDirectory, addUsers, cause, changedUser, someUser, writesTo } from './samples.ts'

/** More users than three parts of a snapshot have. */
const manyNames = Array.from({ length: 1_600 }, (_, n) => `user-${n}`)

/** The compared fields of users, by id. */
function compared(users: readonly (IndexedUser | ComparedUser)[]): Map<string, unknown> {
  const fieldsOf = ({ active, email, firstName, lastName, accountId }: ComparedUser) => {
    return { active, email, firstName, lastName, accountId }
  }
  return new Map(users.map((user) => [user.id, fieldsOf(user)]))
}

async function readAll(store: Store, directoryId: string): Promise<readonly ComparedUser[] | undefined> {
  return store.readSnapshot(directoryId, async (_, parts) => (await Array.fromAsync(parts)).flat())
}

export function userSnapshotContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: a snapshot has every user as it was, whatever is written while its parts are read`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { createUser, replaceUser, deleteUser } = writesTo(store, directory)
    const users = await addUsers(store, directory, manyNames)
    const [early, late] = [users.slice(0, 4), users.slice(-4)]
    const write = async ([changed, deleted, linked, both]: readonly IndexedUser[], name: string) => {
      assert.ok(changed && deleted && linked && both)
      await replaceUser(changed, changedUser(changed, { active: false }))
      await deleteUser(deleted)
      await store.linkAccounts(directory.id, [{ userId: linked.id, accountId: `account of ${name}` }])
      const next = changedUser(both, { name: { givenName: 'Both' } })
      await Promise.all([replaceUser(both, next), createUser(someUser({ userName: name }))])
      await deleteUser(next)
    }
    const read: ComparedUser[] = []
    const sequence = await store.readSnapshot(directory.id, async (sequence, parts) => {
      let isFirst = true
      for await (const part of parts) {
        assert.ok(part.length <= 600, 'a part is bounded')
        read.push(...part)
        if (isFirst) await write(early, 'early')
        if (isFirst) await write(late, 'late')
        isFirst = false
      }
      return sequence
    })
    assert.equal(sequence, users.length)
    assert.equal(read.length, users.length, 'nobody comes twice')
    assert.deepEqual(compared(read), compared(users))
    const after = await readAll(store, directory.id)
    assert.equal(after?.length, users.length - 2)
    assert.equal(after?.filter(({ active, accountId }) => !active || accountId !== undefined).length, 4)
  })

  test(`${engine}: two snapshots of a directory are read at a time, and one that is given up leaves nothing`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const users = await addUsers(store, directory, manyNames.slice(0, 3))
    const [one, other] = await Promise.all([readAll(store, directory.id), readAll(store, directory.id)])
    assert.deepEqual([compared(one ?? []), compared(other ?? [])], [compared(users), compared(users)])
    const givenUp = store.readSnapshot(directory.id, async () => assert.fail('given up'))
    await assert.rejects(givenUp, /given up/)
    assert.equal((await readAll(store, directory.id))?.length, 3)
  })

  test(`${engine}: a snapshot has what the mapping gives, and there is none of a directory that is gone`, async () => {
    const store = await openStore()
    const directory = await mappedDirectory(store, { roles: { default: ['member'] } })
    assert.deepEqual(await readAll(store, directory.id), [])
    assert.equal(await readAll(store, 'nowhere'), undefined)
    await addUsers(store, directory, ['ann'])
    const [{ mapped } = {}] = (await readAll(store, directory.id)) ?? []
    assert.deepEqual(mapped && fromJsonText(mapped).roles, ['member'])
    await store.deleteDirectory(directory.id, cause.at)
    assert.equal(await readAll(store, directory.id), undefined)
  })

  test(`${engine}: the ids of users are listed in creation order, in pages`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const users = await addUsers(store, directory, ['ann', 'bob', 'cid'])
    const first = await store.listUserIds(directory.id, { from: 0, limit: 2 })
    const from = first.at(-1)
    assert.ok(from)
    const rest = await store.listUserIds(directory.id, { from, limit: 2 })
    assert.deepEqual(
      [...first, ...rest].map(({ id }) => id),
      users.map(({ id }) => id),
    )
  })
}
