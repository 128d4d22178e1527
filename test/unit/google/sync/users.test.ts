import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SyncStopped } from '../../../../src/google/sync/run.ts'
import { ids, person } from './support/people.ts'
import { openSync } from './support/sync.ts'
import { failing } from './support/workspace.ts'

test("users of all pages are created with Google's ids", async () => {
  await using directory = await openSync()
  directory.workspace.addUsers(...ids('user', 8).map((id) => person(id)))
  const { progress } = await directory.sync()
  assert.deepEqual(await directory.userIds(), ids('user', 8))
  assert.equal(progress.created, 8)
})

test('a second sync of an unchanged Workspace writes nothing and makes no events', async () => {
  await using directory = await openSync()
  directory.workspace.addUsers(...ids('user', 8).map((id) => person(id)))
  await directory.sync()
  const { reported, writes } = await directory.sync()
  assert.deepEqual({ reported, writes }, { reported: [], writes: 0 })
})

test('a changed user is updated, and only that one', async () => {
  await using directory = await openSync()
  directory.workspace.addUsers(person('ann'), person('bob'))
  await directory.sync()
  directory.workspace.addUsers(person('ann', { familyName: 'Jones' }))
  const { reported, progress } = await directory.sync()
  assert.deepEqual(reported, ['user.updated ann'])
  assert.equal(progress.updated, 1)
})

test('a new email address updates the same user', async () => {
  await using directory = await openSync()
  directory.workspace.addUsers(person('ann'))
  await directory.sync()
  directory.workspace.addUsers(person('ann', { primaryEmail: 'ann.jones@acme.example' }))
  assert.deepEqual((await directory.sync()).reported, ['user.updated ann'])
  assert.equal((await directory.raw('ann'))['userName'], 'ann.jones@acme.example')
})

for (const state of ['suspended', 'archived'] as const) {
  test(`a user who is ${state} becomes inactive`, async () => {
    await using directory = await openSync()
    directory.workspace.addUsers(person('ann'))
    await directory.sync()
    directory.workspace.addUsers(person('ann', { [state]: true }))
    assert.deepEqual((await directory.sync()).reported, ['user.updated ann'])
    assert.equal((await directory.raw('ann'))['active'], false)
  })
}

test('users of another domain are skipped and counted', async () => {
  await using directory = await openSync('ACME.example')
  directory.workspace.addUsers(person('ann'), person('eve', { primaryEmail: 'eve@sub.acme.example' }))
  const { progress } = await directory.sync()
  assert.deepEqual(await directory.userIds(), ['ann'])
  assert.equal(progress.skipped, 1)
})

test('a user that cannot be stored is skipped and counted, and the others are stored', async () => {
  await using directory = await openSync()
  directory.workspace.addUsers(person('ann', { primaryEmail: `${'a'.repeat(600)}@acme.example` }), person('bob'))
  const { progress } = await directory.sync()
  assert.deepEqual(await directory.userIds(), ['bob'])
  assert.equal(progress.skipped, 1)
})

test('a user on two pages is created once', async () => {
  await using directory = await openSync()
  const { workspace } = directory
  workspace.addUsers(...ids('user', 6).map((id) => person(id)))
  workspace.onCall = ({ pageToken }) => {
    if (pageToken !== '3' || workspace.users.has('first')) return
    const before = [...workspace.users.values()]
    workspace.users.clear()
    workspace.addUsers(person('first'), ...before)
  }
  const { reported } = await directory.sync()
  assert.deepEqual(
    reported,
    ids('user', 6).map((id) => `user.created ${id}`),
  )
})

test('a list whose page token expired is read again from the beginning, and earlier items stay visited', async () => {
  await using directory = await openSync()
  directory.workspace.addUsers(...ids('user', 7).map((id) => person(id)))
  directory.workspace.onCall = failing('stale-page', ({ pageToken }) => pageToken === '6', 1)
  assert.equal((await directory.sync()).state, 'completed')
  assert.deepEqual(await directory.userIds(), ids('user', 7))
})

test('a page token that expires twice fails the run', async () => {
  await using directory = await openSync()
  directory.workspace.addUsers(...ids('user', 7).map((id) => person(id)))
  directory.workspace.onCall = failing('stale-page', ({ pageToken }) => pageToken === '6')
  await directory.syncFails({ kind: 'stale-page' })
})

test('a failure of Google fails the run, and the pages before it stay', async () => {
  await using directory = await openSync()
  directory.workspace.addUsers(...ids('user', 7).map((id) => person(id)))
  directory.workspace.onCall = failing('unavailable', ({ pageToken }) => pageToken === '6')
  await directory.syncFails({ kind: 'unavailable' })
  assert.deepEqual(await directory.userIds(), ids('user', 6))
})

test('an aborted run stops before the next page', async () => {
  await using directory = await openSync()
  const { workspace } = directory
  const stop = new AbortController()
  workspace.addUsers(...ids('user', 7).map((id) => person(id)))
  workspace.onCall = () => stop.abort(new SyncStopped('The process was stopped.'))
  await directory.syncFails(SyncStopped, { signal: stop.signal })
  assert.equal(workspace.calls.length, 1)
})

test('a directory changed during a run is read again, and the run continues', async () => {
  await using directory = await openSync()
  const { workspace, store, directoryId } = directory
  workspace.addUsers(...ids('user', 7).map((id) => person(id)))
  const before = await store.getDirectory(directoryId)
  assert(before !== undefined)
  let changed: Promise<unknown> | undefined
  await directory.sync({
    onEvents: () => {
      changed ??= store.replaceDirectory({ ...before, name: 'another', revision: before.revision + 2 })
    },
  })
  assert.equal(await changed, 'replaced')
  assert.deepEqual(await directory.userIds(), ids('user', 7))
})

test('an error of the callback fails the run', async () => {
  await using directory = await openSync()
  directory.workspace.addUsers(person('ann'))
  await directory.syncFails(/not today/, {
    onEvents() {
      throw new Error('not today')
    },
  })
})
