import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GoogleMember } from '../../../../src/google/client/items.ts'
import { createRemovals } from '../../../../src/google/sync/members.ts'
import { everyone, groupMember, ids, person, team, userMember } from './support/people.ts'
import type { SyncedDirectory } from './support/sync.ts'
import { openSync } from './support/sync.ts'
import { failing } from './support/workspace.ts'

/** A directory with four people and a group, not yet synced. */
async function withPress(...members: readonly GoogleMember[]): Promise<SyncedDirectory> {
  const directory = await openSync()
  directory.workspace.addUsers(person('ann'), person('bob'), person('cat'), person('dan'))
  directory.workspace.addGroup(team('press'), ...members)
  return directory
}

test('the users of a group become its members', async () => {
  await using directory = await withPress(...['ann', 'bob', 'cat', 'dan'].map(userMember))
  const { progress } = await directory.sync()
  assert.deepEqual(await directory.members('press'), ['ann', 'bob', 'cat', 'dan'])
  assert.equal(progress.membersAdded, 4)
})

test('users who join are added and users who leave are removed, without events for the others', async () => {
  await using directory = await withPress(userMember('ann'), userMember('bob'))
  await directory.sync()
  directory.workspace.members.set('press', [userMember('bob'), userMember('cat')])
  const { reported, progress } = await directory.sync()
  assert.deepEqual(reported, ['group.user_added press cat', 'group.user_removed press ann'])
  assert.deepEqual([progress.membersAdded, progress.membersRemoved], [1, 1])
})

test('an unchanged group costs no write', async () => {
  await using directory = await withPress(userMember('ann'), groupMember('interns'), everyone, userMember('stranger'))
  directory.workspace.addGroup(team('interns'), userMember('bob'))
  await directory.sync()
  const { reported, writes } = await directory.sync()
  assert.deepEqual({ reported, writes }, { reported: [], writes: 0 })
})

test('more members than fit in one change are all added and removed', async () => {
  await using directory = await openSync()
  const { workspace } = directory
  workspace.pageSize = 400
  const users = ids('user', 1100)
  workspace.addUsers(...users.map((id) => person(id)))
  workspace.addGroup(team('all'), ...users.map(userMember))
  const added = await directory.sync()
  workspace.members.set('all', [])
  const removed = await directory.sync()
  assert.deepEqual([added.progress.membersAdded, removed.progress.membersRemoved], [1100, 1100])
  assert.deepEqual(await directory.members('all'), [])
})

test('users of nested groups at any depth are members, without duplicates', async () => {
  await using directory = await withPress(groupMember('writers'), userMember('ann'))
  directory.workspace.addGroup(team('writers'), groupMember('interns'), userMember('ann'), userMember('bob'))
  directory.workspace.addGroup(team('interns'), userMember('cat'))
  await directory.sync()
  assert.deepEqual(await directory.members('press'), ['ann', 'bob', 'cat'])
  assert.deepEqual(await directory.members('writers'), ['ann', 'bob', 'cat'])
})

test('groups that contain each other have the users of all of them', async () => {
  await using directory = await withPress(groupMember('writers'), userMember('ann'))
  directory.workspace.addGroup(team('writers'), groupMember('press'), groupMember('writers'), userMember('bob'))
  await directory.sync()
  assert.deepEqual(await directory.members('press'), ['ann', 'bob'])
  assert.deepEqual(await directory.members('writers'), ['ann', 'bob'])
})

test('users of a nested group of another domain become members, but the group itself is not stored', async () => {
  await using directory = await openSync('acme.example')
  directory.workspace.addUsers(person('ann'))
  directory.workspace.addGroup(team('press'), groupMember('others'))
  directory.workspace.addGroup(team('others', { email: 'others@other.example' }), userMember('ann'))
  await directory.sync()
  assert.deepEqual(await directory.members('press'), ['ann'])
  assert.deepEqual(await directory.groupIds(), ['press'])
})

test('a group nested in many others is read once', async () => {
  await using directory = await openSync()
  const { workspace } = directory
  workspace.addUsers(person('ann'))
  for (const id of ids('team', 9)) workspace.addGroup(team(id), groupMember('outside'))
  workspace.members.set('outside', [userMember('ann')])
  await directory.sync()
  assert.equal(workspace.callsOf('listMembers', 'outside').length, 1)
  assert.deepEqual(await directory.members('team9'), ['ann'])
})

test('everyone in the Workspace means all active users', async () => {
  await using directory = await withPress(everyone)
  directory.workspace.addUsers(person('dan', { suspended: true }))
  await directory.sync()
  assert.deepEqual(await directory.members('press'), ['ann', 'bob', 'cat'])
})

test('a user who becomes inactive leaves a group of everyone', async () => {
  await using directory = await withPress(everyone)
  await directory.sync()
  directory.workspace.addUsers(person('dan', { suspended: true }))
  assert.deepEqual((await directory.sync()).reported, ['user.updated dan', 'group.user_removed press dan'])
})

test('members of another organization are skipped and counted', async () => {
  await using directory = await withPress(userMember('ann'), userMember('stranger'), { id: 'other', kind: 'other' })
  await directory.sync()
  const { progress, writes } = await directory.sync()
  assert.deepEqual(await directory.members('press'), ['ann'])
  assert.deepEqual([progress.skipped, writes], [2, 0])
})

test('a group that is gone when its members are read is left to the next run', async () => {
  await using directory = await withPress(userMember('ann'))
  await directory.sync()
  directory.workspace.members.delete('press')
  const { reported, state, note } = await directory.sync()
  assert.deepEqual({ reported, state, note }, { reported: [], state: 'completed', note: undefined })
  assert.deepEqual(await directory.members('press'), ['ann'])
})

test('a forbidden group keeps its members, and the run reports that', async () => {
  await using directory = await withPress(userMember('ann'))
  await directory.sync()
  directory.workspace.members.set('press', [])
  directory.workspace.onCall = failing('forbidden', ({ name, id }) => name === 'listMembers' && id === 'press')
  const { reported, progress, note } = await directory.sync()
  assert.deepEqual({ reported, skipped: progress.skipped }, { reported: [], skipped: 1 })
  assert.match(String(note), /could not be read completely.*: 1\./)
})

for (const kind of ['forbidden', 'not-found'] as const) {
  test(`users of a nested group that is ${kind} stay, and changes of the outer group are applied`, async () => {
    await using directory = await withPress(userMember('ann'), groupMember('partners'))
    directory.workspace.members.set('partners', [userMember('bob')])
    await directory.sync()
    directory.workspace.members.set('press', [userMember('cat'), groupMember('partners')])
    directory.workspace.onCall = failing(kind, ({ id }) => id === 'partners')
    const { reported, note } = await directory.sync()
    assert.deepEqual(reported, ['group.user_added press cat', 'group.user_removed press ann'])
    assert.match(String(note), /could not be read completely/)
  })
}

test('a member missing from the list stays if Google confirms the membership', async () => {
  await using directory = await withPress(userMember('ann'), userMember('bob'))
  await directory.sync()
  directory.workspace.missed.add('press/ann')
  assert.deepEqual((await directory.sync()).reported, [])
  assert.deepEqual(await directory.members('press'), ['ann', 'bob'])
})

test('if Google does not answer whether a user is a member, the group is read again', async () => {
  await using directory = await withPress(userMember('ann'), userMember('bob'))
  const { workspace } = directory
  await directory.sync()
  workspace.members.set('press', [userMember('ann')])
  workspace.silent.add('press')
  workspace.calls.splice(0)
  assert.deepEqual((await directory.sync()).reported, ['group.user_removed press bob'])
  assert.equal(workspace.callsOf('listMembers', 'press').length, 2)
})

test('a member who is only in the second reading stays', async () => {
  await using directory = await withPress(userMember('ann'), userMember('bob'))
  const { workspace } = directory
  await directory.sync()
  workspace.silent.add('press')
  workspace.missed.add('press/bob')
  workspace.onCall = ({ name }) => {
    if (name === 'hasMember') workspace.missed.clear()
  }
  assert.deepEqual((await directory.sync()).reported, [])
})

test('nobody is removed if the second reading is incomplete', async () => {
  await using directory = await withPress(userMember('ann'))
  const { workspace } = directory
  await directory.sync()
  workspace.members.set('press', [])
  workspace.silent.add('press')
  let readings = 0
  workspace.onCall = failing('forbidden', ({ name }) => {
    if (name === 'listMembers') readings += 1
    return name === 'listMembers' && readings === 2
  })
  assert.deepEqual((await directory.sync()).reported, [])
})

test('a run that fails while reading members has removed nobody', async () => {
  await using directory = await withPress(userMember('ann'))
  await directory.sync()
  directory.workspace.members.set('press', [])
  directory.workspace.addGroup(team('sales'))
  directory.workspace.onCall = failing('unavailable', ({ name, id }) => name === 'listMembers' && id === 'sales')
  assert.deepEqual(await directory.syncFails({ kind: 'unavailable' }), ['group.created sales'])
  assert.deepEqual(await directory.members('press'), ['ann'])
})

test('removals are collected by group up to a maximum', () => {
  const removals = createRemovals(2)
  assert.deepEqual(
    ['ann', 'bob', 'cat'].map((id) => removals.add('press', id, false)),
    [true, true, false],
  )
  assert.deepEqual([...removals.groups], [['press', { userIds: ['ann', 'bob'], hasEveryone: false }]])
})
