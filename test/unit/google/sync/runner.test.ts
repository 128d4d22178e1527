import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DirectoryError } from '../../../../src/directory/errors.ts'
import type { NoticeDraft, OperatorNotices } from '../../../../src/directory/operator-notice.ts'
import { noNotices } from '../../../../src/directory/operator-notice.ts'
import type { SyncRun } from '../../../../src/google/google-store.ts'
import type { SyncTask } from '../../../../src/google/sync/run.ts'
import type { SyncRunnerParts } from '../../../../src/google/sync/runner.ts'
import { createSyncRunner } from '../../../../src/google/sync/runner.ts'
import { openStore } from '../../../../src/store/open.ts'
import type { Store } from '../../../../src/store/store.ts'
import { addPulled } from '../../../contract/store/sync-run-samples.ts'
import { openTestDatabase } from '../../../support/database.ts'
import { createManualTime } from '../../../support/manual-time.ts'

/** A database of its own that two runners may share, as two processes do. */
async function openDatabase() {
  const database = await openTestDatabase('sqlite')
  const store = await openStore({
    databaseUrl: database.env['DATABASE_URL'] ?? '',
    encryptionKey: undefined,
    poolSize: 1,
    onBackgroundError: (error) => assert.ifError(error),
  })
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

let ids = 0

/** A runner whose pulls wait until the test ends them. */
function startRunner(store: Store, given: Partial<SyncRunnerParts> = {}) {
  const time = createManualTime(1_700_000_000_000)
  const pulls: { readonly task: SyncTask; complete(): void; fail(error: Error): void }[] = []
  const ends: string[] = []
  const errors: string[] = []
  let begun = Promise.withResolvers<void>()
  const runner = createSyncRunner({
    store,
    getDirectory: (id) => store.getDirectory(id),
    pull: (task) => {
      const { promise, resolve, reject } = Promise.withResolvers<{ state: 'completed'; note: undefined }>()
      task.signal.addEventListener('abort', () => reject(task.signal.reason))
      pulls.push({ task, complete: () => resolve({ state: 'completed', note: undefined }), fail: reject })
      begun.resolve()
      begun = Promise.withResolvers()
      return promise
    },
    failureOf: async (error) => (error instanceof DirectoryError ? error.message : undefined),
    onEvents: () => {},
    onRunEnd: (state) => ends.push(state),
    newId: () => `id-${ids++}`,
    ...{ clock: time.clock, schedule: time.schedule },
    log: { info: () => {}, warn: () => {}, error: (_details, message) => errors.push(message) },
    ...given,
  })
  /** Waits for the pull of a number, from 0. */
  async function pull(number: number) {
    for (;;) {
      const found = pulls[number]
      if (found !== undefined) return found
      await begun.promise
    }
  }
  return { ...time, runner, pull, pulls, ends, errors }
}

/** Starts a run that must begin. */
async function begin(runner: ReturnType<typeof createSyncRunner>, store: Store, directoryId: string) {
  const directory = (await store.getDirectory(directoryId)) ?? assert.fail('no directory')
  const started = await runner.start({ directory, trigger: 'api' })
  return started.outcome === 'begun' ? started : assert.fail(started.outcome)
}

test('a run is recorded when it starts, and with its counts when it ends', async () => {
  await using opened = await openDatabase()
  const { store } = opened
  const { id } = await addPulled(store)
  const { runner, pull, ends } = startRunner(store)
  const { run, ended } = await begin(runner, store, id)
  assert.equal((await store.getSyncRun(id, run.id))?.state, 'running')
  const { task, complete } = await pull(0)
  task.tally.enter('users')
  task.tally.count('created', 3)
  complete()
  const after = await ended
  assert.deepEqual([after.state, after.phase, after.created], ['completed', 'done', 3])
  assert.deepEqual(await store.getSyncRun(id, run.id), after)
  assert.deepEqual(ends, ['completed'])
})

test('a directory has at most one run at a time, in any process', async () => {
  await using opened = await openDatabase()
  const { store } = opened
  const directory = await addPulled(store)
  const [one, other] = [startRunner(store), startRunner(store)]
  const { ended } = await begin(one.runner, store, directory.id)
  for (const { runner } of [one, other]) {
    assert.equal((await runner.start({ directory, trigger: 'cron' })).outcome, 'running')
  }
  ;(await one.pull(0)).complete()
  await ended
  const next = await begin(other.runner, store, directory.id)
  ;(await other.pull(0)).complete()
  assert.equal((await next.ended).state, 'completed')
})

test('a few directories are synced at a time, and the others wait', async () => {
  await using opened = await openDatabase()
  const { store } = opened
  const directories = [await addPulled(store), await addPulled(store), await addPulled(store)]
  const { runner, pull, pulls } = startRunner(store, { maxConcurrent: 2 })
  const runs = []
  for (const { id } of directories) runs.push(await begin(runner, store, id))
  await pull(1)
  assert.equal(pulls.length, 2)
  for (const number of [0, 1, 2]) (await pull(number)).complete()
  assert.deepEqual(
    (await Promise.all(runs.map(({ ended }) => ended))).map(({ state }) => state),
    ['completed', 'completed', 'completed'],
  )
})

test('a failed run records the reason and does not stop others', async () => {
  await using opened = await openDatabase()
  const { store } = opened
  const [bad, good] = [await addPulled(store), await addPulled(store)]
  const { runner, pull, errors } = startRunner(store)
  const failing = await begin(runner, store, bad.id)
  ;(await pull(0)).fail(new DirectoryError('busy', 'Too much to do.'))
  const other = await begin(runner, store, good.id)
  ;(await pull(1)).complete()
  const failed = await failing.ended
  assert.deepEqual([failed.state, failed.error], ['failed', 'Too much to do.'])
  assert.equal((await other.ended).state, 'completed')
  assert.deepEqual(errors, [], 'a problem that only somebody else can fix is not logged as an error')
})

test('an internal error is logged and not shown', async () => {
  await using opened = await openDatabase()
  const { store } = opened
  const { id } = await addPulled(store)
  const { runner, pull, errors } = startRunner(store)
  const { ended } = await begin(runner, store, id)
  ;(await pull(0)).fail(new TypeError('secret details'))
  const { state, error } = await ended
  assert.equal(state, 'failed')
  assert.doesNotMatch(error ?? '', /secret/)
  assert.deepEqual(errors, ['a sync run failed'])
})

test('closing stops the runs and records that', async () => {
  await using opened = await openDatabase()
  const { store } = opened
  const { id } = await addPulled(store)
  const { runner, pull } = startRunner(store)
  const { run } = await begin(runner, store, id)
  await pull(0)
  await runner.close()
  const after = await store.getSyncRun(id, run.id)
  assert.equal(after?.state, 'failed')
  assert.match(after.error ?? '', /process was stopped/)
})

test('a run taken over by another process ends without changing the record', async () => {
  await using opened = await openDatabase()
  const { store } = opened
  const { id } = await addPulled(store)
  const { runner, pull, advance } = startRunner({ ...store, renewSyncRuns: async () => [] })
  const { run, ended } = await begin(runner, store, id)
  const { task } = await pull(0)
  advance(3_000)
  const after = await ended
  assert.equal(after.state, 'failed')
  assert.match(after.error ?? '', /taken over/)
  assert.equal(task.signal.aborted, true)
  assert.equal((await store.getSyncRun(id, run.id))?.id, run.id)
})

test('a run that ends after another process took it over is reported as failed', async () => {
  await using opened = await openDatabase()
  const { store } = opened
  const { id } = await addPulled(store)
  const { runner, pull, ends } = startRunner({ ...store, finishSyncRun: async () => 'lost' })
  const { ended } = await begin(runner, store, id)
  const { complete } = await pull(0)
  complete()
  const { state, error } = await ended
  assert.match(`${state}: ${error}`, /^failed: .* taken over/)
  assert.deepEqual(ends, ['failed'])
})

test('a run stops at the next write after its directory was deleted or deactivated', async () => {
  await using opened = await openDatabase()
  const { store } = opened
  const [deleted, deactivated] = [await addPulled(store), await addPulled(store)]
  const { runner, pull } = startRunner(store)
  await begin(runner, store, deleted.id)
  await begin(runner, store, deactivated.id)
  await pull(1)
  await store.deleteDirectory(deleted.id, 0)
  const now = (await store.getDirectory(deactivated.id)) ?? assert.fail()
  await store.replaceDirectory({ ...now, deactivated: true, revision: now.revision + 1 })
  await assert.rejects((await pull(0)).task.refreshed(), /directory was deleted/)
  await assert.rejects((await pull(1)).task.refreshed(), /directory was deactivated/)
  await runner.close()
})

test('a run that has nothing to write ends within seconds after its directory was deleted or deactivated', async () => {
  await using opened = await openDatabase()
  const { store } = opened
  const [deleted, deactivated, other] = [await addPulled(store), await addPulled(store), await addPulled(store)]
  const { runner, pull, advance } = startRunner(store)
  const [runs, tasks] = [[] as Promise<SyncRun>[], [] as SyncTask[]]
  for (const [number, { id }] of [deleted, deactivated, other].entries()) {
    runs.push((await begin(runner, store, id)).ended)
    const { task } = await pull(number)
    task.tally.enter('users')
    tasks.push(task)
  }
  await store.deleteDirectory(deleted.id, 0)
  const now = (await store.getDirectory(deactivated.id)) ?? assert.fail()
  await store.replaceDirectory({ ...now, deactivated: true, revision: now.revision + 1 })
  advance(3_000)
  const ends = await Promise.all(runs.slice(0, 2))
  assert.deepEqual(
    ends.map(({ state }) => state),
    ['failed', 'failed'],
  )
  assert.equal(ends[1]?.error, 'The directory was deactivated.')
  assert.deepEqual(
    tasks.map(({ signal }) => signal.aborted && signal.reason.message),
    ['The directory was deleted.', 'The directory was deactivated.', false],
  )
  await runner.close()
})

test('one tenant cannot take all places', async () => {
  await using opened = await openDatabase()
  const { store } = opened
  const { runner, pull, pulls } = startRunner(store)
  for (let count = 0; count < 6; count += 1) {
    await begin(runner, store, (await addPulled(store, { tenant: 'endless' })).id)
  }
  await pull(2)
  const other = await begin(runner, store, (await addPulled(store, { tenant: 'other' })).id)
  const { task, complete } = await pull(3)
  assert.equal(task.directory.tenant, 'other')
  complete()
  assert.equal((await other.ended).state, 'completed')
  assert.equal(pulls.filter(({ task: { directory } }) => directory.tenant === 'endless').length, 3)
  await runner.close()
})

test('the operator is notified of a run that fails and of one that holds deletions, not of one that is stopped', async () => {
  await using opened = await openDatabase()
  const { store } = opened
  const { id } = await addPulled(store)
  const drafts: NoticeDraft[] = []
  let commits = 0
  const notices: OperatorNotices = {
    ...noNotices,
    prepare(draft) {
      drafts.push(draft)
      return { id: 'notice', directoryId: id, type: draft.type, createdAt: draft.at, payload: '{}' }
    },
    committed: () => commits++,
  }
  const failing = startRunner(store, { notices })
  const { ended } = await begin(failing.runner, store, id)
  ;(await failing.pull(0)).fail(new DirectoryError('invalid-input', 'Google is away.'))
  await ended
  const stopped = await begin(failing.runner, store, id)
  await failing.pull(1)
  await failing.runner.close()
  await stopped.ended
  const held = startRunner(store, { notices, pull: async () => ({ state: 'held', note: 'Too many.' }) })
  await (await begin(held.runner, store, id)).ended
  assert.deepEqual(
    drafts.map(({ type, message, directory }) => [type, message, directory.id]),
    [
      ['sync.failed', 'A sync with Google failed: Google is away.', id],
      ['sync.held', 'A sync with Google holds 0 deletions: check them, then approve the run.', id],
    ],
  )
  assert.equal(commits, 2)
  assert.equal((await store.takeDueNotices(Number.MAX_SAFE_INTEGER, 0, 9)).length, 2)
  await held.runner.close()
})
