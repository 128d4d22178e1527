import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoreUnderTest } from './database.ts'
import { closeWhenPurged } from './database.ts'
import { addPulled, begin, finish, someRequest } from './sync-run-samples.ts'

export function heldDeletionContract(engine: string, { createDatabase, openStore }: StoreUnderTest): void {
  test(`${engine}: held deletions are stored once each, by kind, and listed page by page`, async () => {
    const store = await openStore()
    const { id: directoryId } = await addPulled(store)
    const { id: runId } = await begin(store, { directoryId })
    await store.holdDeletions(directoryId, runId, 'user', ['c', 'a', 'a'])
    await Promise.all([['a', 'b'], ['b', 'd'], []].map((ids) => store.holdDeletions(directoryId, runId, 'user', ids)))
    await store.holdDeletions(directoryId, runId, 'group', ['a', 'g'])
    assert.deepEqual(await store.listHeld(directoryId, runId, 'user', '', 9), ['a', 'b', 'c', 'd'])
    assert.deepEqual(await store.listHeld(directoryId, runId, 'user', '', 2), ['a', 'b'])
    assert.deepEqual(await store.listHeld(directoryId, runId, 'user', 'b', 2), ['c', 'd'])
    assert.deepEqual(await store.listHeld(directoryId, runId, 'group', '', 9), ['a', 'g'])
  })

  test(`${engine}: the held ones among some ids are found`, async () => {
    const store = await openStore()
    const [{ id: mine }, { id: others }] = [await addPulled(store), await addPulled(store)]
    const [{ id: runId }, run] = [
      await begin(store, { directoryId: mine }),
      await begin(store, { directoryId: others }),
    ]
    await store.holdDeletions(mine, runId, 'user', ['a', 'b'])
    await store.holdDeletions(mine, runId, 'group', ['g'])
    await store.holdDeletions(others, run.id, 'user', ['c'])
    const among = (ids: string[]) => store.heldAmong(mine, runId, 'user', [...ids, 'with \0 NUL'])
    assert.deepEqual(await among(['a', 'c', 'g', 'b', 'x']), new Set(['a', 'b']))
    assert.deepEqual(await among(['c']), new Set())
    assert.deepEqual(await among([]), new Set())
    assert.deepEqual(await store.heldAmong(others, runId, 'user', ['a', 'c']), new Set())
  })

  test(`${engine}: the held deletions of one run are released, and no others`, async () => {
    const store = await openStore()
    const { id: directoryId } = await addPulled(store)
    const held = await begin(store, { directoryId })
    await store.holdDeletions(directoryId, held.id, 'user', ['u1'])
    await finish(store, held, { state: 'held' })
    const { id: runId } = await begin(store, { directoryId })
    const ids = Array.from({ length: 1_000 }, (_, n) => `user-${n}`)
    for (const kind of ['user', 'group'] as const) await store.holdDeletions(directoryId, runId, kind, ids)
    assert.equal((await store.heldAmong(directoryId, runId, 'user', ids)).size, 1_000)
    await store.releaseHeld(directoryId, runId)
    for (const kind of ['user', 'group'] as const) {
      assert.deepEqual(await store.listHeld(directoryId, runId, kind, '', 9), [])
    }
    assert.deepEqual(await store.listHeld(directoryId, held.id, 'user', '', 9), ['u1'])
  })

  test(`${engine}: the held run is found until it is approved or another run ends`, async () => {
    const store = await openStore()
    const [{ id: directoryId }, other] = [await addPulled(store), await addPulled(store)]
    const first = await begin(store, { directoryId })
    assert.equal(await store.heldRun(directoryId), undefined)
    await finish(store, first, { state: 'held' })
    const second = await begin(store, { directoryId })
    assert.equal(await store.heldRun(directoryId), first.id)
    await finish(store, second, { state: 'held' })
    assert.equal(await store.heldRun(directoryId), second.id)
    await store.resumeHeldRun(someRequest({ directoryId, id: second.id }))
    assert.equal(await store.heldRun(directoryId), undefined)
    assert.equal(await store.heldRun(other.id), undefined)
  })

  test(`${engine}: a held run, which its id alone finds, is dropped once, with its deletions`, async () => {
    const store = await openStore()
    const { id: directoryId } = await addPulled(store)
    const run = await begin(store, { directoryId })
    await store.holdDeletions(directoryId, run.id, 'user', ['u1'])
    assert.equal(await store.dropHeldRun(directoryId, run.id), false, 'it is running')
    await finish(store, run, { state: 'held' })
    assert.deepEqual(
      [await store.directoryOfRun(run.id), await store.directoryOfRun('nobody')],
      [directoryId, undefined],
    )
    assert.equal(await store.dropHeldRun(directoryId, run.id), true)
    assert.equal(await store.dropHeldRun(directoryId, run.id), false)
    assert.equal(await store.heldRun(directoryId), undefined)
    assert.deepEqual(await store.listHeld(directoryId, run.id, 'user', '', 9), [])
  })

  test(`${engine}: deletions are not held for a run that has ended`, async () => {
    const store = await openStore()
    const { id: directoryId } = await addPulled(store)
    const run = await begin(store, { directoryId })
    await finish(store, run, { state: 'held' })
    for (const runId of [run.id, 'nobody']) {
      await store.holdDeletions(directoryId, runId, 'user', ['u1'])
      assert.deepEqual(await store.listHeld(directoryId, runId, 'user', '', 9), [])
    }
  })

  test(`${engine}: deleting a directory removes everything about its runs`, async () => {
    await using database = await createDatabase()
    const store = await database.open()
    const [{ id: gone }, { id: kept }] = [await addPulled(store), await addPulled(store)]
    for (const directoryId of [gone, kept]) {
      const held = await begin(store, { directoryId })
      const ids = Array.from({ length: 600 }, (_, n) => `user-${n}`)
      await store.holdDeletions(directoryId, held.id, 'user', ids)
      await finish(store, held, { state: 'held' })
      await begin(store, { directoryId })
      await store.keepAuthorization(directoryId, 'verifier', 5_000)
    }
    await store.deleteDirectory(gone, 0)
    await closeWhenPurged(database, store, gone)
    for (const [table, rows] of [
      ['sync_runs', 2],
      ['held_deletions', 600],
      ['pending_authorizations', 1],
    ] as const) {
      const owners = (await database.rows(table)).map((row) => row['directory_id'])
      assert.deepEqual(owners, Array(rows).fill(kept), table)
    }
  })
}
