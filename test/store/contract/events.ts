import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IndexedUser } from '../../../src/directory/user.ts'
import { toJsonText } from '../../../src/scim/json-text.ts'
import type { StoreUnderTest } from './database.ts'
import { openAlone } from './database.ts'
import { addDirectory, addUsers, committed, someUser, writesTo } from './samples.ts'

const endpoint = { url: 'https://acme.example/events', secret: 'whsec_x' }

export function eventContract(engine: string, { createDatabase, openStore }: StoreUnderTest): void {
  test(`${engine}: events are read behind a place, as many as asked for and about 1 MB at a time`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { createUser } = writesTo(store, directory)
    for (let n = 0; n < 8; n += 1) {
      committed(await createUser(largeUser(`user-${n}`, 300_000)))
    }
    const sequences = async (after: number, limit: number) =>
      (await store.eventsAfter(directory.id, after, limit)).map(({ sequence }) => sequence)
    assert.deepEqual(await sequences(0, 2), [1, 2])
    assert.deepEqual(await sequences(0, 100), [1, 2, 3, 4])
    assert.deepEqual(await sequences(6, 100), [7, 8])
    assert.deepEqual(await sequences(8, 100), [])
    committed(await createUser(largeUser('huge', 1_500_000)))
    assert.deepEqual(await sequences(8, 100), [9])
  })

  test(`${engine}: what a target has taken never goes back`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store, { endpoint })
    await addUsers(store, directory, ['a', 'b', 'c'])
    const taken = () => store.deliveredSequence(directory.id, 'endpoint')
    assert.equal(await taken(), 0)
    await store.recordDelivered(directory.id, 'endpoint', 2)
    await store.recordDelivered(directory.id, 'endpoint', 1)
    assert.equal(await taken(), 2)
    await Promise.all([3, 1, 2].map((sequence) => store.recordDelivered(directory.id, 'endpoint', sequence)))
    assert.equal(await taken(), 3)
    assert.equal(await store.deliveredSequence(directory.id, 'on-event'), 0)
    await store.recordDelivered('nobody', 'endpoint', 5)
    assert.equal(await store.deliveredSequence('nobody', 'endpoint'), 0)
  })

  test(`${engine}: delivery to a first endpoint starts with the events that follow`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    await addUsers(store, directory, ['a', 'b'])
    const change = async (revision: number, url: string | undefined) =>
      store.replaceDirectory({ ...directory, revision, endpoint: url === undefined ? undefined : { ...endpoint, url } })
    const taken = () => store.deliveredSequence(directory.id, 'endpoint')
    assert.equal(await change(2, 'https://one.example/'), 'replaced')
    assert.equal(await taken(), 2)
    await addUsers(store, { ...directory, revision: 2 }, ['c'])
    assert.equal(await change(3, 'https://two.example/'), 'replaced')
    assert.equal(await taken(), 2, 'another endpoint goes on where the one before stopped')
    assert.equal(await change(4, undefined), 'replaced')
    assert.equal(await change(5, 'https://one.example/'), 'replaced')
    assert.equal(await taken(), 3)
  })

  test(`${engine}: the directories that are behind, and by how many events`, async () => {
    await using opened = await openAlone(createDatabase)
    const { store } = opened
    const [first, second, bare, off] = [
      await addDirectory(store, { endpoint }),
      await addDirectory(store, { endpoint }),
      await addDirectory(store),
      await addDirectory(store, { endpoint, deactivated: true }),
    ]
    await addDirectory(store, { endpoint })
    for (const directory of [first, second, bare, off]) await addUsers(store, directory, ['a', 'b'])
    const behind = (after = '', limit = 9) => store.directoriesBehind('endpoint', after, limit)
    assert.deepEqual(await behind(), [first.id, second.id])
    assert.deepEqual(await behind('', 1), [first.id])
    assert.deepEqual(await behind(first.id), [second.id])
    assert.equal(await store.countUndelivered('endpoint'), 4)
    assert.deepEqual(await store.directoriesBehind('on-event', '', 9), [first.id, second.id, bare.id])
    assert.equal(await store.countUndelivered('on-event'), 6)
    await store.recordDelivered(first.id, 'endpoint', 1)
    assert.equal(await store.countUndelivered('endpoint'), 3)
    await store.recordDelivered(first.id, 'endpoint', 2)
    assert.deepEqual(await behind(), [second.id])
  })
}

/** A user that takes so many characters; the domain would not let it become so large. */
function largeUser(userName: string, length: number): IndexedUser {
  const user = someUser({ userName })
  return { ...user, raw: toJsonText({ id: user.id, userName, note: 'x'.repeat(length) }) }
}
