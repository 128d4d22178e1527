import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditWrite } from '../../../src/directory/audit.ts'
import type { Directory } from '../../../src/directory/directory.ts'
import type { Store } from '../../../src/store/store.ts'
import { failingAudit, someAudit, writtenBy } from './audit-samples.ts'
import type { StoreUnderTest } from './database.ts'
import { someDelivery } from './delivery-log.ts'
import { addDirectory, addUsers, someDirectory } from './samples.ts'
import { begin, finish, someRequest } from './sync-run-samples.ts'

/** A change that writes an audit entry. */
interface AuditedChange {
  readonly what: string
  /** Prepares the data that the change needs. */
  readonly prepare?: (store: Store, directory: Directory) => Promise<unknown>
  readonly change: (store: Store, directory: Directory, audit: AuditWrite) => Promise<unknown>
  /** The part of the directory's state that the change affects. */
  readonly affected: (store: Store, directory: Directory) => Promise<unknown>
  /** Whether the same change is rejected the second time. */
  readonly isOnce: boolean
}

const stream = (store: Store, { id }: Directory) => store.streamStatus(id, 'endpoint')
const paused = { reason: 'operator', at: 1 } as const

const changes: readonly AuditedChange[] = [
  {
    what: 'the change of a directory',
    change: (store, directory, audit) => store.replaceDirectory({ ...directory, name: 'new', revision: 2 }, audit),
    affected: (store, { id }) => store.getDirectory(id),
    isOnce: true,
  },
  {
    what: 'the deletion of a directory',
    change: (store, { id }, audit) => store.deleteDirectory(id, 0, audit),
    affected: (store, { id }) => store.getDirectory(id),
    isOnce: true,
  },
  {
    what: 'the change of a stream',
    change: (store, { id }, audit) => {
      const change = { apply: <T>(state: T) => ({ ...state, pause: paused }), endsLease: true }
      return store.changeStream(id, 'endpoint', change, audit)
    },
    affected: stream,
    isOnce: false,
  },
  {
    what: 'a replay',
    prepare: (store, directory) => addUsers(store, directory, ['ann']),
    change: (store, { id }, audit) => store.requestReplay(id, 'endpoint', 1, 1, audit),
    affected: (store, { id }) => store.requestedReplays(id, 'endpoint', 9),
    isOnce: false,
  },
  {
    what: 'the removal of a delivery log',
    prepare: (store, directory) => store.addDeliveries(directory.id, [someDelivery(directory)]),
    change: (store, { id }, audit) => store.removeDeliveries(id, 'z', 9, audit),
    affected: (store, { id: directoryId }) => store.listDeliveries({ directoryId }, 'z', 9),
    isOnce: true,
  },
  {
    what: 'the start of a resync',
    change: (store, { id }, audit) =>
      store.beginResync({ directoryId: id, syncId: id, requestId: 'request-9', startedAt: 1 }, audit),
    affected: (store, { id }) => store.getResync(id),
    isOnce: true,
  },
  {
    what: 'the start of a sync run',
    change: (store, { id: directoryId }, audit) => store.beginSyncRun(someRequest({ directoryId }), audit),
    affected: (store, { id }) => store.listSyncRuns(id, undefined, 9),
    isOnce: true,
  },
  {
    what: 'the approval of a held sync run',
    prepare: async (store, { id }) => {
      const run = await begin(store, { directoryId: id, id })
      await finish(store, run, { state: 'held' })
    },
    change: (store, { id }, audit) => store.resumeHeldRun(someRequest({ directoryId: id, id }), audit),
    affected: (store, { id }) => store.listSyncRuns(id, undefined, 9),
    isOnce: true,
  },
]

/** Every change is also rejected for an unknown directory. */
export function auditedChangeContract(engine: string, { openStore }: StoreUnderTest): void {
  for (const { what, prepare, change, affected, isOnce } of changes) {
    const start = async () => {
      const store = await openStore()
      const directory = await addDirectory(store)
      await prepare?.(store, directory)
      return { store, directory, before: await affected(store, directory) }
    }

    test(`${engine}: ${what} is committed together with its audit entry`, async () => {
      const { store, directory, before } = await start()
      const entries = await writtenBy(store, () => change(store, directory, someAudit({ targetId: directory.id })))
      assert.deepEqual(
        entries.map(({ targetId }) => targetId),
        [directory.id],
      )
      assert.notDeepEqual(await affected(store, directory), before)
    })

    test(`${engine}: ${what} is rolled back when its audit entry cannot be written`, async () => {
      const { store, directory, before } = await start()
      const entries = await writtenBy(store, () => assert.rejects(change(store, directory, failingAudit), /no entry/))
      assert.deepEqual(entries, [])
      assert.deepEqual(await affected(store, directory), before)
    })

    test(`${engine}: ${what} writes no audit entry when it is rejected`, async () => {
      const { store, directory } = await start()
      if (isOnce) await change(store, directory, someAudit())
      const entries = await writtenBy(store, async () => {
        if (isOnce) await change(store, directory, someAudit())
        await change(store, someDirectory(), someAudit())
      })
      assert.deepEqual(entries, [])
    })
  }

  test(`${engine}: a directory is created together with its audit entry or not at all`, async () => {
    const store = await openStore()
    const [made, not] = [someDirectory(), someDirectory()]
    const entries = await writtenBy(store, async () => {
      await store.createDirectory(made, someAudit({ targetId: made.id }))
      await assert.rejects(store.createDirectory(not, failingAudit), /no entry/)
      await assert.rejects(store.createDirectory(made, someAudit()))
    })
    assert.deepEqual(
      entries.map(({ targetId }) => targetId),
      [made.id],
    )
    assert.deepEqual(await store.getDirectory(made.id), made)
    assert.equal(await store.getDirectory(not.id), undefined)
  })
}
