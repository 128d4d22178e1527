import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ids, person, team, userMember } from './support/people.ts'
import type { SyncedDirectory } from './support/sync.ts'
import { openSync } from './support/sync.ts'
import { failing } from './support/workspace.ts'

/** A synced directory of this many users, all of them in its only group. */
async function withUsers(howMany: number): Promise<SyncedDirectory> {
  const directory = await openSync()
  const users = ids('user', howMany)
  directory.workspace.addUsers(...users.map((id) => person(id)))
  directory.workspace.addGroup(team('all'), ...users.map(userMember))
  await directory.sync()
  return directory
}

/** Removes the first users from the Workspace. */
function leave({ workspace }: SyncedDirectory, howMany: number): void {
  for (const id of ids('user', howMany)) {
    workspace.users.delete(id)
    workspace.members.set(
      'all',
      (workspace.members.get('all') ?? []).filter((member) => member.id !== id),
    )
  }
}

test('users and groups that no longer exist are deleted', async () => {
  await using directory = await withUsers(3)
  const { workspace } = directory
  workspace.users.delete('user1')
  workspace.groups.delete('all')
  const { reported, progress } = await directory.sync()
  assert.deepEqual(reported, ['group.deleted all', 'user.deleted user1'])
  assert.equal(progress.deleted, 2)
})

test('a deleted user leaves its groups without further events', async () => {
  await using directory = await withUsers(3)
  leave(directory, 1)
  assert.deepEqual((await directory.sync()).reported, ['user.deleted user1'])
  assert.deepEqual(await directory.members('all'), ['user2', 'user3'])
})

test('a user who has left the domain is deleted although Google still has it', async () => {
  await using directory = await openSync('acme.example')
  directory.workspace.addUsers(person('ann'), person('bob'))
  await directory.sync()
  directory.workspace.addUsers(person('ann', { primaryEmail: 'ann@other.example' }))
  assert.deepEqual((await directory.sync()).reported, ['user.deleted ann'])
})

test('a user missing from the list but found by id is updated, not deleted', async () => {
  await using directory = await withUsers(3)
  directory.workspace.missed.add('user1')
  directory.workspace.addUsers(person('user1', { suspended: true }))
  assert.deepEqual((await directory.sync()).reported, ['user.updated user1'])
})

test('a group missing from the list but found by id is updated, not deleted', async () => {
  await using directory = await withUsers(3)
  directory.workspace.missed.add('all')
  directory.workspace.groups.set('all', team('all', { name: 'All of us' }))
  assert.deepEqual((await directory.sync()).reported, ['group.updated all'])
  assert.deepEqual(await directory.members('all'), ['user1', 'user2', 'user3'])
})

test('a user missing from the list keeps its memberships', async () => {
  await using directory = await withUsers(3)
  directory.workspace.missed.add('user1')
  directory.workspace.members.set('all', [])
  assert.deepEqual((await directory.sync()).reported, ['group.user_removed all user2', 'group.user_removed all user3'])
})

test('a user hidden by a change between two pages is not deleted', async () => {
  await using directory = await withUsers(7)
  const { workspace } = directory
  workspace.onCall = ({ name, pageToken }) => {
    if (name === 'listUsers' && pageToken === '3') workspace.users.delete('user1')
  }
  await directory.sync()
  assert((await directory.userIds()).includes('user4'), 'the one that moved to the page before')
})

test('an empty list holds the run if the directory has more than 20 users', async () => {
  await using directory = await withUsers(21)
  leave(directory, 21)
  const { reported, state, note, progress } = await directory.sync()
  assert.deepEqual({ reported, state, held: progress.held }, { reported: [], state: 'held', held: 21 })
  assert.match(String(note), /More than 30 %.*approve/)
})

test('a held run stores the deletions', async () => {
  await using directory = await withUsers(21)
  leave(directory, 21)
  const { runId } = await directory.sync()
  const held = await directory.store.listHeld(directory.directoryId, runId, 'user', '', 100)
  assert.deepEqual(held, ids('user', 21).sort())
})

test('a list with one of 20 users deletes the others, with one lookup each', async () => {
  await using directory = await withUsers(20)
  leave(directory, 19)
  const { state, progress } = await directory.sync()
  assert.deepEqual([state, progress.deleted], ['completed', 19])
  assert.equal(directory.workspace.callsOf('getUser').length, 19)
})

for (const count of [1, 3, 20]) {
  test(`a list with none of the ${count} known users deletes nobody before an approval`, async () => {
    await using directory = await withUsers(count)
    leave(directory, count)
    directory.workspace.addUsers(person('stranger'))
    const { runId, state, progress, note } = await directory.sync()
    assert.deepEqual([state, progress.deleted, progress.held], ['held', 0, count])
    assert.match(note ?? '', /all users, would be deleted/)
    const approved = await directory.sync({ approved: runId })
    assert.deepEqual([approved.state, approved.progress.deleted], ['completed', count])
  })
}

test('with a limit of 100 %, a list with none of the known users deletes them', async () => {
  await using directory = await withUsers(3)
  leave(directory, 3)
  const { state, progress } = await directory.sync({ maxDeletePercent: 100 })
  assert.deepEqual([state, progress.deleted], ['completed', 3])
})

for (const { gone, state } of [
  { gone: 12, state: 'completed' },
  { gone: 13, state: 'held' },
] as const) {
  test(`with ${gone} of 40 users gone and a limit of 30 %, the run is ${state}`, async () => {
    await using directory = await withUsers(40)
    leave(directory, gone)
    assert.equal((await directory.sync()).state, state)
  })
}

test('users created by the run do not raise the threshold', async () => {
  await using directory = await withUsers(40)
  leave(directory, 20)
  directory.workspace.addUsers(...ids('other', 60).map((id) => person(id)))
  assert.equal((await directory.sync()).state, 'held')
})

test('the threshold is configurable', async () => {
  await using directory = await withUsers(40)
  leave(directory, 13)
  assert.equal((await directory.sync({ maxDeletePercent: 50 })).state, 'completed')
})

test('too many groups hold the deletion of users as well, and vice versa', async () => {
  await using directory = await withUsers(3)
  for (const id of ids('team', 30)) directory.workspace.addGroup(team(id))
  await directory.sync()
  directory.workspace.groups.clear()
  directory.workspace.users.delete('user1')
  const { reported, progress } = await directory.sync()
  assert.deepEqual({ reported, held: progress.held }, { reported: [], held: 32 })
})

test('a held run does everything but the deletions', async () => {
  await using directory = await withUsers(40)
  leave(directory, 20)
  directory.workspace.addUsers(person('new'))
  directory.workspace.members.set('all', [userMember('new'), ...ids('user', 39).map(userMember)])
  const { reported } = await directory.sync()
  assert.deepEqual(reported, ['user.created new', 'group.user_added all new', 'group.user_removed all user40'])
})

test('an approved run makes the held deletions', async () => {
  await using directory = await withUsers(40)
  leave(directory, 20)
  const { runId } = await directory.sync()
  const { state, progress } = await directory.sync({ approved: runId })
  assert.deepEqual([state, progress.deleted, progress.held], ['completed', 20, 0])
})

test('an approval does not delete users who have come back since', async () => {
  await using directory = await withUsers(40)
  leave(directory, 20)
  const { runId } = await directory.sync()
  directory.workspace.addUsers(person('user1'))
  directory.workspace.missed.add('user1')
  const { progress } = await directory.sync({ approved: runId })
  assert.equal(progress.deleted, 19)
  assert((await directory.userIds()).includes('user1'))
})

test('an approval covers only the held deletions: too many others are held again', async () => {
  await using directory = await withUsers(60)
  leave(directory, 20)
  const { runId } = await directory.sync()
  leave(directory, 45)
  const { state, progress } = await directory.sync({ approved: runId })
  assert.deepEqual([state, progress.deleted, progress.held], ['held', 20, 25])
})

test('a run without approval holds the same deletions again', async () => {
  await using directory = await withUsers(40)
  leave(directory, 20)
  await directory.sync()
  const { state, progress } = await directory.sync()
  assert.deepEqual([state, progress.held, progress.deleted], ['held', 20, 0])
})

for (const name of ['listUsers', 'listGroups', 'listMembers'] as const) {
  test(`a run in which ${name} fails deletes nothing`, async () => {
    await using directory = await withUsers(7)
    leave(directory, 3)
    directory.workspace.onCall = failing('unavailable', (call) => call.name === name && call.pageToken !== undefined)
    if (name === 'listGroups') for (const id of ids('team', 5)) directory.workspace.addGroup(team(id))
    const reported = await directory.syncFails({ kind: 'unavailable' })
    assert.deepEqual(
      reported.filter((one) => one.includes('deleted')),
      [],
    )
  })
}

test('after a failed lookup, nothing more is deleted', async () => {
  await using directory = await withUsers(20)
  leave(directory, 19)
  directory.workspace.onCall = failing('unavailable', ({ name, id }) => name === 'getUser' && id === 'user1')
  const reported = await directory.syncFails({ kind: 'unavailable' })
  assert(reported.length < 16, `only what was under way is done: ${reported.length}`)
  assert((await directory.userIds()).includes('user19'))
})

test('an unlisted group that is forbidden is kept and counted as skipped; others are deleted', async () => {
  await using directory = await openSync()
  const { workspace } = directory
  workspace.addGroup(team('hidden'))
  workspace.addGroup(team('gone'))
  await directory.sync()
  workspace.missed.add('hidden')
  workspace.groups.delete('gone')
  workspace.onCall = failing('forbidden', ({ name, id }) => name === 'getGroup' && id === 'hidden')
  const { state, reported, progress } = await directory.sync()
  assert.deepEqual(
    { state, reported, skipped: progress.skipped },
    { state: 'completed', reported: ['group.deleted gone'], skipped: 1 },
  )
})
