import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GoogleUser } from '../../../../src/google/client/items.ts'
import { ids, person } from './support/people.ts'
import type { SyncedDirectory } from './support/sync.ts'
import { openSync } from './support/sync.ts'

const named = (id: string, name: string) => person(id, { primaryEmail: `${name}@acme.example` })

async function namesOf(directory: SyncedDirectory): Promise<Record<string, unknown>> {
  const all = await Promise.all(
    (await directory.userIds()).map(async (id) => [id, (await directory.raw(id))['userName']] as const),
  )
  return Object.fromEntries(all.map(([id, name]) => [id, String(name).replace('@acme.example', '')]))
}

/** Uses pages of one user each, so that the previous holder of a name is on a later page. */
async function syncedOneByOne(...users: readonly GoogleUser[]): Promise<SyncedDirectory> {
  const directory = await openSync()
  directory.workspace.pageSize = 1
  directory.workspace.addUsers(...users)
  await directory.sync()
  return directory
}

test('when a name was reassigned, the user who had it is updated first', async () => {
  await using directory = await syncedOneByOne(named('ann', 'boss'))
  const { workspace } = directory
  workspace.users.clear()
  workspace.addUsers(named('bob', 'boss'), named('ann', 'ann'))
  const { reported } = await directory.sync()
  assert.deepEqual(reported, ['user.updated ann', 'user.created bob'])
  assert.deepEqual(await namesOf(directory), { ann: 'ann', bob: 'boss' })
})

test('a chain of reassigned names is resolved from its end', async () => {
  const users = ids('user', 9)
  await using directory = await syncedOneByOne(...users.map((id) => named(id, id)))
  users.forEach((id, index) => {
    directory.workspace.addUsers(named(id, users[index + 1] ?? 'last'))
  })
  const { reported } = await directory.sync()
  assert.deepEqual(
    reported,
    users.toReversed().map((id) => `user.updated ${id}`),
  )
  assert.equal((await namesOf(directory))['user1'], 'user2')
})

for (const pageSize of [1, 3]) {
  test(`two users can swap their names with ${pageSize} users per page`, async () => {
    await using directory = await syncedOneByOne(named('ann', 'ann'), named('bob', 'bob'))
    directory.workspace.pageSize = pageSize
    directory.workspace.addUsers(named('ann', 'bob'), named('bob', 'ann'))
    const { reported, progress } = await directory.sync()
    assert.deepEqual(await namesOf(directory), { ann: 'bob', bob: 'ann' })
    assert.equal(reported.length, 3, 'one of them goes without a name for the moment')
    assert.equal(progress.skipped, 0)
  })
}

test('names exchanged in a circle of many users are resolved', async () => {
  const users = ids('user', 7)
  await using directory = await syncedOneByOne(...users.map((id) => named(id, id)))
  users.forEach((id, index) => {
    directory.workspace.addUsers(named(id, users[(index + 3) % users.length] ?? ''))
  })
  await directory.sync()
  const expected = users.map((id, index) => [id, users[(index + 3) % users.length]])
  assert.deepEqual(await namesOf(directory), Object.fromEntries(expected))
})

test('a user who no longer exists loses the name and becomes inactive, even when the deletion is held', async () => {
  await using directory = await openSync()
  const { workspace } = directory
  workspace.addUsers(...ids('user', 21).map((id) => person(id)))
  await directory.sync()
  workspace.users.clear()
  workspace.addUsers(named('new', 'user1'))
  const { state } = await directory.sync()
  const { userName, active } = await directory.raw('user1')
  assert.deepEqual({ state, userName, active }, { state: 'held', userName: 'user1', active: false })
  assert.equal((await namesOf(directory))['new'], 'user1')
})

test('a user who has left the domain also loses the name', async () => {
  await using directory = await openSync('acme.example')
  const { workspace } = directory
  workspace.addUsers(named('ann', 'boss'), person('zoe'))
  await directory.sync()
  workspace.users.clear()
  workspace.addUsers(named('bob', 'boss'), person('ann', { primaryEmail: 'ann@other.example' }), person('zoe'))
  const { reported } = await directory.sync()
  assert.deepEqual(reported, ['user.updated ann', 'user.created bob', 'user.deleted ann'])
})

test('an outdated name in a list is corrected by reading that user', async () => {
  await using directory = await syncedOneByOne(named('ann', 'boss'))
  const { workspace } = directory
  workspace.addUsers(named('bob', 'boss'))
  workspace.onCall = ({ name }) => {
    if (name === 'getUser') workspace.addUsers(named('bob', 'bob'))
  }
  const { reported } = await directory.sync()
  assert.deepEqual(reported, ['user.created bob'])
  assert.deepEqual(await namesOf(directory), { ann: 'boss', bob: 'bob' })
})

test('if Google reports the same name for two users, one is skipped and keeps its old name', async () => {
  await using directory = await syncedOneByOne(named('ann', 'ann'), named('bob', 'bob'))
  directory.workspace.addUsers(named('bob', 'ANN'))
  const { reported, progress, state } = await directory.sync()
  assert.deepEqual({ reported, skipped: progress.skipped, state }, { reported: [], skipped: 1, state: 'completed' })
  assert.deepEqual(await namesOf(directory), { ann: 'ann', bob: 'bob' })
})

test('a user who no longer exists when Google is asked about the name is not created', async () => {
  await using directory = await syncedOneByOne(named('ann', 'boss'))
  const { workspace } = directory
  workspace.addUsers(named('bob', 'boss'))
  workspace.onCall = ({ name, id }) => {
    if (name === 'getUser' && id === 'bob') workspace.users.delete('bob')
  }
  assert.deepEqual((await directory.sync()).reported, [])
})

test('a user who lost the name in a failed run gets it back in the next run', async () => {
  await using directory = await syncedOneByOne(named('ann', 'ann'), named('bob', 'bob'))
  directory.workspace.addUsers(named('ann', 'bob'), named('bob', 'ann'))
  let commits = 0
  await directory.syncFails(/crashed/, {
    onEvents() {
      commits += 1
      if (commits === 1) throw new Error('crashed')
    },
  })
  await directory.sync()
  assert.deepEqual(await namesOf(directory), { ann: 'bob', bob: 'ann' })
})
