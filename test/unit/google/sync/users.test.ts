import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SyncStopped } from '../../../../src/google/sync/run.ts'
import { ids, person } from './support/people.ts'
import { openSync } from './support/sync.ts'
import { failing } from './support/workspace.ts'

test('users of every page are created, under the ids that Google has for them', async () => {
  await using directory = await openSync()
  directory.workspace.addUsers(...ids('user', 8).map((id) => person(id)))
  const { progress } = await directory.sync()
  assert.deepEqual(await directory.userIds(), ids('user', 8))
  assert.equal(progress.created, 8)
})

test('the second sync of an unchanged Workspace writes nothing and tells nothing', async () => {
  await using directory = await openSync()
  directory.workspace.addUsers(...ids('user', 8).map((id) => person(id)))
  await directory.sync()
  const { told, writes } = await directory.sync()
  assert.deepEqual({ told, writes }, { told: [], writes: 0 })
})

test('a changed user is updated, and only that one', async () => {
  await using directory = await openSync()
  directory.workspace.addUsers(person('ann'), person('bob'))
  await directory.sync()
  directory.workspace.addUsers(person('ann', { familyName: 'Jones' }))
  const { told, progress } = await directory.sync()
  assert.deepEqual(told, ['user.updated ann'])
  assert.equal(progress.updated, 1)
})

test('another e-mail address is an update: the user stays the same', async () => {
  await using directory = await openSync()
  directory.workspace.addUsers(person('ann'))
  await directory.sync()
  directory.workspace.addUsers(person('ann', { primaryEmail: 'ann.jones@acme.example' }))
  assert.deepEqual((await directory.sync()).told, ['user.updated ann'])
  assert.equal((await directory.raw('ann'))['userName'], 'ann.jones@acme.example')
})

for (const state of ['suspended', 'archived'] as const) {
  test(`a user who is ${state} becomes inactive`, async () => {
    await using directory = await openSync()
    directory.workspace.addUsers(person('ann'))
    await directory.sync()
    directory.workspace.addUsers(person('ann', { [state]: true }))
    assert.deepEqual((await directory.sync()).told, ['user.updated ann'])
    assert.equal((await directory.raw('ann'))['active'], false)
  })
}

test('users of another domain are left out and counted', async () => {
  await using directory = await openSync('ACME.example')
  directory.workspace.addUsers(person('ann'), person('eve', { primaryEmail: 'eve@sub.acme.example' }))
  const { progress } = await directory.sync()
  assert.deepEqual(await directory.userIds(), ['ann'])
  assert.equal(progress.skipped, 1)
})

test('a user whom we cannot keep is left out and counted, and the others are kept', async () => {
  await using directory = await openSync()
  directory.workspace.addUsers(person('ann', { primaryEmail: `${'a'.repeat(600)}@acme.example` }), person('bob'))
  const { progress } = await directory.sync()
  assert.deepEqual(await directory.userIds(), ['bob'])
  assert.equal(progress.skipped, 1)
})

test('a user who is on two pages is created once', async () => {
  await using directory = await openSync()
  const { workspace } = directory
  workspace.addUsers(...ids('user', 6).map((id) => person(id)))
  workspace.onCall = ({ pageToken }) => {
    if (pageToken !== '3' || workspace.users.has('first')) return
    const before = [...workspace.users.values()]
    workspace.users.clear()
    workspace.addUsers(person('first'), ...before)
  }
  const { told } = await directory.sync()
  assert.deepEqual(
    told,
    ids('user', 6).map((id) => `user.created ${id}`),
  )
})

test('a list whose place is lost is read from its beginning once, and what it showed stays seen', async () => {
  await using directory = await openSync()
  directory.workspace.addUsers(...ids('user', 7).map((id) => person(id)))
  directory.workspace.onCall = failing('stale-page', ({ pageToken }) => pageToken === '6', 1)
  assert.equal((await directory.sync()).state, 'completed')
  assert.deepEqual(await directory.userIds(), ids('user', 7))
})

test('a list whose place is lost twice fails the run', async () => {
  await using directory = await openSync()
  directory.workspace.addUsers(...ids('user', 7).map((id) => person(id)))
  directory.workspace.onCall = failing('stale-page', ({ pageToken }) => pageToken === '6')
  await directory.syncFails({ kind: 'stale-page' })
})

test('what Google fails with is what the run fails with, and the whole pages before it stay', async () => {
  await using directory = await openSync()
  directory.workspace.addUsers(...ids('user', 7).map((id) => person(id)))
  directory.workspace.onCall = failing('unavailable', ({ pageToken }) => pageToken === '6')
  await directory.syncFails({ kind: 'unavailable' })
  assert.deepEqual(await directory.userIds(), ids('user', 6))
})

test('a run that is told to stop stops before the next page', async () => {
  await using directory = await openSync()
  const { workspace } = directory
  const stop = new AbortController()
  workspace.addUsers(...ids('user', 7).map((id) => person(id)))
  workspace.onCall = () => stop.abort(new SyncStopped('The process was stopped.'))
  await directory.syncFails(SyncStopped, { signal: stop.signal })
  assert.equal(workspace.calls.length, 1)
})

test('a directory that is changed on the way is read again, and the run goes on', async () => {
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

test('a callback that fails ends the run', async () => {
  await using directory = await openSync()
  directory.workspace.addUsers(person('ann'))
  await directory.syncFails(/not today/, {
    onEvents() {
      throw new Error('not today')
    },
  })
})
