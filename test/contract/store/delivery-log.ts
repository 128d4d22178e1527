import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import type { LoggedDelivery, LogScope } from '../../../src/delivery/log/delivery-log-store.ts'
import { logStart } from '../../../src/delivery/log/delivery-log-store.ts'
import type { Directory } from '../../../src/directory/directory.ts'
import type { Store } from '../../../src/store/store.ts'
import { eventually } from '../../support/eventually.ts'
import type { StoreUnderTest } from './database.ts'
import { openAlone } from './database.ts'
import { addDirectory } from './samples.ts'

export function deliveryLogContract(engine: string, { createDatabase, openStore }: StoreUnderTest): void {
  test(`${engine}: a logged delivery is read back unchanged`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const answered = someDelivery(directory, { payload: '{"a":"\\u0000 é 𝒳"}', responseBody: 'fine\n' })
    const silent = someDelivery(directory, {
      ...{ status: null, error: 'no answer', isDelivered: false, payload: null, isPayloadTruncated: true },
      ...{ sequence: 5_000_000_000, eventCount: 100, attempt: 12, latencyMs: 15_000, createdAt: 1_800_000_000_000 },
    })
    await store.addDeliveries(directory.id, [answered, silent])
    const scope = { directoryId: directory.id }
    const { tenant } = directory
    assert.deepEqual(await store.getDelivery(scope, answered.id), { ...answered, tenant })
    assert.deepEqual(await store.getDelivery(scope, silent.id), { ...silent, tenant })
    assert.equal(await store.getDelivery(scope, uuidv7()), undefined)
    assert.equal(await store.getDelivery(scope, 'with \0 NUL'), undefined)
  })

  test(`${engine}: a delivery is logged once, and not for a deleted directory`, async () => {
    const store = await openStore()
    const [directory, gone] = [await addDirectory(store), await addDirectory(store)]
    const delivery = someDelivery(directory)
    await store.addDeliveries(directory.id, [delivery])
    await store.addDeliveries(directory.id, [{ ...delivery, attempt: 9 }, someDelivery(directory)])
    assert.equal((await idsOf(store, { directoryId: directory.id })).length, 2)
    const found = await store.getDelivery({ directoryId: directory.id }, delivery.id)
    assert.deepEqual(found, { ...delivery, tenant: directory.tenant })
    await store.deleteDirectory(gone.id, 0)
    await store.addDeliveries(gone.id, [someDelivery(gone)])
    await store.addDeliveries('nobody', [someDelivery({ id: 'nobody' })])
    assert.deepEqual(await idsOf(store, { directoryId: gone.id }), [])
    assert.deepEqual(await idsOf(store, { directoryId: 'nobody' }), [])
  })

  test(`${engine}: a log is listed newest first, for a directory, a tenant and product, or a product`, async () => {
    const store = await openStore()
    const [tenant, product] = [uuidv7(), uuidv7()]
    const [one, other, erp] = [
      await addDirectory(store, { tenant }),
      await addDirectory(store, { tenant }),
      await addDirectory(store, { tenant, product: 'erp' }),
    ]
    const [mine, theirs] = [await addDirectory(store, { product }), await addDirectory(store, { product, tenant })]
    const [x, y] = [await log(store, mine), await log(store, theirs)]
    assert.deepEqual(await idsOf(store, { product }), [y, x])
    assert.deepEqual(await idsOf(store, { product, tenant }), [y])
    assert.deepEqual(await idsOf(store, { product }, y), [x])
    assert.equal((await store.getDelivery({ product }, y))?.tenant, tenant)
    assert.deepEqual(await store.skipDeliveries({ product }, logStart, 9), { skipped: 2, last: x })
    const ids: string[] = []
    for (const directory of [one, other, erp, one, other, one]) ids.unshift(await log(store, directory))
    const [f, e, d, , b, a] = ids
    assert.deepEqual(await idsOf(store, { directoryId: one.id }), [f, d, a])
    assert.deepEqual(await idsOf(store, { tenant, product: 'crm' }), [f, e, d, b, a])
    assert.deepEqual(await idsOf(store, { tenant, product: 'crm' }, e), [d, b, a])
    assert.deepEqual(await idsOf(store, { tenant, product: 'crm' }, e, 2), [d, b])
    assert.deepEqual(await store.skipDeliveries({ tenant, product: 'crm' }, logStart, 2), { skipped: 2, last: e })
    assert.deepEqual(await store.skipDeliveries({ directoryId: one.id }, f ?? '', 9), { skipped: 2, last: a })
    assert.deepEqual(await store.skipDeliveries({ directoryId: one.id }, a ?? '', 9), { skipped: 0, last: undefined })
    assert.deepEqual(await store.listDeliveries({ directoryId: one.id }, a ?? '', 9), {
      deliveries: [],
      last: undefined,
    })
    assert.equal((await store.getDelivery({ tenant, product: 'crm' }, b ?? ''))?.directoryId, other.id)
    assert.equal(await store.getDelivery({ tenant, product: 'erp' }, b ?? ''), undefined)
    assert.equal(await store.getDelivery({ directoryId: one.id }, b ?? ''), undefined)
  })

  test(`${engine}: a page of a log holds about 1 MB`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    for (let n = 0; n < 8; n += 1) await log(store, directory, { payload: `"${'x'.repeat(250_000)}"` })
    const scope = { directoryId: directory.id }
    const first = await store.listDeliveries(scope, logStart, 100)
    assert.ok(first.deliveries.length >= 4 && first.deliveries.length <= 5)
    assert.equal(first.last, first.deliveries.at(-1)?.id)
    const second = await store.listDeliveries(scope, first.last ?? '', 100)
    assert.equal(first.deliveries.length + second.deliveries.length, 8)
  })

  test(`${engine}: the log of a deleted directory is hidden immediately and then removed; other logs stay`, async () => {
    await using opened = await openAlone(createDatabase)
    const { store } = opened
    const [kept, gone] = [await addDirectory(store), await addDirectory(store)]
    const scope = { tenant: kept.tenant, product: kept.product }
    const first = await log(store, kept)
    const many = Array.from({ length: 1_200 }, () => someDelivery(gone))
    await store.addDeliveries(gone.id, many)
    const last = await log(store, kept)
    await store.deleteDirectory(gone.id, 0)
    assert.equal(await store.getDelivery(scope, many[0]?.id ?? ''), undefined)
    const ids: string[] = []
    for (let before: string | undefined = logStart; before !== undefined; ) {
      const part = await store.listDeliveries(scope, before, 500)
      ids.push(...part.deliveries.map(({ id }) => id))
      before = part.last
    }
    assert.deepEqual(ids, [last, first])
    await eventually('the directory to be purged', async () => !(await isLeft(store, gone)))
    assert.deepEqual(await idsOf(store, scope), [last, first])
  })

  test(`${engine}: a log is deleted in steps, up to a delivery`, async () => {
    const store = await openStore()
    const [directory, other] = [await addDirectory(store), await addDirectory(store)]
    const ids: string[] = []
    for (let n = 0; n < 6; n += 1) ids.push(await log(store, directory))
    const kept = await log(store, other)
    const remove = () => store.removeDeliveries(directory.id, ids[4] ?? '', 3)
    assert.deepEqual([await remove(), await remove(), await remove()], [3, 2, 0])
    assert.deepEqual(await idsOf(store, { directoryId: directory.id }), [ids[5]])
    assert.deepEqual(await idsOf(store, { directoryId: other.id }), [kept])
  })

  test(`${engine}: old deliveries are pruned in steps, across all directories`, async () => {
    await using opened = await openAlone(createDatabase)
    const { store } = opened
    const [one, other] = [await addDirectory(store), await addDirectory(store)]
    const ids: string[] = []
    for (const createdAt of [10, 20, 30, 40]) {
      for (const directory of [one, other]) ids.push(await log(store, directory, { createdAt }))
    }
    const prune = () => store.pruneDeliveries(40, 4)
    assert.deepEqual([await prune(), await prune(), await prune()], [4, 2, 0])
    assert.deepEqual(await idsOf(store, { tenant: one.tenant, product: one.product }), [ids[7], ids[6]])
    await Promise.all(Array.from({ length: 6 }, () => store.pruneDeliveries(50, 1)))
    while ((await prune()) + (await store.pruneDeliveries(50, 1)) > 0);
    assert.deepEqual(await idsOf(store, { tenant: one.tenant, product: one.product }), [])
  })
}

/** Whether the log of a directory has rows, even hidden ones. */
async function isLeft(store: Store, { id }: Directory): Promise<boolean> {
  const { last } = await store.skipDeliveries({ directoryId: id }, logStart, 1)
  return last !== undefined
}

async function log(store: Store, directory: Directory, fields: Partial<LoggedDelivery> = {}): Promise<string> {
  const delivery = someDelivery(directory, fields)
  await store.addDeliveries(directory.id, [delivery])
  return delivery.id
}

async function idsOf(store: Store, scope: LogScope, before = logStart, limit = 100): Promise<string[]> {
  const { deliveries } = await store.listDeliveries(scope, before, limit)
  return deliveries.map(({ id }) => id)
}

/** A successful delivery to a directory's endpoint. */
export function someDelivery({ id }: Pick<Directory, 'id'>, fields: Partial<LoggedDelivery> = {}): LoggedDelivery {
  return {
    id: uuidv7(),
    directoryId: id,
    sequence: 1,
    eventCount: 1,
    eventId: 'event-1',
    eventType: 'user.created',
    requestId: 'request-1',
    endpointUrl: 'https://acme.example/events',
    attempt: 1,
    status: 200,
    latencyMs: 12,
    error: null,
    isDelivered: true,
    payload: '{"id":"event-1"}',
    isPayloadTruncated: false,
    responseBody: '',
    createdAt: 1_700_000_000_000,
    ...fields,
  }
}
