import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GoogleMember } from '../../../../src/google/client/items.ts'
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

test('who joins is added, who leaves is removed, the others are not told of', async () => {
  await using directory = await withPress(userMember('ann'), userMember('bob'))
  await directory.sync()
  directory.workspace.members.set('press', [userMember('bob'), userMember('cat')])
  const { told, progress } = await directory.sync()
  assert.deepEqual(told, ['group.user_added press cat', 'group.user_removed press ann'])
  assert.deepEqual([progress.membersAdded, progress.membersRemoved], [1, 1])
})

test('a group that stays as it is costs no write', async () => {
  await using directory = await withPress(userMember('ann'), groupMember('interns'), everyone, userMember('stranger'))
  directory.workspace.addGroup(team('interns'), userMember('bob'))
  await directory.sync()
  const { told, writes } = await directory.sync()
  assert.deepEqual({ told, writes }, { told: [], writes: 0 })
})

test('more members than one change takes are all added, and all removed', async () => {
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

test('the users of nested groups are members, however deep, and each once', async () => {
  await using directory = await withPress(groupMember('writers'), userMember('ann'))
  directory.workspace.addGroup(team('writers'), groupMember('interns'), userMember('ann'), userMember('bob'))
  directory.workspace.addGroup(team('interns'), userMember('cat'))
  await directory.sync()
  assert.deepEqual(await directory.members('press'), ['ann', 'bob', 'cat'])
  assert.deepEqual(await directory.members('writers'), ['ann', 'bob', 'cat'])
})

test('groups that are within each other have the users of all of them', async () => {
  await using directory = await withPress(groupMember('writers'), userMember('ann'))
  directory.workspace.addGroup(team('writers'), groupMember('press'), groupMember('writers'), userMember('bob'))
  await directory.sync()
  assert.deepEqual(await directory.members('press'), ['ann', 'bob'])
  assert.deepEqual(await directory.members('writers'), ['ann', 'bob'])
})

test('a nested group of another domain gives its users to the outer one and is no group here', async () => {
  await using directory = await openSync('acme.example')
  directory.workspace.addUsers(person('ann'))
  directory.workspace.addGroup(team('press'), groupMember('others'))
  directory.workspace.addGroup(team('others', { email: 'others@other.example' }), userMember('ann'))
  await directory.sync()
  assert.deepEqual(await directory.members('press'), ['ann'])
  assert.deepEqual(await directory.groupIds(), ['press'])
})

test('a nested group that is in many is asked for once', async () => {
  await using directory = await openSync()
  const { workspace } = directory
  workspace.addUsers(person('ann'))
  for (const id of ids('team', 9)) workspace.addGroup(team(id), groupMember('outside'))
  workspace.members.set('outside', [userMember('ann')])
  await directory.sync()
  assert.equal(workspace.callsOf('listMembers', 'outside').length, 1)
  assert.deepEqual(await directory.members('team9'), ['ann'])
})

test('everyone of the customer are all active users', async () => {
  await using directory = await withPress(everyone)
  directory.workspace.addUsers(person('dan', { suspended: true }))
  await directory.sync()
  assert.deepEqual(await directory.members('press'), ['ann', 'bob', 'cat'])
})

test('who becomes inactive leaves a group of everyone, whatever Google says of members', async () => {
  await using directory = await withPress(everyone)
  await directory.sync()
  directory.workspace.addUsers(person('dan', { suspended: true }))
  assert.deepEqual((await directory.sync()).told, ['user.updated dan', 'group.user_removed press dan'])
})

test('people of another organisation are left out, counted, and never written', async () => {
  await using directory = await withPress(userMember('ann'), userMember('stranger'), { id: 'other', kind: 'other' })
  await directory.sync()
  const { progress, writes } = await directory.sync()
  assert.deepEqual(await directory.members('press'), ['ann'])
  assert.deepEqual([progress.skipped, writes], [2, 0])
})

test('a group that is gone when its members are asked for stays as it is for the next run', async () => {
  await using directory = await withPress(userMember('ann'))
  await directory.sync()
  directory.workspace.members.delete('press')
  const { told, state, note } = await directory.sync()
  assert.deepEqual({ told, state, note }, { told: [], state: 'completed', note: undefined })
  assert.deepEqual(await directory.members('press'), ['ann'])
})

test('a group that may not be read keeps its members, and the run says so', async () => {
  await using directory = await withPress(userMember('ann'))
  await directory.sync()
  directory.workspace.members.set('press', [])
  directory.workspace.onCall = failing('forbidden', ({ name, id }) => name === 'listMembers' && id === 'press')
  const { told, progress, note } = await directory.sync()
  assert.deepEqual({ told, skipped: progress.skipped }, { told: [], skipped: 1 })
  assert.match(String(note), /could not be read completely.*: 1\./)
})

for (const kind of ['forbidden', 'not-found'] as const) {
  test(`a nested group that is ${kind} adds nobody, and its users stay; who joins or leaves the outer group does`, async () => {
    await using directory = await withPress(userMember('ann'), groupMember('partners'))
    directory.workspace.members.set('partners', [userMember('bob')])
    await directory.sync()
    directory.workspace.members.set('press', [userMember('cat'), groupMember('partners')])
    directory.workspace.onCall = failing(kind, ({ id }) => id === 'partners')
    const { told, note } = await directory.sync()
    assert.deepEqual(told, ['group.user_added press cat', 'group.user_removed press ann'])
    assert.match(String(note), /could not be read completely/)
  })
}

test('a member whom the list misses stays: Google is asked about that one', async () => {
  await using directory = await withPress(userMember('ann'), userMember('bob'))
  await directory.sync()
  directory.workspace.missed.add('press/ann')
  assert.deepEqual((await directory.sync()).told, [])
  assert.deepEqual(await directory.members('press'), ['ann', 'bob'])
})

test('where Google does not say whether somebody is a member, the group is read once more', async () => {
  await using directory = await withPress(userMember('ann'), userMember('bob'))
  const { workspace } = directory
  await directory.sync()
  workspace.members.set('press', [userMember('ann')])
  workspace.silent.add('press')
  workspace.calls.splice(0)
  assert.deepEqual((await directory.sync()).told, ['group.user_removed press bob'])
  assert.equal(workspace.callsOf('listMembers', 'press').length, 2)
})

test('a member whom only the second reading shows stays', async () => {
  await using directory = await withPress(userMember('ann'), userMember('bob'))
  const { workspace } = directory
  await directory.sync()
  workspace.silent.add('press')
  workspace.missed.add('press/bob')
  workspace.onCall = ({ name }) => {
    if (name === 'hasMember') workspace.missed.clear()
  }
  assert.deepEqual((await directory.sync()).told, [])
})

test('nobody is removed when the second reading is not whole', async () => {
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
  assert.deepEqual((await directory.sync()).told, [])
})

test('a run that fails among the members has removed nobody', async () => {
  await using directory = await withPress(userMember('ann'))
  await directory.sync()
  directory.workspace.members.set('press', [])
  directory.workspace.addGroup(team('sales'))
  directory.workspace.onCall = failing('unavailable', ({ name, id }) => name === 'listMembers' && id === 'sales')
  assert.deepEqual(await directory.syncFails({ kind: 'unavailable' }), ['group.created sales'])
  assert.deepEqual(await directory.members('press'), ['ann'])
})
