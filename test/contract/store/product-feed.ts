import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { schedule } from '../../../src/concurrency/schedule.ts'
import { createTimeSlices } from '../../../src/concurrency/time-slices.ts'
import { createFeed } from '../../../src/delivery/feed/feed.ts'
import { silentLogger } from '../../../src/delivery/observer.ts'
import type { Directory } from '../../../src/directory/directory.ts'
import type { IndexedUser } from '../../../src/directory/user.ts'
import type { Store } from '../../../src/store/store.ts'
import { cases } from '../../support/extent.ts'
import type { StoreUnderTest } from './database.ts'
import { addDirectory, addUsers, cause, committed, userEvent } from './samples.ts'

/** The first removal of a window is sent, the second one is held. */
const removalLimit = { percent: 0, minimum: 1, windowSeconds: 3600 }

let products = 0
const newProduct = () => `feed-product-${products++}`

/** Reads the feed of a product with a cursor of its own, and remembers what it has got. */
export function productReader(store: Store, product: string) {
  const feed = createFeed({
    secret: 'a secret of the service',
    store,
    clock: () => cause.at,
    schedule,
    slices: createTimeSlices(),
    log: silentLogger,
    streamLimits: { total: 0, perCaller: 0, perTenant: 0 },
  })
  const received = new Map<string, number[]>()
  let cursor: string | undefined
  return {
    /** The sequences of the events of a directory, in the order in which they came. */
    receivedOf: ({ id }: Directory) => received.get(id) ?? [],
    cursor: () => cursor ?? '',
    /** Reads a page; returns its events. */
    async read(limit = 1_000) {
      const { events, next } = await feed.page({ product, limit, ...(cursor === undefined ? {} : { after: cursor }) })
      assert.ok(events.length <= limit)
      cursor = next
      for (const { event, directory } of events)
        received.set(directory.id, [...(received.get(directory.id) ?? []), event.sequence])
      return events.map(({ event, directory }) => `${directory.tenant} ${event.sequence}`)
    },
    async readToEnd(limit = 1_000) {
      const all: string[] = []
      for (let found = await this.read(limit); found.length > 0; found = await this.read(limit)) all.push(...found)
      return all
    },
  }
}

async function remove(store: Store, directory: Directory, users: readonly IndexedUser[]) {
  for (const user of users) committed(await store.deleteUser(directory, user, userEvent('user.deleted', user), cause))
}

async function discard(store: Store, { id: directoryId }: Directory) {
  const request = { directoryId, syncId: 'sync-1', requestId: 'request-9', startedAt: cause.at }
  let resync = await store.discardHold(request)
  while (resync !== undefined && resync.completedAt === undefined)
    resync = committed(await store.stepResync(resync, { rows: 100, bytes: 1_000_000 }, cause.at))
}

export function productFeedContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: the feed of a product has the events of all its directories, each once, in order per directory`, async () => {
    const store = await openStore()
    const product = newProduct()
    const reader = productReader(store, product)
    assert.deepEqual(await reader.readToEnd(), [])
    const [acme, globex] = [
      await addDirectory(store, { product, tenant: 'acme' }),
      await addDirectory(store, { product, tenant: 'globex' }),
    ]
    await addUsers(store, await addDirectory(store, { product: newProduct() }), ['other'])
    await addUsers(store, acme, ['a', 'b', 'c'])
    await addUsers(store, globex, ['a'])
    const found = await reader.readToEnd(2)
    assert.deepEqual(found.toSorted(), ['acme 1', 'acme 2', 'acme 3', 'globex 1'])
    assert.deepEqual(reader.receivedOf(acme), [1, 2, 3])
    await addUsers(store, acme, ['d'])
    assert.deepEqual(await reader.read(), ['acme 4'])
    const quiet = reader.cursor()
    assert.deepEqual(await reader.read(), [])
    assert.ok(quiet.length < 40, quiet)
    assert.deepEqual(await productReader(store, product).readToEnd(3), [...found, 'acme 4'])
  })

  test(`${engine}: events whose volumes are moved before a reader asks are in the feed of the product`, async () => {
    const store = await openStore()
    const product = newProduct()
    const directory = await addDirectory(store, { product })
    const reader = productReader(store, product)
    for (const name of ['a', 'b', 'c']) {
      await addUsers(store, directory, [name])
      while ((await store.moveVolumes(1)) > 0);
      if (name === 'b') await reader.read()
    }
    await reader.readToEnd()
    assert.deepEqual(reader.receivedOf(directory), [1, 2, 3])
  })

  test(`${engine}: held events come once they are released, to readers that are further`, async () => {
    const store = await openStore()
    const product = newProduct()
    const held = await addDirectory(store, { product, tenant: 'held', removalLimit })
    const other = await addDirectory(store, { product, tenant: 'other' })
    const reader = productReader(store, product)
    const users = await addUsers(store, held, ['a', 'b', 'c'])
    await remove(store, held, users)
    assert.notDeepEqual(await store.getHolds(held.id), [])
    await addUsers(store, other, ['a'])
    assert.deepEqual((await reader.readToEnd()).toSorted(), ['held 1', 'held 2', 'held 3', 'held 4', 'other 1'])
    while ((await store.moveVolumes(10)) > 0);
    assert.equal(await store.releaseHold(held.id), true)
    await addUsers(store, other, ['b'])
    assert.deepEqual((await reader.readToEnd()).toSorted(), ['held 5', 'held 6', 'other 2'])
  })

  test(`${engine}: the feed names the directories whose events a reader has got, and where a running resync begins`, async () => {
    const store = await openStore()
    const product = newProduct()
    const endpoint = { url: 'https://acme.example/', secret: 'whsec_x', previousSecret: undefined }
    const pushed = await addDirectory(store, { product, tenant: 'pushed', endpoint })
    const polled = await addDirectory(store, { product, tenant: 'polled' })
    for (const directory of [pushed, polled]) {
      await addUsers(store, directory, ['a', 'b'])
      await store.orderFeed(product)
    }
    const position = await store.feedHead(product)
    const { id, tenant } = polled
    assert.deepEqual(await store.feedReaders(product, 0, { position, sequence: 1 }, 10), [
      {
        directory: { id, tenant, product },
        lastSequence: 1,
        reader: { readAt: undefined, firstDeprovisioning: undefined },
      },
    ])
    assert.equal(await store.firstRunningResync(product), undefined)
    const request = { directoryId: id, syncId: 'sync-1', requestId: 'request-9', startedAt: cause.at }
    let resync = committed(await store.beginResync(request))
    await store.orderFeed(product)
    assert.equal(await store.firstRunningResync(product), await store.feedHead(product))
    while (resync.completedAt === undefined)
      resync = committed(await store.stepResync(resync, { rows: 100, bytes: 1_000_000 }, cause.at))
    assert.equal(await store.firstRunningResync(product), undefined)
  })

  test(`${engine}: the events of a deleted directory leave the feed of the product, and no gap`, async () => {
    const store = await openStore()
    const product = newProduct()
    const [gone, kept] = [
      await addDirectory(store, { product, tenant: 'gone' }),
      await addDirectory(store, { product, tenant: 'kept' }),
    ]
    const reader = productReader(store, product)
    await addUsers(store, gone, ['a', 'b'])
    await addUsers(store, kept, ['a'])
    await reader.read(2)
    await store.deleteDirectory(gone.id, 0)
    await reader.readToEnd(1)
    await addUsers(store, kept, ['b'])
    await reader.readToEnd(1)
    assert.deepEqual(reader.receivedOf(kept), [1, 2])
  })

  test(`${engine}: runs of removed events are removed, and readers go on with what is left`, async () => {
    const store = await openStore()
    const product = newProduct()
    const directory = await addDirectory(store, { product })
    const reader = productReader(store, product)
    for (const name of ['a', 'b', 'c']) {
      await addUsers(store, directory, [name])
      await reader.read()
    }
    assert.equal((await store.feedRuns(product, 0, 10)).length, 3)
    await store.removeEvents(directory.id, { before: cause.at + 1, after: 0, hasOnEvent: false, abandonedBefore: 0 })
    const left = await store.feedRuns(product, 0, 10)
    assert.deepEqual(
      left.map(({ lastSequence }) => lastSequence),
      [3],
    )
    await addUsers(store, directory, ['d'])
    assert.deepEqual(await reader.read(), ['acme 4'])
    const late = productReader(store, product)
    assert.deepEqual(await late.readToEnd(), ['acme 4'])
  })

  test(`${engine}: every reader of a product gets every event once, whatever happens to its directories`, async () => {
    const store = await openStore()
    const what = fc.constantFrom('create', 'create', 'remove', 'release', 'discard', 'move', 'prune')
    const step = fc.record({ what, directory: fc.nat(3), reader: fc.nat(2), limit: fc.integer({ min: 1, max: 7 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { maxLength: 12 }), (rounds) =>
        playRounds(store, rounds),
      ),
      { numRuns: cases(12, 6) },
    )
  })
}

interface Step {
  readonly what: string
  readonly directory: number
  readonly reader: number
  readonly limit: number
}

/** Makes the steps of each round at the same time, with a reader beside each. */
async function playRounds(store: Store, rounds: readonly (readonly Step[])[]): Promise<void> {
  const product = newProduct()
  const directories: Directory[] = []
  for (const tenant of ['a', 'b', 'c', 'd'])
    directories.push(await addDirectory(store, { product, tenant, removalLimit }))
  const users = directories.map((): IndexedUser[] => [])
  const readers = [1, 2, 3].map(() => productReader(store, product))
  const busy = new Set<number>()
  let names = 0

  async function play({ what, directory: index, limit }: Step): Promise<void> {
    const directory = directories[index]
    if (directory === undefined) return
    if (what === 'create') users[index]?.push(...(await addUsers(store, directory, [`user-${names++}`])))
    if (what === 'remove') await remove(store, directory, users[index]?.splice(0, 2) ?? [])
    if (what === 'release') await store.releaseHold(directory.id)
    if (what === 'discard') await discard(store, directory)
    if (what === 'move') await store.moveVolumes(limit)
    // Only what every reader has is removed, so that each can be expected to have all.
    const through = Math.min(...readers.map((reader) => reader.receivedOf(directory).at(-1) ?? 0))
    const pruned = { before: cause.at + 1, after: 0, hasOnEvent: false, abandonedBefore: 0 }
    if (what === 'prune' && through === (await lastSendable(store, directory)))
      await store.removeEvents(directory.id, pruned)
  }

  for (const round of rounds) {
    busy.clear()
    const reading = round.map(async ({ reader, limit }) => {
      if (busy.has(reader)) return
      busy.add(reader)
      await readers[reader]?.read(limit)
    })
    const taken = new Set<number>()
    // Steps of one directory follow each other: a removal and a discard at once would be refused.
    const playing = round.filter((one) => !taken.has(one.directory) && taken.add(one.directory)).map(play)
    await Promise.all([...reading, ...playing])
  }
  for (const [index, reader] of readers.entries()) {
    await reader.readToEnd(index + 1)
    for (const directory of directories) {
      const expected = Array.from({ length: await lastSendable(store, directory) }, (_, n) => n + 1)
      assert.deepEqual(reader.receivedOf(directory), expected)
    }
  }
}

async function lastSendable(store: Store, { id: directoryId }: Directory): Promise<number> {
  return (await store.feedDirectories({ directoryId }, 1))[0]?.lastSequence ?? 0
}
