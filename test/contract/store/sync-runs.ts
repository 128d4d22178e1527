import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Directory } from '../../../src/directory/directory.ts'
import type { SyncDue, SyncRunEnd } from '../../../src/google/google-store.ts'
import { noProgress } from '../../../src/google/google-store.ts'
import type { Store } from '../../../src/store/store.ts'
import type { StoreUnderTest } from './database.ts'
import { openAlone } from './database.ts'
import { addDirectory, committed, someGroup, someUser, writesTo } from './samples.ts'
import {
  addPulled,
  begin,
  begun,
  ended,
  finish,
  longMs,
  silentMs,
  someProgress,
  someRequest,
} from './sync-run-samples.ts'

/** The directory with its current revision. */
async function present(store: Store, { id }: Directory): Promise<Directory> {
  return (await store.getDirectory(id)) ?? assert.fail('no directory')
}

/** The current state of a run. */
async function stateOf(store: Store, { id }: Directory, runId: string): Promise<string | undefined> {
  return (await store.getSyncRun(id, runId))?.state
}

export function syncRunContract(engine: string, { createDatabase, openStore }: StoreUnderTest): void {
  test(`${engine}: a sync run begins without progress, and is read back as it was returned`, async () => {
    const store = await openStore()
    const { id: directoryId } = await addPulled(store)
    const request = someRequest({ directoryId, trigger: 'cron', startedAt: 1_700_000_000_123 })
    const { outcome, run } = begun(await store.beginSyncRun(request))
    assert.equal(outcome, 'begun')
    const asked = { id: request.id, directoryId, trigger: 'cron', startedAt: 1_700_000_000_123 }
    assert.deepEqual(run, { ...noProgress, ...asked, state: 'running', finishedAt: undefined, error: undefined })
    assert.deepEqual(await store.getSyncRun(directoryId, run.id), run)
    assert.equal(await store.getSyncRun(directoryId, 'another'), undefined)
    const other = await addPulled(store)
    assert.equal(await store.getSyncRun(other.id, run.id), undefined, 'it belongs to its directory only')
  })

  test(`${engine}: a request during a run returns that run`, async () => {
    const store = await openStore()
    const { id: directoryId } = await addPulled(store)
    const run = await begin(store, { directoryId })
    for (const holder of ['me', 'other']) {
      const response = await store.beginSyncRun(someRequest({ directoryId, holder, unlessSince: run.startedAt - 1 }))
      assert.deepEqual(response, { outcome: 'running', run })
    }
    const other = await addPulled(store)
    await begin(store, { directoryId: other.id })
  })

  test(`${engine}: of several concurrent requests one begins a run`, async () => {
    const store = await openStore()
    const { id: directoryId } = await addPulled(store)
    const requests = ['a', 'b', 'c', 'd'].map((holder) => someRequest({ directoryId, holder }))
    const responses = await Promise.all(requests.map((request) => store.beginSyncRun(request)))
    const outcomes = responses.map(({ outcome }) => outcome).sort()
    assert.deepEqual(outcomes, ['begun', 'running', 'running', 'running'])
    const ids = responses.map((response) => 'run' in response && response.run?.id)
    assert.equal(new Set(ids).size, 1)
  })

  test(`${engine}: a run with an expired lease is failed by the next one`, async () => {
    const store = await openStore()
    const { id: directoryId } = await addPulled(store)
    const silent = await begin(store, { directoryId, holder: 'me', ttlMs: silentMs })
    await store.recordSyncRun(silent, 'me', someProgress)
    await begin(store, { directoryId, holder: 'other', startedAt: 1_700_000_009_000 })
    const failed = { ...silent, ...someProgress, state: 'failed', finishedAt: 1_700_000_009_000 }
    const error = 'The process that ran it stopped before its end.'
    assert.deepEqual(await store.getSyncRun(directoryId, silent.id), { ...failed, error })
  })

  test(`${engine}: a process whose run was taken over cannot record anything for it`, async () => {
    const store = await openStore()
    const { id: directoryId } = await addPulled(store)
    const lost = await begin(store, { directoryId, holder: 'slow', ttlMs: silentMs })
    const run = await begin(store, { directoryId, holder: 'other' })
    assert.deepEqual(await store.renewSyncRuns('slow', longMs), [])
    assert.equal(await store.recordSyncRun(lost, 'slow', someProgress), 'lost')
    assert.equal(await store.finishSyncRun(lost, 'slow', someProgress, ended('completed')), 'lost')
    assert.equal(await store.recordSyncRun(run, 'slow', someProgress), 'lost', 'the run of another holder')
    assert.equal(await store.finishSyncRun(run, 'slow', someProgress, ended('completed')), 'lost')
    assert.deepEqual(await store.getSyncRun(directoryId, run.id), run)
    assert.equal((await store.getSyncRun(directoryId, lost.id))?.requests, 0)
  })

  test(`${engine}: each run that begins advances the revision, so that the previous one can no longer write`, async () => {
    const store = await openStore()
    const directory = await addPulled(store)
    await begin(store, { directoryId: directory.id, ttlMs: silentMs })
    const first = await present(store, directory)
    assert.equal(first.revision, directory.revision + 1)
    committed(await writesTo(store, first).createUser(someUser({ userName: 'ann' })))
    await begin(store, { directoryId: directory.id, holder: 'other' })
    for (const before of [directory, first]) {
      const { createUser, createGroup } = writesTo(store, before)
      assert.equal(await createUser(someUser({ userName: 'bob' })), 'directory-changed')
      assert.equal(await createGroup(someGroup({ displayName: 'Sales' })), 'directory-changed')
    }
    committed(await writesTo(store, await present(store, directory)).createUser(someUser({ userName: 'bob' })))
  })

  test(`${engine}: a rejected request leaves the revision unchanged`, async () => {
    const store = await openStore()
    const directory = await addPulled(store)
    const { id: directoryId } = directory
    const { id } = await begin(store, { directoryId })
    await store.beginSyncRun(someRequest({ directoryId }))
    await store.beginSyncRun(someRequest({ directoryId, unlessSince: 0 }))
    await store.resumeHeldRun(someRequest({ directoryId, id }))
    assert.equal((await present(store, directory)).revision, directory.revision + 1)
  })

  test(`${engine}: a holder renews all of its runs, even late if no other process took them over`, async () => {
    const store = await openStore()
    const holder = 'holder of three'
    const directories = [await addPulled(store), await addPulled(store), await addPulled(store)]
    const requests = directories.map(({ id: directoryId }) => someRequest({ directoryId, holder, ttlMs: silentMs }))
    for (const request of requests) await begin(store, request)
    const [kept, finished, taken] = requests
    assert.ok(kept && finished && taken)
    await finish(store, finished, { holder })
    await begin(store, { directoryId: taken.directoryId })
    assert.deepEqual(await store.renewSyncRuns(holder, longMs), [kept.id])
    const response = await store.beginSyncRun(someRequest({ directoryId: kept.directoryId }))
    assert.equal(response.outcome, 'running')
    assert.deepEqual(await store.renewSyncRuns('nobody', longMs), [])
  })

  test(`${engine}: a run with an expired lease continues if no other process took it over`, async () => {
    const store = await openStore()
    const { id: directoryId } = await addPulled(store)
    const run = await begin(store, { directoryId, ttlMs: silentMs })
    assert.equal(await store.recordSyncRun(run, 'me', someProgress), 'recorded')
    assert.equal(await store.finishSyncRun(run, 'me', someProgress, ended('completed')), 'finished')
  })

  test(`${engine}: no run begins if the last one is recent`, async () => {
    const store = await openStore()
    const { id: directoryId } = await addPulled(store)
    const request = (unlessSince: number) => someRequest({ directoryId, startedAt: 3_000, unlessSince })
    const first = begun(await store.beginSyncRun({ ...request(0), startedAt: 2_000 })).run
    await finish(store, first, { state: 'failed' })
    assert.deepEqual(await store.beginSyncRun(request(1_999)), { outcome: 'recent' })
    begun(await store.beginSyncRun(request(2_000)))
  })

  test(`${engine}: the recorded progress of a run is read back unchanged`, async () => {
    const store = await openStore()
    const { id: directoryId } = await addPulled(store)
    const run = await begin(store, { directoryId })
    for (const progress of [someProgress, { ...noProgress, phase: 'deletions' as const, deleted: 5_000_000_000 }]) {
      assert.equal(await store.recordSyncRun(run, 'me', progress), 'recorded')
      assert.deepEqual(await store.getSyncRun(directoryId, run.id), { ...run, ...progress })
    }
  })

  const ends: readonly SyncRunEnd[] = [
    { state: 'completed', finishedAt: 1_700_000_005_000, error: undefined },
    { state: 'held', finishedAt: 1_700_000_005_001, error: '31 of 100 users would be deleted.' },
    { state: 'failed', finishedAt: 1_700_000_005_002, error: 'Google answered with 403.' },
  ]
  for (const end of ends) {
    test(`${engine}: a run that is ${end.state} has ended`, async () => {
      const store = await openStore()
      const { id: directoryId } = await addPulled(store)
      const run = await begin(store, { directoryId })
      assert.equal(await store.finishSyncRun(run, 'me', someProgress, end), 'finished')
      const found = { ...run, ...someProgress, ...end }
      assert.deepEqual(await store.getSyncRun(directoryId, run.id), found)
      assert.equal(await store.recordSyncRun(run, 'me', noProgress), 'lost')
      assert.equal(await store.finishSyncRun(run, 'me', noProgress, ended('completed')), 'lost')
      assert.deepEqual(await store.getSyncRun(directoryId, run.id), found)
      await begin(store, { directoryId })
    })
  }

  test(`${engine}: an approved run resumes with the counts of the held one`, async () => {
    const store = await openStore()
    const directory = await addPulled(store)
    const { id: directoryId } = directory
    const held = await begin(store, { directoryId, startedAt: 1_000 })
    await store.holdDeletions(directoryId, held.id, 'user', ['u1'])
    await finish(store, held, { state: 'held', error: 'Too many.' })
    const approval = someRequest({ directoryId, id: held.id, holder: 'other', startedAt: 9_000 })
    const { run } = begun(await store.resumeHeldRun(approval))
    const open = { state: 'running', phase: 'waiting', held: 0, error: undefined, finishedAt: undefined }
    assert.deepEqual(run, { ...held, ...someProgress, ...open })
    assert.deepEqual(await store.getSyncRun(directoryId, held.id), run)
    assert.equal((await present(store, directory)).revision, directory.revision + 2)
    assert.equal(await store.recordSyncRun(run, 'me', someProgress), 'lost', 'another process holds it now')
    assert.deepEqual(await store.listHeld(directoryId, held.id, 'user', '', 9), ['u1'])
    assert.equal(await store.finishSyncRun(run, 'other', someProgress, ended('completed')), 'finished')
  })

  test(`${engine}: of several concurrent approvals one resumes the held run`, async () => {
    const store = await openStore()
    const { id: directoryId } = await addPulled(store)
    const held = await begin(store, { directoryId })
    await finish(store, held, { state: 'held' })
    const approvals = ['a', 'b', 'c'].map((holder) => someRequest({ directoryId, id: held.id, holder }))
    const responses = await Promise.all(approvals.map((approval) => store.resumeHeldRun(approval)))
    assert.deepEqual(responses.map(({ outcome }) => outcome).sort(), ['begun', 'running', 'running'])
  })

  test(`${engine}: a run that is not held cannot be approved`, async () => {
    const store = await openStore()
    const { id: directoryId } = await addPulled(store)
    const done = await begin(store, { directoryId })
    await finish(store, done)
    const run = await store.getSyncRun(directoryId, done.id)
    const approve = (id: string) => store.resumeHeldRun(someRequest({ directoryId, id }))
    assert.deepEqual(await approve(done.id), { outcome: 'not-held', run })
    assert.deepEqual(await approve('nobody'), { outcome: 'not-held', run: undefined })
  })

  test(`${engine}: a held run cannot resume during another run, but fails one with an expired lease`, async () => {
    const store = await openStore()
    const { id: directoryId } = await addPulled(store)
    const held = await begin(store, { directoryId })
    await finish(store, held, { state: 'held' })
    const approval = someRequest({ directoryId, id: held.id, holder: 'other' })
    const running = await begin(store, { directoryId })
    assert.deepEqual(await store.resumeHeldRun(approval), { outcome: 'running', run: running })
    await store.renewSyncRuns('me', silentMs)
    begun(await store.resumeHeldRun(approval))
    assert.equal((await store.getSyncRun(directoryId, running.id))?.state, 'failed')
  })

  for (const state of ['completed', 'held'] as const) {
    test(`${engine}: a run that is ${state} supersedes the held one, and releases its deletions`, async () => {
      const store = await openStore()
      const directory = await addPulled(store)
      const { id: directoryId } = directory
      const held = await begin(store, { directoryId })
      await store.holdDeletions(directoryId, held.id, 'user', ['u1', 'u2'])
      await finish(store, held, { state: 'held' })
      const later = await begin(store, { directoryId })
      await store.holdDeletions(directoryId, later.id, 'user', ['u2', 'u3'])
      assert.equal(await stateOf(store, directory, held.id), 'held')
      await finish(store, later, { state })
      assert.equal(await stateOf(store, directory, held.id), 'superseded')
      assert.deepEqual(await store.listHeld(directoryId, held.id, 'user', '', 9), [])
      const kept = state === 'held' ? ['u2', 'u3'] : []
      assert.deepEqual(await store.listHeld(directoryId, later.id, 'user', '', 9), kept)
      const approval = await store.resumeHeldRun(someRequest({ directoryId, id: held.id }))
      assert.equal(approval.outcome, 'not-held')
    })
  }

  test(`${engine}: a failed run leaves the held one unchanged`, async () => {
    const store = await openStore()
    const directory = await addPulled(store)
    const { id: directoryId } = directory
    const other = await addPulled(store)
    const held = await begin(store, { directoryId })
    await store.holdDeletions(directoryId, held.id, 'user', ['u1'])
    await finish(store, held, { state: 'held' })
    const failing = await begin(store, { directoryId })
    await store.holdDeletions(directoryId, failing.id, 'user', ['u2'])
    await finish(store, failing, { state: 'failed' })
    await finish(store, await begin(store, { directoryId: other.id }))
    assert.equal(await stateOf(store, directory, held.id), 'held')
    assert.deepEqual(await store.listHeld(directoryId, held.id, 'user', '', 9), ['u1'])
    assert.deepEqual(await store.listHeld(directoryId, failing.id, 'user', '', 9), [], 'its deletions are released')
  })

  test(`${engine}: the deletions of a run that was taken over are released when the next one begins`, async () => {
    const store = await openStore()
    const { id: directoryId } = await addPulled(store)
    const silent = await begin(store, { directoryId, ttlMs: silentMs })
    await store.holdDeletions(directoryId, silent.id, 'user', ['u1'])
    await finish(store, await begin(store, { directoryId }), { state: 'failed' })
    assert.deepEqual(await store.listHeld(directoryId, silent.id, 'user', '', 9), [])
  })

  test(`${engine}: the runs of a directory are listed newest first, page by page`, async () => {
    const store = await openStore()
    const { id: directoryId } = await addPulled(store)
    for (const [id, startedAt] of [
      ['b', 2_000],
      ['c', 1_000],
      ['a', 3_000],
      ['d', 2_000],
    ] as const) {
      await finish(store, await begin(store, { directoryId, id, startedAt }))
    }
    const other = await addPulled(store)
    await begin(store, { directoryId: other.id })
    const part = async (after: { startedAt: number; id: string } | undefined, limit: number) =>
      (await store.listSyncRuns(directoryId, after, limit)).map(({ id }) => id)
    assert.deepEqual(await part(undefined, 9), ['a', 'd', 'b', 'c'])
    assert.deepEqual(await part(undefined, 2), ['a', 'd'])
    assert.deepEqual(await part({ startedAt: 2_000, id: 'd' }, 2), ['b', 'c'])
    assert.deepEqual(await part({ startedAt: 1_000, id: 'c' }, 2), [])
    const [newest] = await store.listSyncRuns(directoryId, undefined, 1)
    assert.deepEqual(newest, await store.getSyncRun(directoryId, 'a'))
  })

  test(`${engine}: the newest 200 runs of a directory are kept, and a held one in addition`, async () => {
    const store = await openStore()
    const directory = await addPulled(store)
    const { id: directoryId } = directory
    const held = await begin(store, { directoryId, startedAt: 1 })
    await store.holdDeletions(directoryId, held.id, 'user', ['u1'])
    await finish(store, held, { state: 'held' })
    for (let startedAt = 2; startedAt < 205; startedAt += 1) {
      await finish(store, await begin(store, { directoryId, startedAt }), { state: 'failed' })
    }
    const kept = await store.listSyncRuns(directoryId, undefined, 1_000)
    const times = kept.map(({ startedAt }) => startedAt)
    assert.deepEqual(times, [...Array.from({ length: 200 }, (_, n) => 204 - n), 1])
    assert.deepEqual(await store.listHeld(directoryId, held.id, 'user', '', 9), ['u1'])
  })

  test(`${engine}: active pulled directories are listed page by page`, async () => {
    await using opened = await openAlone(createDatabase)
    const { store } = opened
    const [first, second, third] = [await addPulled(store), await addPulled(store), await addPulled(store)]
    await addDirectory(store)
    await addPulled(store, { deactivated: true })
    const stopped = await addPulled(store)
    assert.equal(await store.replaceDirectory({ ...stopped, revision: 2, deactivated: true }), 'replaced')
    await store.deleteDirectory((await addPulled(store)).id, 0)
    assert.deepEqual(await store.directoriesToSync('', 9), [first.id, second.id, third.id])
    assert.deepEqual(await store.directoriesToSync('', 2), [first.id, second.id])
    assert.deepEqual(await store.directoriesToSync(second.id, 9), [third.id])
  })

  test(`${engine}: the interval finds active connected directories whose last run began long enough ago`, async () => {
    await using opened = await openAlone(createDatabase)
    const { store } = opened
    const [first, second, third] = [await addPulled(store), await addPulled(store), await addPulled(store)]
    const revoked = { domain: undefined, accessToken: 'access', refreshToken: 'refresh', authorizationNeeded: 'No.' }
    const needy = await addPulled(store, { google: revoked })
    await addDirectory(store)
    await addPulled(store, { deactivated: true })
    await store.deleteDirectory((await addPulled(store)).id, 0)
    await begin(store, { directoryId: second.id, startedAt: 5_000 })
    const due = async (until: number, after?: SyncDue, limit = 9) => store.directoriesDueToSync(until, after, limit)
    assert.deepEqual(await due(4_999), [
      { id: first.id, syncedAt: 0 },
      { id: third.id, syncedAt: 0 },
    ])
    assert.deepEqual(await due(5_000, { id: first.id, syncedAt: 0 }, 2), [
      { id: third.id, syncedAt: 0 },
      { id: second.id, syncedAt: 5_000 },
    ])
    const google = { ...revoked, authorizationNeeded: undefined }
    assert.equal(await store.replaceDirectory({ ...needy, revision: 2, google }), 'replaced')
    assert.deepEqual(await due(0, { id: third.id, syncedAt: 0 }), [{ id: needy.id, syncedAt: 0 }])
  })

  test(`${engine}: a directory that is unknown or deleted has no runs`, async () => {
    const store = await openStore()
    const { id } = await addPulled(store)
    const run = await begin(store, { directoryId: id, holder: 'who stays', ttlMs: longMs })
    await store.deleteDirectory(id, 0)
    for (const directoryId of [id, 'nobody']) {
      const request = someRequest({ directoryId, id: run.id })
      assert.deepEqual(await store.beginSyncRun({ ...request, id: 'new' }), { outcome: 'directory-not-found' })
      assert.deepEqual(await store.resumeHeldRun(request), { outcome: 'directory-not-found' })
    }
    for (const directoryId of [id, 'nobody', 'with \0 NUL']) {
      assert.equal(await store.getSyncRun(directoryId, run.id), undefined)
      assert.deepEqual(await store.listSyncRuns(directoryId, undefined, 9), [])
    }
    assert.deepEqual(await store.renewSyncRuns('who stays', longMs), [])
    assert.equal(await store.recordSyncRun(run, 'who stays', someProgress), 'lost')
    assert.equal(await store.finishSyncRun(run, 'who stays', someProgress, ended('completed')), 'lost')
  })
}
