import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newStream } from '../../../src/delivery/event-store.ts'
import type { CheckedHealth, DueCheck } from '../../../src/diagnostics/health/check-store.ts'
import type { HealthListPart, HealthOrder } from '../../../src/diagnostics/health/list-store.ts'
import { severitiesOf } from '../../../src/diagnostics/health/severity.ts'
import type { Directory } from '../../../src/directory/directory.ts'
import type { Group } from '../../../src/directory/group.ts'
import type { Store } from '../../../src/store/store.ts'
import { someAudit } from './audit-samples.ts'
import type { StoreUnderTest } from './database.ts'
import { openAlone } from './database.ts'
import { importDirectory, importPeople } from './imports.ts'
import { secretClient } from './oauth-clients.ts'
import {
  addDirectory,
  addGroup,
  addUsers,
  cause,
  changedUser,
  committed,
  groupEvent,
  replacedBy,
  userEvent,
  writesTo,
} from './samples.ts'
import { addPulled, begin, finish, someProgress, someRequest } from './sync-run-samples.ts'

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
  const due = (await dueCheck(store, directory)) ?? assert.fail('no check is due')
  await store.saveChecks([{ ...due, ...healthy, ...result }])
  assert.equal(await dueCheck(store, directory), undefined)
}

/** Makes changes, and asserts whether each makes a check of the directory due, which is then made. */
function checksOf(store: Store, directory: Directory) {
  return async (what: string, change: () => Promise<unknown>, isDue = true): Promise<void> => {
    await change()
    assert.equal((await dueCheck(store, directory)) !== undefined, isDue, what)
    if (isDue) await settle(store, directory)
  }
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

export function directoryHealthContract(engine: string, { createDatabase, openStore }: StoreUnderTest): void {
  test(`${engine}: the commit of each fact that the health depends on makes a check due, and other commits do not`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store, { endpoint })
    const { id: directoryId } = directory
    const checks = checksOf(store, directory)
    const activity = (fields: object) => store.recordActivity([{ ...nothing, directoryId, ...fields }])
    let before = newStream
    const record = async (fields: object, effects = {}) => {
      const state = { ...newStream, ...fields }
      await store.recordStream(await lease(store, directory), state, { before, ...effects })
      before = state
    }
    const dead = [{ sequence: 2, diedAt: 1, reason: 'answered 400' }]
    const change = (apply: Parameters<Store['changeStream']>[2]['apply']) =>
      store.changeStream(directoryId, 'endpoint', { apply, endsLease: true })
    const client = secretClient(directoryId)
    await checks('creation', async () => {})
    await checks('the first event', () => addUsers(store, directory, ['ann']))
    await checks('another event', () => addUsers(store, directory, ['bob']), false)
    await checks('the first request', () => activity({ lastRequestAt: 1, lastSuccessAt: 1 }))
    await checks('another request', () => activity({ lastRequestAt: 2, lastSuccessAt: 2 }), false)
    await checks('a wrong secret', () => activity({ failed }))
    await checks('the right secret', () => activity({ lastRequestAt: 6 }))
    await checks('a reader of the feed', () => activity({ feedReadAt: 6 }))
    await checks('another read of the feed', () => activity({ feedReadAt: 7 }), false)
    await checks('a delivery', () => record({ deliveredSequence: 1 }), false)
    await checks('a failure', () => record({ deliveredSequence: 1, failures: 1, failingSince: 1 }))
    await checks('a dead event', () => record({ deliveredSequence: 2, failures: 1 }, { dead }))
    await checks('its replay', () => record({ deliveredSequence: 2, failures: 1 }, { replayed: [2] }))
    await checks('a success', () => record({ deliveredSequence: 2 }))
    await checks('a record whose state before is unknown', () =>
      record({ deliveredSequence: 2 }, { before: undefined }),
    )
    await checks('a pause', () => change((state) => ({ ...state, pause: { reason: 'operator', at: 1 } })))
    await checks('the end of a pause', () => change((state) => ({ ...state, pause: undefined })))
    await checks('the end of a lease', () => change((state) => state), false)
    await checks('a replay of all events', () => change((state) => ({ ...state, deliveredSequence: 0 })))
    await checks('an OAuth client', () => store.createOAuthClient(client, someAudit(), 20))
    await checks('its last use', () => store.touchOAuthClient(directoryId, client.id, 9), false)
    await checks('its deletion', () => store.deleteOAuthClient(directoryId, client.id, someAudit()))
    const changed = { ...directory, deactivated: true, name: 'Renamed', revision: 3 }
    await checks('a change of the record', async () =>
      assert.equal(await store.replaceDirectory(changed, someAudit()), 'replaced'),
    )
    assert.deepEqual(
      (await store.listHealth({ search: 'renamed', isDeactivated: true }, { order: 'name', limit: 9 })).map(
        ({ id }) => id,
      ),
      [directoryId],
    )
  })

  test(`${engine}: the first change of a directory makes a check due, whatever it is`, async () => {
    const store = await openStore()
    type Change = (directory: Directory, group: Group) => Promise<unknown>
    const first = async (what: string, change: Change) => {
      const directory = await importDirectory(store)
      const { groups } = await importPeople(store, directory)
      const group = (await store.getGroup(directory.id, groups[0].id)) ?? assert.fail()
      const checks = checksOf(store, directory)
      await checks('an import', async () => {})
      await checks(what, () => change(directory, group))
      await checks('another change', () => addUsers(store, directory, ['yan']), false)
    }
    await first('a user', (directory) => addUsers(store, directory, ['zoe']))
    await first('a group', (directory) => addGroup(store, directory, 'A new group'))
    await first('the deletion of a group', async (directory, group) =>
      committed(await writesTo(store, directory).deleteGroup(group)),
    )
    await first('a change of very many members', async (directory, group) => {
      const unknown = Array.from({ length: 3_000 }, (_, n) => ({ id: `unknown-${n}` }))
      committed(await writesTo(store, directory).changeMembers(group, replacedBy(unknown)))
    })
    await first('an imported event', (directory, group) =>
      store.addImportedEvents(directory, [
        {
          position: { createdAt: cause.at, id: 'a' },
          event: { ...groupEvent('group.updated', group), id: 'a', createdAt: cause.at, requestId: 'import' },
        },
      ]),
    )
  })

  test(`${engine}: the beginning and end of a sync run make a check due, and its progress does not`, async () => {
    const store = await openStore()
    const pulled = await addPulled(store)
    const { id: directoryId } = pulled
    const checks = checksOf(store, pulled)
    await checks('creation', async () => {})
    let run = someRequest({ directoryId })
    const beginning = async () => void (await begin(store, run))
    await checks('the beginning of a run', beginning)
    await checks('progress', () => store.recordSyncRun(run, 'me', someProgress), false)
    await checks('the end of a run that holds deletions', () => finish(store, run, { state: 'held' }))
    await checks('its approval', () => store.resumeHeldRun(run))
    await checks('a failure', () => finish(store, run, { state: 'failed', error: 'Google answered 503.' }))
    run = someRequest({ directoryId, startedAt: run.startedAt + 1 })
    await beginning()
    await finish(store, run, { state: 'held' })
    await settle(store, pulled)
    await checks('the end of held deletions', () => store.dropHeldRun(directoryId, run.id, someAudit()))
  })

  test(`${engine}: the beginning and end of a hold make a check due`, async () => {
    const store = await openStore()
    const removalLimit = { percent: 0, minimum: 0, windowSeconds: 3_600 }
    const directory = await addDirectory(store, { removalLimit })
    const [ann, bob, cyd] = await addUsers(store, directory, ['ann', 'bob', 'cyd'])
    if (ann === undefined || bob === undefined || cyd === undefined) return assert.fail()
    const { deleteUser } = writesTo(store, directory)
    const checks = checksOf(store, directory)
    await checks('creation', async () => {})
    await checks('a removal above the limit', () => deleteUser(ann))
    await checks('another removal', () => deleteUser(bob), false)
    await checks('a release', () => store.releaseHold(directory.id))
    await checks('a removal after it', () => deleteUser(cyd))
    const request = { directoryId: directory.id, syncId: 'sync', requestId: 'request', startedAt: cause.at }
    await checks('a discard', () => store.discardHold(request, undefined, someAudit()))
  })

  test(`${engine}: a report that deprovisionings are overdue makes a check of each directory due`, async () => {
    const { store, ...opened } = await openAlone(createDatabase)
    await using _ = opened
    const [directory, other] = [await addDirectory(store, { endpoint }), await addDirectory(store, { endpoint })]
    for (const one of [directory, other]) {
      const [ann, bob] = await addUsers(store, one, ['ann', 'bob'])
      if (ann === undefined || bob === undefined) return assert.fail()
      for (const user of [ann, bob]) committed(await writesTo(store, one).deleteUser(user))
      await settle(store, one)
    }
    assert.equal((await store.takeOverdue(cause.at, 9)).length, 4)
    for (const one of [directory, other]) await settle(store, one, { isOverdue: true })
    assert.deepEqual(await store.takeOverdue(cause.at, 9), [])
    for (const one of [directory, other]) assert.equal(await dueCheck(store, one), undefined)
  })

  test(`${engine}: time makes checks due: overdue deprovisionings, events that wait, and what a check asked for`, async () => {
    const store = await openStore()
    const [tenant, product] = [`overdue-tenant-${engine}`, `overdue-product-${engine}`]
    const directory = await addDirectory(store, { endpoint, tenant, product })
    const [ann] = await addUsers(store, directory, ['ann'])
    if (ann === undefined) return assert.fail()
    const scopes = [{ directoryId: directory.id }, { tenant }, { product }, { tenant, product }]
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

  test(`${engine}: a check that another one has overtaken, or that became due again, stores nothing`, async () => {
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
    const late = (await dueCheck(store, directory)) ?? assert.fail('not due')
    await store.recordActivity([{ ...nothing, directoryId: directory.id, feedReadAt: 1 }])
    await store.saveChecks([{ ...late, ...healthy }])
    assert.notEqual(await dueCheck(store, directory), undefined)
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
    assert.deepEqual((await store.countHealth({ directoryId: ids[3] })).length, 1)
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
    assert.equal(await store.countListed({ product, tenant: 'tenant-1' }, 9), 2)
    assert.equal(await store.countListed({ product, severities: severitiesOf('failing') }, 9), 2)
    assert.equal(await store.countListed({ product }, 3), 3)
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
