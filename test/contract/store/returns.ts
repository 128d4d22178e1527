import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Directory } from '../../../src/directory/directory.ts'
import type { StoredEvent } from '../../../src/directory/event.ts'
import { createRecognize } from '../../../src/directory/returned-users.ts'
import type { IndexedUser } from '../../../src/directory/user.ts'
import { fromJsonText } from '../../../src/scim/json-text.ts'
import type { Store } from '../../../src/store/store.ts'
import type { StoreUnderTest } from './database.ts'
import { openAlone } from './database.ts'
import { addDirectory, cause, changedUser, committed, eventsOf, someUser, userEvent } from './samples.ts'

const dayMs = 24 * 3_600_000
const windowDays = 30

const recognize = createRecognize('a-key', windowDays)

export function returnContract(engine: string, { openStore, createDatabase }: StoreUnderTest): void {
  test(`${engine}: a user is recognized by the userName, in any case, or the externalId of a deleted one`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { create, remove } = writesOf(store, directory)
    const [ann, bob] = [someUser({ userName: 'Ann', externalId: 'a-1' }), someUser({ userName: 'bob' })]
    for (const user of [ann, bob]) await create(user)
    for (const user of [ann, bob]) await remove(user, cause.at + 5)
    const [renamed, other] = [someUser({ userName: 'anna', externalId: 'a-1' }), someUser({ userName: 'cid' })]
    const again = someUser({ userName: 'BOB', externalId: 'b-1' })
    for (const user of [renamed, other, again]) await create(user, cause.at + 9)
    const deletedAt = new Date(cause.at + 5).toISOString()
    assert.deepEqual(await returnOf(store, directory, renamed), { id: ann.id, deleted_at: deletedAt })
    assert.deepEqual(await returnOf(store, directory, again), { id: bob.id, deleted_at: deletedAt })
    assert.equal(await returnOf(store, directory, other), undefined)
    const created = (await eventsOf(store, directory)).slice(-3).map(returnIn)
    assert.deepEqual(created, [{ id: ann.id, deleted_at: deletedAt }, undefined, { id: bob.id, deleted_at: deletedAt }])
  })

  test(`${engine}: users who are created together are each recognized, and nobody returns twice`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { create, remove } = writesOf(store, directory)
    const names = ['ann', 'bob', 'cid']
    const users = names.map((userName) => someUser({ userName, externalId: `id-${userName}` }))
    await Promise.all(users.map((user) => create(user)))
    await Promise.all(users.map((user) => remove(user)))
    const back = names.map((userName) => someUser({ userName }))
    const second = someUser({ userName: 'ann-2', externalId: 'id-ann' })
    await Promise.all([...back, second].map((user) => create(user)))
    const returned = await Promise.all([...back, second].map((user) => returnOf(store, directory, user)))
    assert.deepEqual(
      returned.map((one) => one?.id),
      [...users.map(({ id }) => id), undefined],
    )
    const later = someUser({ userName: 'dan', externalId: 'id-bob' })
    await create(later)
    assert.equal(await returnOf(store, directory, later), undefined, 'bob has returned')
  })

  test(`${engine}: the last of several deletions counts, that of the externalId first`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { create, remove } = writesOf(store, directory)
    const first = someUser({ userName: 'ann', externalId: 'a-1' })
    await create(first)
    await remove(first, cause.at + 1)
    const second = someUser({ userName: 'ann' })
    await create(second, cause.at + 2)
    assert.equal((await returnOf(store, directory, second))?.id, first.id)
    await remove(second, cause.at + 3)
    const third = someUser({ userName: 'ann' })
    await create(third, cause.at + 4)
    assert.equal((await returnOf(store, directory, third))?.id, second.id)

    const [named, identified] = [someUser({ userName: 'eve' }), someUser({ userName: 'fay', externalId: 'f-1' })]
    for (const user of [named, identified]) await create(user)
    await remove(identified, cause.at + 5)
    await remove(named, cause.at + 6)
    const both = someUser({ userName: 'eve', externalId: 'f-1' })
    await create(both, cause.at + 7)
    assert.equal((await returnOf(store, directory, both))?.id, identified.id)
    await remove(both, cause.at + 8)
    await create({ ...both, version: 1 }, cause.at + 9)
    assert.equal((await returnOf(store, directory, both))?.id, both.id, 'an id that comes back')
  })

  test(`${engine}: every version of a user who returned says so`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { create, remove } = writesOf(store, directory)
    const [ann, again] = [someUser({ userName: 'ann' }), someUser({ userName: 'ann' })]
    await create(ann)
    await remove(ann)
    await create(again)
    const changed = changedUser(again, { displayName: 'Ann', active: false })
    committed(await store.replaceUser(directory, again, changed, userEvent('user.updated', changed), cause))
    const expected = await returnOf(store, directory, again)
    assert.equal(expected?.id, ann.id)
    const scope = { directoryId: directory.id }
    const [listed] = await store.listUsers(directory.id, { from: 0, limit: 9, withGroups: true })
    const [found] = await store.listUsers(directory.id, {
      where: [{ attribute: 'userName', value: 'ann' }],
      from: 0,
      limit: 9,
    })
    const shown = [
      ...[listed?.item, found?.item, (await store.findUserInScope(scope, again.id))?.found],
      await store.getUserWithGroups(directory.id, again.id),
      (await store.getUsers(directory.id, [again.id])).get(again.id),
    ]
    for (const user of shown) assert.deepEqual(user?.returnedFrom && fromJsonText(user.returnedFrom), expected)
  })

  test(`${engine}: nobody is recognized in another directory, after the window, by a rename, or without a recognition`, async () => {
    const store = await openStore()
    const [directory, other] = [await addDirectory(store), await addDirectory(store)]
    const { create, remove } = writesOf(store, directory)
    const ann = someUser({ userName: 'ann' })
    await create(ann)
    await remove(ann)
    const elsewhere = someUser({ userName: 'ann' })
    await writesOf(store, other).create(elsewhere)
    const bob = someUser({ userName: 'bob' })
    await create(bob)
    const renamed = changedUser(bob, { userName: 'ann' })
    committed(await store.replaceUser(directory, bob, renamed, userEvent('user.updated', renamed), cause))
    const back = changedUser(renamed, { userName: 'bob' })
    committed(await store.replaceUser(directory, renamed, back, userEvent('user.updated', back), cause))
    assert.equal(await returnOf(store, directory, bob), undefined)
    const unrecognized = someUser({ userName: 'ann' })
    committed(await store.createUser(directory, unrecognized, userEvent('user.created', unrecognized), cause))
    committed(await store.deleteUser(directory, unrecognized, userEvent('user.deleted', unrecognized), cause))
    const late = someUser({ userName: 'ann' })
    await create(late, cause.at + windowDays * dayMs + 1)
    for (const [where, user] of [[other, elsewhere] as const, [directory, late] as const])
      assert.equal(await returnOf(store, where, user), undefined, user.id)
  })

  test(`${engine}: a refused creation leaves the deleted user to be recognized`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { create, remove } = writesOf(store, directory)
    const [ann, bob] = [someUser({ userName: 'ann', externalId: 'a-1' }), someUser({ userName: 'bob' })]
    for (const user of [ann, bob]) await create(user)
    await remove(ann)
    const taken = someUser({ userName: 'bob', externalId: 'a-1' })
    const event = userEvent('user.created', taken)
    const recognition = recognize?.(directory.id, taken, cause.at)
    assert.equal(await store.createUser(directory, { ...taken, recognition }, event, cause), 'user-name-taken')
    const again = someUser({ userName: 'ann' })
    await create(again)
    assert.equal((await returnOf(store, directory, again))?.id, ann.id)
  })

  test(`${engine}: only digests are kept of deleted users, until they return or are pruned`, async () => {
    await using alone = await openAlone(createDatabase)
    const { store } = alone
    const directory = await addDirectory(store)
    const { create, remove } = writesOf(store, directory)
    const users = ['ann', 'bob', 'cid'].map((userName) => someUser({ userName }))
    for (const [day, user] of users.entries()) {
      await create(user)
      await remove(user, cause.at + day * dayMs)
    }
    assert.equal(await store.pruneDeletedUsers(cause.at, 9), 0)
    assert.equal(await store.pruneDeletedUsers(cause.at + dayMs, 9), 1)
    const again = ['ann', 'bob'].map((userName) => someUser({ userName }))
    for (const user of again) await create(user, cause.at + 2 * dayMs)
    const returned = await Promise.all(again.map((user) => returnOf(store, directory, user)))
    assert.deepEqual(
      returned.map((one) => one?.id),
      [undefined, users[1]?.id],
    )
    assert.equal(await store.pruneDeletedUsers(cause.at + 9 * dayMs, 9), 1, 'only cid was left')
  })
}

/** Writes with the recognition that the service makes. */
function writesOf(store: Store, directory: Directory) {
  const recognizable = (user: IndexedUser, at: number) => ({
    ...user,
    recognition: recognize?.(directory.id, user, at),
  })
  return {
    async create(user: IndexedUser, at = cause.at) {
      const event = userEvent('user.created', user)
      committed(await store.createUser(directory, recognizable(user, at), event, { ...cause, at }))
    },
    async remove(user: IndexedUser, at = cause.at) {
      const event = userEvent('user.deleted', user)
      committed(await store.deleteUser(directory, recognizable(user, at), event, { ...cause, at }))
    },
  }
}

async function returnOf(store: Store, directory: Directory, { id }: Pick<IndexedUser, 'id'>) {
  const user = await store.getUser(directory.id, id)
  assert.ok(user, 'the user exists')
  return user.returnedFrom && fromJsonText(user.returnedFrom)
}

function returnIn({ data }: Pick<StoredEvent, 'data'>): unknown {
  return fromJsonText(data)['returned_from']
}
