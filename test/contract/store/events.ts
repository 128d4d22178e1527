import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Directory } from '../../../src/directory/directory.ts'
import type { IndexedUser } from '../../../src/directory/user.ts'
import { toJsonText } from '../../../src/scim/json-text.ts'
import type { Store } from '../../../src/store/store.ts'
import type { StoreUnderTest } from './database.ts'
import {
  addDirectory,
  addUsers,
  cause,
  changedGroup,
  changedUser,
  committed,
  delta,
  eventsOf,
  someGroup,
  someUser,
  writesTo,
} from './samples.ts'

const endpoint = { url: 'https://acme.example/events', secret: 'whsec_x', previousSecret: undefined }

export function eventContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: events are read after a sequence number, limited by number and to about 1 MB`, async () => {
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

  test(`${engine}: every event has the trace context of its own commit, or none`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    await changeWithTraces(store, directory)
    const events = await eventsOf(store, directory)
    assert.equal(new Set(events.map(({ eventType }) => eventType)).size, 13, 'all types but endpoint.test')
    for (const { eventType, requestId, traceContext } of events) {
      assert.equal(traceContext, requestId === cause.requestId ? undefined : requestId, eventType)
    }
    assert.equal(new Set(events.map(({ traceContext }) => traceContext)).size, 18)
  })

  test(`${engine}: the first event at or after a time is found, whatever the length of the sequence`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    for (let n = 1; n <= 40; n += 1) {
      const user = someUser({ userName: `user-${n}` })
      const event = { eventType: 'user.created', data: user.raw } as const
      committed(await store.createUser(directory, user, event, { requestId: 'request', at: n * 10 }))
    }
    const sequenceAt = (time: number) => store.sequenceAt(directory.id, time)
    assert.equal(await sequenceAt(0), 1)
    for (const n of [1, 2, 17, 39, 40]) {
      assert.equal(await sequenceAt(n * 10), n)
      assert.equal(await sequenceAt(n * 10 - 3), n)
    }
    assert.equal(await sequenceAt(401), undefined)
    assert.equal(await store.sequenceAt('nobody', 0), undefined)
  })

  test(`${engine}: delivery to a new endpoint starts with the next event`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    await addUsers(store, directory, ['a', 'b'])
    const change = async (revision: number, url: string | undefined) =>
      store.replaceDirectory({ ...directory, revision, endpoint: url === undefined ? undefined : { ...endpoint, url } })
    const taken = async () => (await store.streamStatus(directory.id, 'endpoint'))?.deliveredSequence
    assert.equal(await change(2, 'https://one.example/'), 'replaced')
    assert.equal(await taken(), 2)
    await addUsers(store, { ...directory, revision: 2 }, ['c'])
    assert.equal(await change(3, 'https://two.example/'), 'replaced')
    assert.equal(await taken(), 2, 'another endpoint continues where the previous one stopped')
    assert.equal(await change(4, undefined), 'replaced')
    assert.equal(await change(5, 'https://one.example/'), 'replaced')
    assert.equal(await taken(), 3)
  })
}

/** Makes every kind of change, alone and in a batch: some with a trace, others without one. */
async function changeWithTraces(store: Store, directory: Directory): Promise<void> {
  let count = 0
  const next = () => {
    count += 1
    return writesTo(store, directory, count % 3 === 0 ? {} : { requestId: traced(count), traceContext: traced(count) })
  }
  const [alone, ...several] = [1, 2, 3, 4, 5].map((n) => someUser({ userName: `user-${n}` }))
  if (alone === undefined) return
  const renamed = several.map((user) => changedUser(user, { displayName: 'Renamed' }))
  const inactive = renamed.map((user) => changedUser(user, { active: false }))
  const [group, closed] = [someGroup({ displayName: 'Sales' }), someGroup({ displayName: 'Closed' })]
  committed(await next().createUser(alone))
  await Promise.all(several.map(async (user) => committed(await next().createUser(user))))
  committed(await next().replaceUser(alone, changedUser(alone, { displayName: 'Renamed' })))
  await Promise.all(renamed.map(async (user, n) => committed(await next().replaceUser(several[n] ?? alone, user))))
  await Promise.all(inactive.map(async (user, n) => committed(await next().replaceUser(renamed[n] ?? alone, user))))
  committed(await next().createGroup(group, delta(several)))
  committed(await next().replaceGroup(group, changedGroup(group, { displayName: 'Selling' }), delta([alone])))
  committed(await next().createGroup(closed))
  committed(await next().deleteGroup(closed))
  committed(await next().changeMembers(group, delta([], several)))
  await Promise.all(inactive.map(async (user) => committed(await next().deleteUser(user))))
  const resync = {
    directoryId: directory.id,
    syncId: 'sync',
    requestId: traced(0),
    traceContext: traced(0),
    startedAt: 1,
  }
  let step = committed(await store.beginResync(resync))
  while (step.completedAt === undefined) step = committed(await store.stepResync(step, { rows: 9, bytes: 1e6 }, 2))
}

const traced = (n: number) => `00-4bf92f3577b34da6a3ce929d0e0e4736-${String(n).padStart(16, '0')}-01 vendor=value`

/** A user of this number of characters, more than the domain would accept. */
function largeUser(userName: string, length: number): IndexedUser {
  const user = someUser({ userName })
  return { ...user, raw: toJsonText({ id: user.id, userName, note: 'x'.repeat(length) }) }
}
