import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ids, person, team, userMember } from './support/people.ts'
import type { SyncedDirectory } from './support/sync.ts'
import { openSync } from './support/sync.ts'
import { failing } from './support/workspace.ts'

/** A synced directory of so many users, all of them in the one group. */
async function withUsers(howMany: number): Promise<SyncedDirectory> {
  const directory = await openSync()
  const users = ids('user', howMany)
  directory.workspace.addUsers(...users.map((id) => person(id)))
  directory.workspace.addGroup(team('all'), ...users.map(userMember))
  await directory.sync()
  return directory
}

/** Lets the first users go. */
function leave({ workspace }: SyncedDirectory, howMany: number): void {
  for (const id of ids('user', howMany)) {
    workspace.users.delete(id)
    workspace.members.set(
      'all',
      (workspace.members.get('all') ?? []).filter((member) => member.id !== id),
    )
  }
}

test('who is gone is deleted, and groups as well', async () => {
  await using directory = await withUsers(3)
  const { workspace } = directory
  workspace.users.delete('user1')
  workspace.groups.delete('all')
  const { told, progress } = await directory.sync()
  assert.deepEqual(told, ['group.deleted all', 'user.deleted user1'])
  assert.equal(progress.deleted, 2)
})

test('who is deleted leaves the groups without a word', async () => {
  await using directory = await withUsers(3)
  leave(directory, 1)
  assert.deepEqual((await directory.sync()).told, ['user.deleted user1'])
  assert.deepEqual(await directory.members('all'), ['user2', 'user3'])
})

test('who has left the domain is deleted, though Google still has them', async () => {
  await using directory = await openSync('acme.example')
  directory.workspace.addUsers(person('ann'))
  await directory.sync()
  directory.workspace.addUsers(person('ann', { primaryEmail: 'ann@other.example' }))
  assert.deepEqual((await directory.sync()).told, ['user.deleted ann'])
})

test('a user whom the list misses is not deleted but brought up to date', async () => {
  await using directory = await withUsers(3)
  directory.workspace.missed.add('user1')
  directory.workspace.addUsers(person('user1', { suspended: true }))
  assert.deepEqual((await directory.sync()).told, ['user.updated user1'])
})

test('a group that the list misses is not deleted but brought up to date', async () => {
  await using directory = await withUsers(3)
  directory.workspace.missed.add('all')
  directory.workspace.groups.set('all', team('all', { name: 'All of us' }))
  assert.deepEqual((await directory.sync()).told, ['group.updated all'])
  assert.deepEqual(await directory.members('all'), ['user1', 'user2', 'user3'])
})

test('a user whom the list misses keeps the memberships', async () => {
  await using directory = await withUsers(3)
  directory.workspace.missed.add('user1')
  directory.workspace.members.set('all', [])
  assert.deepEqual((await directory.sync()).told, ['group.user_removed all user2', 'group.user_removed all user3'])
})

test('somebody whom a change of the list between two pages hides is not deleted', async () => {
  await using directory = await withUsers(7)
  const { workspace } = directory
  workspace.onCall = ({ name, pageToken }) => {
    if (name === 'listUsers' && pageToken === '3') workspace.users.delete('user1')
  }
  await directory.sync()
  assert((await directory.userIds()).includes('user4'), 'the one that moved to the page before')
})

test('an empty list deletes nobody of a directory with more than 20 users: the run is held', async () => {
  await using directory = await withUsers(21)
  leave(directory, 21)
  const { told, state, note, progress } = await directory.sync()
  assert.deepEqual({ told, state, held: progress.held }, { told: [], state: 'held', held: 21 })
  assert.match(String(note), /More than 30 %.*approve/)
})

test('a held run remembers whom it would delete', async () => {
  await using directory = await withUsers(21)
  leave(directory, 21)
  const { runId } = await directory.sync()
  const held = await directory.store.listHeld(directory.directoryId, runId, 'user', '', 100)
  assert.deepEqual(held, ids('user', 21).sort())
})

test('an empty list of 20 users deletes them, one question each', async () => {
  await using directory = await withUsers(20)
  leave(directory, 20)
  const { state, progress } = await directory.sync()
  assert.deepEqual([state, progress.deleted], ['completed', 20])
  assert.equal(directory.workspace.callsOf('getUser').length, 20)
})

for (const { gone, state } of [
  { gone: 12, state: 'completed' },
  { gone: 13, state: 'held' },
] as const) {
  test(`${gone} of 40 users are gone, 30 % is the limit: ${state}`, async () => {
    await using directory = await withUsers(40)
    leave(directory, gone)
    assert.equal((await directory.sync()).state, state)
  })
}

test('users whom the run has created itself do not make up for those that go', async () => {
  await using directory = await withUsers(40)
  leave(directory, 20)
  directory.workspace.addUsers(...ids('other', 60).map((id) => person(id)))
  assert.equal((await directory.sync()).state, 'held')
})

test('the limit is the one that is set', async () => {
  await using directory = await withUsers(40)
  leave(directory, 13)
  assert.equal((await directory.sync({ maxDeletePercent: 50 })).state, 'completed')
})

test('too many groups hold the users as well, and the other way round nothing is deleted either', async () => {
  await using directory = await withUsers(3)
  for (const id of ids('team', 30)) directory.workspace.addGroup(team(id))
  await directory.sync()
  directory.workspace.groups.clear()
  directory.workspace.users.delete('user1')
  const { told, progress } = await directory.sync()
  assert.deepEqual({ told, held: progress.held }, { told: [], held: 32 })
})

test('what does not depend on the deletions is done by a held run', async () => {
  await using directory = await withUsers(40)
  leave(directory, 20)
  directory.workspace.addUsers(person('new'))
  directory.workspace.members.set('all', [userMember('new'), ...ids('user', 39).map(userMember)])
  const { told } = await directory.sync()
  assert.deepEqual(told, ['user.created new', 'group.user_added all new', 'group.user_removed all user40'])
})

test('once it is approved, a held run deletes whom it held', async () => {
  await using directory = await withUsers(40)
  leave(directory, 20)
  const { runId } = await directory.sync()
  const { state, progress } = await directory.sync({ approved: runId })
  assert.deepEqual([state, progress.deleted, progress.held], ['completed', 20, 0])
})

test('an approval is no good for those who have come back since', async () => {
  await using directory = await withUsers(40)
  leave(directory, 20)
  const { runId } = await directory.sync()
  directory.workspace.addUsers(person('user1'))
  directory.workspace.missed.add('user1')
  const { progress } = await directory.sync({ approved: runId })
  assert.equal(progress.deleted, 19)
  assert((await directory.userIds()).includes('user1'))
})

test('an approval is for those who were held: too many others are held in turn', async () => {
  await using directory = await withUsers(60)
  leave(directory, 20)
  const { runId } = await directory.sync()
  leave(directory, 45)
  const { state, progress } = await directory.sync({ approved: runId })
  assert.deepEqual([state, progress.deleted, progress.held], ['held', 20, 25])
})

test('a run without the approval holds the same again', async () => {
  await using directory = await withUsers(40)
  leave(directory, 20)
  await directory.sync()
  const { state, progress } = await directory.sync()
  assert.deepEqual([state, progress.held, progress.deleted], ['held', 20, 0])
})

for (const name of ['listUsers', 'listGroups', 'listMembers'] as const) {
  test(`a run in which ${name} fails deletes nobody`, async () => {
    await using directory = await withUsers(7)
    leave(directory, 3)
    directory.workspace.onCall = failing('unavailable', (call) => call.name === name && call.pageToken !== undefined)
    if (name === 'listGroups') for (const id of ids('team', 5)) directory.workspace.addGroup(team(id))
    const told = await directory.syncFails({ kind: 'unavailable' })
    assert.deepEqual(
      told.filter((one) => one.includes('deleted')),
      [],
    )
  })
}

test('when the question about one fails, nobody else is deleted after it', async () => {
  await using directory = await withUsers(20)
  leave(directory, 20)
  directory.workspace.onCall = failing('unavailable', ({ name, id }) => name === 'getUser' && id === 'user1')
  const told = await directory.syncFails({ kind: 'unavailable' })
  assert(told.length < 16, `only what was under way is done: ${told.length}`)
  assert((await directory.userIds()).includes('user20'))
})

test('a group that is in no list and may not be read is kept and counted as left out; others are deleted', async () => {
  await using directory = await openSync()
  const { workspace } = directory
  workspace.addGroup(team('hidden'))
  workspace.addGroup(team('gone'))
  await directory.sync()
  workspace.missed.add('hidden')
  workspace.groups.delete('gone')
  workspace.onCall = failing('forbidden', ({ name, id }) => name === 'getGroup' && id === 'hidden')
  const { state, told, progress } = await directory.sync()
  assert.deepEqual(
    { state, told, skipped: progress.skipped },
    { state: 'completed', told: ['group.deleted gone'], skipped: 1 },
  )
})
