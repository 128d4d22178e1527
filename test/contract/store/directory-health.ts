import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newStream } from '../../../src/delivery/event-store.ts'
import type { CheckedHealth, DueCheck } from '../../../src/diagnostics/health/check-store.ts'
import type { HealthListPart, HealthOrder } from '../../../src/diagnostics/health/list-store.ts'
import { severitiesOf } from '../../../src/diagnostics/health/severity.ts'
import type { Directory } from '../../../src/directory/directory.ts'
import type { Store } from '../../../src/store/store.ts'
import type { StoreUnderTest } from './database.ts'
import { addDirectory, addUsers, cause, changedUser, userEvent, writesTo } from './samples.ts'
import { addPulled, begin, finish } from './sync-run-samples.ts'

const endpoint = { url: 'https://acme.example/events', secret: 'whsec_x', previousSecret: undefined }
const minute = 60_000
/** Nothing has been waiting for long, and nothing is overdue. */
const never = { now: 0, overdueUntil: -1, waitingUntil: 0, workAfter: '', limit: 100_000 }

async function dueCheck(
  store: Store,
  { id }: Directory,
  input: Partial<typeof never> = {},
): Promise<DueCheck | undefined> {
  const { due } = await store.dueChecks({ ...never, ...input })
  return due.find(({ directoryId }) => directoryId === id)
}

const healthy: Omit<CheckedHealth, keyof DueCheck> = {
  severity: 200,
  isHeld: false,
  isOverdue: false,
  isBehind: false,
  checkAt: undefined,
}

/** Stores the result of a check of a directory that is due. */
async function settle(store: Store, directory: Directory, result: Partial<typeof healthy> = {}): Promise<void> {
  const due = (await dueCheck(store, directory)) ?? assert.fail('the directory is not marked')
  await store.saveChecks([{ ...due, ...healthy, ...result }])
  assert.equal(await dueCheck(store, directory), undefined)
}

async function lease(store: Store, { id }: Directory) {
  const leased = await store.leaseStream(id, 'endpoint', 'me', minute)
  return typeof leased === 'string' ? assert.fail(leased) : leased.lease
}

const nothing = {
  ...{ lastRequestAt: undefined, lastSuccessAt: undefined, tested: undefined, failed: undefined },
  feedReadAt: undefined,
}
const failed = { count: 1, lastAt: 5, lastAddress: undefined, sinceSuccess: 1, withSecret: 1, since: 5 }

export function directoryHealthContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: the commit of each fact that the health depends on marks the directory, and others do not`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store, { endpoint })
    const { id: directoryId } = directory
    const marks = async (what: string, change: () => Promise<unknown>, isMarked = true) => {
      await change()
      assert.equal((await dueCheck(store, directory)) !== undefined, isMarked, what)
      if (isMarked) await settle(store, directory)
    }
    const activity = (fields: object) => store.recordActivity([{ ...nothing, directoryId, ...fields }])
    const record = async (fields: object, effects = {}) =>
      store.recordStream(await lease(store, directory), { ...newStream, ...fields }, effects)
    const dead = [{ sequence: 2, diedAt: 1, reason: 'answered 400' }]
    const change = (apply: Parameters<Store['changeStream']>[2]['apply']) =>
      store.changeStream(directoryId, 'endpoint', { apply, endsLease: true })
    await marks('creation', async () => {})
    await marks('the first event', () => addUsers(store, directory, ['ann']))
    await marks('another event', () => addUsers(store, directory, ['bob']), false)
    await marks('the first request', () => activity({ lastRequestAt: 1, lastSuccessAt: 1 }))
    await marks('another request', () => activity({ lastRequestAt: 2, lastSuccessAt: 2 }), false)
    await marks('a wrong secret', () => activity({ failed }))
    await marks('the right secret', () => activity({ lastRequestAt: 6 }))
    await marks('a reader of the feed', () => activity({ feedReadAt: 6 }))
    await marks('a delivery', () => record({ deliveredSequence: 1 }), false)
    await marks('a failure', () => record({ deliveredSequence: 1, failures: 1, failingSince: 1 }))
    await marks('a dead event', () => record({ deliveredSequence: 2, failures: 1 }, { dead }))
    await marks('its replay', () => record({ deliveredSequence: 2, failures: 1 }, { replayed: [2] }))
    await marks('a pause', () => change((state) => ({ ...state, pause: { reason: 'operator', at: 1 } })))
    await marks('the end of a pause', () => change((state) => ({ ...state, pause: undefined, failures: 0 })))
    await marks('deactivation', () => store.replaceDirectory({ ...directory, deactivated: true, revision: 2 }))
  })

  test(`${engine}: sync runs and holds mark the directory`, async () => {
    const store = await openStore()
    const pulled = await addPulled(store)
    await settle(store, pulled)
    const run = await begin(store, { directoryId: pulled.id })
    await settle(store, pulled)
    await finish(store, run, { state: 'failed', error: 'Google answered 503.' })
    await settle(store, pulled)
    const removalLimit = { percent: 0, minimum: 0, windowSeconds: 3_600 }
    const directory = await addDirectory(store, { removalLimit })
    const [ann] = await addUsers(store, directory, ['ann'])
    await settle(store, directory)
    if (ann === undefined) return assert.fail()
    await writesTo(store, directory).deleteUser(ann)
    await settle(store, directory, { isHeld: true })
    await store.releaseHold(directory.id)
    await settle(store, directory)
  })

  test(`${engine}: time makes checks due: overdue deprovisionings, events that wait, and what a check asked for`, async () => {
    const store = await openStore()
    const [tenant, product] = [`overdue-tenant-${engine}`, `overdue-product-${engine}`]
    const directory = await addDirectory(store, { endpoint, tenant, product })
    const [ann] = await addUsers(store, directory, ['ann'])
    if (ann === undefined) return assert.fail()
    const scopes = [{ directoryId: directory.id }, { tenant }, { product }, { tenant, product }]
    const marks = (await dueCheck(store, directory))?.marks.length ?? 0
    for (const scope of scopes) assert.equal(await store.countHealthMarks(scope, 99), marks)
    assert((await store.countHealthMarks({}, 99)) >= marks)
    const arrival = { ...cause, receivedAt: cause.at }
    await store.replaceUser(
      directory,
      ann,
      changedUser(ann, { active: false }),
      userEvent('user.updated', ann),
      arrival,
    )
    await store.deleteUser(directory, changedUser(ann, { active: false }), userEvent('user.deleted', ann), arrival)
    await settle(store, directory, { checkAt: 500 })
    assert.equal(await dueCheck(store, directory, { now: 499 }), undefined)
    assert.notEqual(await dueCheck(store, directory, { now: 500 }), undefined)
    assert.notEqual(await dueCheck(store, directory, { overdueUntil: cause.at }), undefined)
    assert.equal(await dueCheck(store, directory, { waitingUntil: cause.at - 1 }), undefined)
    const waiting = (await dueCheck(store, directory, { waitingUntil: cause.at })) ?? assert.fail('not due')
    await store.saveChecks([{ ...waiting, ...healthy, isOverdue: true, isBehind: true }])
    assert.equal(await dueCheck(store, directory, { waitingUntil: cause.at, overdueUntil: cause.at }), undefined)
    for (const scope of scopes) assert.equal(await store.countOverdue(scope, cause.at, 99), 1)
    assert((await store.countOverdue({}, cause.at, 99)) >= 1)
    while ((await store.takeOverdue(cause.at, 100)).length > 0);
    await settle(store, directory)
  })

  test(`${engine}: a check that another one has overtaken stores nothing and keeps the marks that it did not answer`, async () => {
    const store = await openStore()
    const product = `health-overtaken-${engine}`
    const directory = await addDirectory(store, { product })
    const slow = (await dueCheck(store, directory)) ?? assert.fail('not due')
    await settle(store, directory, { severity: 3 })
    await store.recordActivity([{ ...nothing, directoryId: directory.id, lastRequestAt: 1 }])
    await store.saveChecks([{ ...slow, ...healthy }])
    assert.deepEqual(
      (await store.countHealth({ product })).map(({ severity, directories }) => [severity, directories]),
      [[3, 1]],
    )
    assert.equal((await dueCheck(store, directory))?.marks.length, 1)
    await store.deleteDirectory(directory.id, 0)
    assert.deepEqual([await store.countHealth({ product }), await dueCheck(store, directory)], [[], undefined])
  })

  test(`${engine}: directories are counted and listed by severity, name, last event and age, with filters, page by page`, async () => {
    const store = await openStore()
    const product = `health-lists-${engine}`
    const add = async (n: number, name: string, given: Partial<Directory>, result: Partial<typeof healthy>) => {
      const created = { createdAt: cause.at + n, product, name, tenant: `tenant-${n % 2}`, ...given }
      const directory = await addDirectory(store, created)
      await settle(store, directory, result)
      return directory.id
    }
    const ids = [
      await add(0, 'delta', {}, { severity: 200 }),
      await add(1, 'Charlie', { directoryType: 'azure-scim-v2' }, { severity: 5 }),
      await add(2, 'bravo', { deactivated: true }, { severity: 113 }),
      await add(3, 'Alpha', {}, { severity: 0, isHeld: true }),
    ]
    const counted = async () =>
      (await store.countHealth({ product })).map((count) => [
        ...[count.severity, count.isHeld, count.isDeactivated, count.directories],
      ])
    const expectedCounts = [
      [0, true, false, 1],
      [5, false, false, 1],
      [113, false, true, 1],
      [200, false, false, 1],
    ]
    assert.deepEqual(await counted(), expectedCounts)
    while ((await store.addHealthCounts(3)) > 0);
    assert.deepEqual(await counted(), expectedCounts)
    assert.equal((await store.countHealth({ product, tenant: 'tenant-1' })).length, 2)
    const listed = async (filter: object, part: HealthListPart) =>
      (await store.listHealth({ product, ...filter }, part)).map(({ id }) => ids.indexOf(id))
    const paged = async (order: HealthOrder) => {
      const found: number[] = []
      let after: HealthListPart['after']
      do {
        const [one] = await store.listHealth({ product }, { order, after, limit: 1 })
        after = one
        if (one !== undefined) found.push(ids.indexOf(one.id))
      } while (after !== undefined)
      return found
    }
    const byOrder = { created: [0, 1, 2, 3], worst: [3, 1, 2, 0], name: [3, 2, 1, 0] } as const
    for (const [order, expected] of Object.entries(byOrder) as [HealthOrder, readonly number[]][]) {
      assert.deepEqual(await listed({}, { order, limit: 9 }), expected, order)
      assert.deepEqual(await paged(order), expected, order)
      assert.deepEqual(await listed({}, { order, offset: 1, limit: 2 }), expected.slice(1, 3), order)
      const ofTenant = expected.filter((n) => n % 2 === 1)
      assert.deepEqual(await listed({ tenant: 'tenant-1' }, { order, limit: 9 }), ofTenant, order)
    }
    const worst = { order: 'worst', limit: 9 } as const
    assert.deepEqual(await listed({ severities: severitiesOf('failing') }, worst), [3, 1])
    assert.deepEqual(await listed({ severities: severitiesOf('attention') }, worst), [2])
    assert.deepEqual(await listed({ type: 'azure-scim-v2' }, worst), [1])
    assert.deepEqual(await listed({ isHeld: true }, worst), [3])
    assert.deepEqual(await listed({ isDeactivated: false }, worst), [3, 1, 0])
    assert.deepEqual(await listed({ search: 'ALP' }, worst), [3])
    assert.deepEqual(await listed({ search: 'tenant-1', tenant: 'tenant-1' }, worst), [3, 1])
    assert.deepEqual(await listed({ search: 'Tenant-0' }, worst), [2, 0])
    assert.deepEqual(await listed({ search: ids[2] }, worst), [2])
    const [first] = await store.listDirectories({ product }, { limit: 1 })
    await addUsers(store, first ?? assert.fail(), ['ann'])
    while ((await store.moveVolumes(100)) > 0);
    assert.equal((await listed({}, { order: 'changed', limit: 1 }))[0], 0)
    assert.deepEqual([...(await store.getDirectories([...ids, 'nobody'])).keys()].toSorted(), ids.toSorted())
  })
}
