import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newStream } from '../../../src/delivery/event-store.ts'
import { volumeUnits } from '../../../src/diagnostics/overview/volume-store.ts'
import type { Store } from '../../../src/store/store.ts'
import type { StoreUnderTest } from './database.ts'
import { addDirectory, addGroup, addUsers, cause, changedUser, committed, delta, writesTo } from './samples.ts'

const { minute, hour, day } = volumeUnits
const from = Math.floor(cause.at / day) * day
const periods = [minute, hour, day].map((unit) => ({ unit, from }))

/** The events and failed deliveries per period of each length. */
async function volumesOf(store: Store, scope: { product?: string; tenant?: string }) {
  const found = await store.volumes(scope, periods)
  return found.map(({ volumes }) => volumes.map(({ events, failedDeliveries }) => [events, failedDeliveries]))
}

async function moveAll(store: Store): Promise<void> {
  while ((await store.moveVolumes(2)) > 0);
}

export function volumeContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: each commit counts its events, and each failed attempt itself, in the totals of all scopes`, async () => {
    const store = await openStore()
    const product = `volumes-${engine}`
    const [acme, other] = [
      await addDirectory(store, { product, tenant: 'volumes-acme' }),
      await addDirectory(store, { product, tenant: 'volumes-other' }),
    ]
    const [ann, bob] = await addUsers(store, acme, ['ann', 'bob'])
    if (ann === undefined || bob === undefined) return assert.fail()
    const { group } = await addGroup(store, acme, 'Everyone', [ann])
    assert.deepEqual(await volumesOf(store, { product }), [[[4, 0]], [[4, 0]], [[4, 0]]])
    await moveAll(store)
    const later = { at: cause.at + minute }
    const writes = writesTo(store, acme, later)
    committed(await writes.replaceUser(ann, changedUser(ann, { title: 'x' })))
    committed(await writes.changeMembers(group, delta([bob], [ann])))
    committed(await writes.deleteUser(bob))
    const version = (await store.getGroup(acme.id, group.id))?.version ?? 0
    committed(await writes.deleteGroup({ id: group.id, version }))
    await addUsers(store, other, ['cyd'])
    const leased = await store.leaseStream(acme.id, 'endpoint', 'me', minute)
    if (typeof leased === 'string') return assert.fail(leased)
    const failure = { ...newStream, failures: 1 }
    await store.recordStream(leased.lease, failure, { failedAt: later.at })
    const stale = { ...leased.lease, token: leased.lease.token - 1 }
    assert.equal(await store.recordStream(stale, failure, { failedAt: later.at }), 'lost')
    const before = await Promise.all(
      [{ product }, { product, tenant: acme.tenant }].map((one) => volumesOf(store, one)),
    )
    await moveAll(store)
    const after = await Promise.all([{ product }, { product, tenant: acme.tenant }].map((one) => volumesOf(store, one)))
    const ofProduct = [
      [5, 0],
      [5, 1],
    ]
    const ofTenant = [
      [4, 0],
      [5, 1],
    ]
    const expected = [
      [ofProduct, [[10, 1]], [[10, 1]]],
      [ofTenant, [[9, 1]], [[9, 1]]],
    ]
    assert.deepEqual([before, after], [expected, expected])
    assert.deepEqual(await volumesOf(store, { tenant: acme.tenant }), expected[1])
    const [all = []] = await volumesOf(store, {})
    assert.ok(all.reduce((sum, [events = 0]) => sum + events, 0) >= 10)
    assert.ok((await store.volumesSince()) > cause.at)
  })

  test(`${engine}: totals of old periods are removed`, async () => {
    const store = await openStore()
    const product = `old-volumes-${engine}`
    const directory = await addDirectory(store, { product })
    await addUsers(store, directory, ['ann'])
    await moveAll(store)
    while ((await store.pruneVolumes(minute, cause.at + 1, 10)) > 0);
    assert.deepEqual(await volumesOf(store, { product }), [[], [[1, 0]], [[1, 0]]])
  })
}
