import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyone, groupMember, ids, person, team, userMember } from './support/people.ts'
import type { ChosenScope, SyncedDirectory } from './support/sync.ts'
import { openSync } from './support/sync.ts'
import { failing } from './support/workspace.ts'

/** Ann and bob are in sales, bob and cat in support, dan in none; cat is in the unit /Press, dan in /Press/Photo. */
async function openCompany(scope: ChosenScope): Promise<SyncedDirectory> {
  const directory = await openSync(undefined, scope)
  const { workspace } = directory
  workspace.addUsers(person('ann'), person('bob'))
  workspace.addUsers(person('cat', { orgUnitPath: '/Press' }), person('dan', { orgUnitPath: '/Press/Photo' }))
  workspace.addGroup(team('sales'), userMember('ann'), userMember('bob'))
  workspace.addGroup(team('support'), userMember('bob'), userMember('cat'))
  return directory
}

const [sales, support] = ['sales@acme.example', 'support@acme.example']
const both = { extdir_groups: [sales, support] }

function leaves({ workspace }: SyncedDirectory, groupId: string, userId: string): void {
  const members = workspace.members.get(groupId) ?? []
  workspace.members.set(
    groupId,
    members.filter(({ id }) => id !== userId),
  )
}

test('only the chosen groups and their members are synced', async () => {
  await using directory = await openCompany({ extdir_groups: ['Sales@Acme.example'] })
  const { progress, state, note } = await directory.sync()
  assert.deepEqual([await directory.userIds(), await directory.groupIds()], [['ann', 'bob'], ['sales']])
  assert.deepEqual(await directory.members('sales'), ['ann', 'bob'])
  assert.deepEqual([state, note, progress.skipped], ['completed', undefined, 0])
  assert.equal(directory.workspace.callsOf('listGroups').length, 0)
  assert.equal((await directory.sync()).writes, 0)
})

test('a group may be chosen by its id, and twice', async () => {
  await using directory = await openCompany({ extdir_groups: ['sales', sales] })
  await directory.sync()
  assert.deepEqual([await directory.userIds(), await directory.groupIds()], [['ann', 'bob'], ['sales']])
})

test('members of nested groups are synced, but not the nested groups', async () => {
  await using directory = await openCompany({ extdir_groups: [sales] })
  const { workspace } = directory
  workspace.addGroup(team('sales'), groupMember('support'), groupMember('sales'))
  workspace.addGroup(team('support'), userMember('bob'), groupMember('press'))
  workspace.addGroup(team('press'), userMember('dan'), groupMember('sales'))
  await directory.sync()
  assert.deepEqual([await directory.members('sales'), await directory.groupIds()], [['bob', 'dan'], ['sales']])
  leaves(directory, 'press', 'dan')
  assert.deepEqual((await directory.sync()).reported, ['user.deleted dan'])
})

test('the users of the chosen units and of those below them are synced, without groups', async () => {
  await using directory = await openCompany({ extdir_org_units: ['/press/'] })
  directory.workspace.addUsers(person('eve', { orgUnitPath: '/Pressing' }))
  await directory.sync()
  assert.deepEqual([await directory.userIds(), await directory.groupIds()], [['cat', 'dan'], []])
})

test('groups and units add to each other', async () => {
  await using directory = await openCompany({ extdir_groups: [sales], extdir_org_units: ['/Press/Photo'] })
  await directory.sync()
  assert.deepEqual(await directory.userIds(), ['ann', 'bob', 'dan'])
})

test('the domain restricts the users of a chosen group, but not the group', async () => {
  await using directory = await openSync('other.example', { extdir_groups: [sales] })
  const { workspace } = directory
  workspace.addUsers(person('ann'), person('zoe', { primaryEmail: 'zoe@other.example' }))
  workspace.addGroup(team('sales'), userMember('ann'), userMember('zoe'))
  await directory.sync()
  assert.deepEqual([await directory.userIds(), await directory.members('sales')], [['zoe'], ['zoe']])
})

test('a chosen group that contains everyone includes all users', async () => {
  await using directory = await openCompany({ extdir_groups: [sales] })
  directory.workspace.addUsers(person('sue', { suspended: true }))
  directory.workspace.addGroup(team('sales'), everyone)
  await directory.sync()
  assert.deepEqual(await directory.userIds(), ['ann', 'bob', 'cat', 'dan', 'sue'])
})

test('a member of two chosen groups stays until it has left both', async () => {
  await using directory = await openCompany(both)
  await directory.sync()
  leaves(directory, 'sales', 'bob')
  assert.deepEqual((await directory.sync()).reported, ['group.user_removed sales bob'])
  leaves(directory, 'support', 'bob')
  assert.deepEqual((await directory.sync()).reported, ['user.deleted bob'])
})

test('a user who moves between chosen groups and units is never removed', async () => {
  await using directory = await openCompany({ ...both, extdir_org_units: ['/Press'] })
  await directory.sync()
  const { workspace } = directory
  leaves(directory, 'sales', 'ann')
  workspace.addUsers(person('ann', { orgUnitPath: '/Press/Photo' }))
  assert.deepEqual((await directory.sync()).reported.toSorted(), ['group.user_removed sales ann', 'user.updated ann'])
  workspace.addUsers(person('dan', { orgUnitPath: '/' }))
  workspace.members.get('support')?.push(userMember('dan'))
  assert.deepEqual((await directory.sync()).reported.toSorted(), ['group.user_added support dan', 'user.updated dan'])
})

test('a suspended member stays, and becomes inactive', async () => {
  await using directory = await openCompany({ extdir_groups: [sales] })
  await directory.sync()
  directory.workspace.addUsers(person('ann', { suspended: true }))
  assert.deepEqual((await directory.sync()).reported, ['user.updated ann'])
})

test('a member whom the first list of a group missed is not deleted', async () => {
  await using directory = await openCompany({ extdir_groups: [sales] })
  await directory.sync()
  const { workspace } = directory
  let lists = 0
  workspace.onCall = ({ name }) => {
    if (name !== 'listMembers') return
    lists += 1
    if (lists === 1) workspace.missed.add('sales/bob')
    else workspace.missed.delete('sales/bob')
  }
  assert.deepEqual((await directory.sync()).reported, [])
  assert.deepEqual(await directory.members('sales'), ['ann', 'bob'])
})

test('a member of a group that cannot be read is only deleted if Google says that it is not a member', async () => {
  await using directory = await openCompany({ extdir_groups: [sales] })
  const { workspace } = directory
  workspace.addGroup(team('sales'), groupMember('support'), userMember('ann'))
  await directory.sync()
  workspace.onCall = failing('forbidden', ({ name, id }) => name === 'listMembers' && id === 'support')
  workspace.silent.add('sales')
  assert.deepEqual((await directory.sync()).reported, [])
  workspace.silent.delete('sales')
  leaves(directory, 'support', 'bob')
  assert.deepEqual((await directory.sync()).reported, ['user.deleted bob'])
})

test('the rest is removed when a directory is narrowed, and returns when it is widened', async () => {
  await using directory = await openCompany({})
  await directory.sync()
  await directory.choose(both)
  assert.deepEqual((await directory.sync()).reported, ['user.deleted dan'])
  await directory.choose({ extdir_groups: null })
  assert.deepEqual((await directory.sync()).reported, ['user.created dan'])
})

/** A directory of 30 users that is narrowed to three of them. */
async function openNarrowed(): Promise<SyncedDirectory> {
  const directory = await openSync()
  const { workspace } = directory
  workspace.addUsers(...ids('user', 30).map((id) => person(id)))
  workspace.addGroup(team('sales'), ...ids('user', 3).map(userMember))
  workspace.addGroup(team('all'), ...ids('user', 30).map(userMember))
  await directory.sync()
  await directory.choose({ extdir_groups: [sales] })
  return directory
}

test('narrowing is held before anybody is removed, and accepted by approval', async () => {
  await using directory = await openNarrowed()
  const { state, progress, reported, runId } = await directory.sync()
  assert.deepEqual([state, progress.held, reported], ['held', 28, []])
  const approved = await directory.sync({ approved: runId })
  assert.deepEqual([approved.state, approved.progress.deleted], ['completed', 28])
  assert.deepEqual([await directory.userIds(), await directory.groupIds()], [ids('user', 3), ['sales']])
})

test('users whose removal is held are updated until then', async () => {
  await using directory = await openNarrowed()
  await directory.sync()
  directory.workspace.addUsers(person('user30', { suspended: true }))
  const { state, reported } = await directory.sync()
  assert.deepEqual([state, reported], ['held', ['user.updated user30']])
})

test('a held narrowing that is taken back removes nobody', async () => {
  await using directory = await openNarrowed()
  await directory.sync()
  await directory.choose({ extdir_groups: [] })
  const { state, reported } = await directory.sync()
  assert.deepEqual([state, reported], ['completed', []])
})

test('an address of a user whose removal is held may be given to somebody else', async () => {
  await using directory = await openNarrowed()
  await directory.sync()
  directory.workspace.addUsers(person('user30', { primaryEmail: 'former@acme.example' }))
  directory.workspace.addUsers(person('user3', { primaryEmail: 'user30@acme.example' }))
  const { state, reported } = await directory.sync()
  assert.deepEqual([state, reported.toSorted()], ['held', ['user.updated user3', 'user.updated user30']])
})

test('a chosen group that Google never had fails the run, which names it and changes nothing', async () => {
  await using directory = await openCompany({})
  await directory.sync()
  await directory.choose({ extdir_groups: [sales, 'typo@acme.example', 'typo'] })
  const reported = await directory.syncFails({
    kind: 'configuration',
    message: /no group typo@acme\.example, typo: correct extdir_groups/,
  })
  assert.deepEqual(reported, [])
})

test('a chosen group that the account may not read fails the run, which names it', async () => {
  await using directory = await openCompany({ extdir_groups: ['partners@other.example'] })
  directory.workspace.onCall = failing('forbidden', ({ name }) => name === 'getGroup')
  await directory.syncFails({ kind: 'configuration', message: /read the group partners@other\.example/ })
})

test('a chosen group that was deleted loses its members, and the run names it', async () => {
  await using directory = await openCompany(both)
  await directory.sync()
  directory.workspace.groups.delete('sales')
  directory.workspace.members.delete('sales')
  const { state, note, reported } = await directory.sync()
  assert.deepEqual([state, reported], ['completed', ['group.deleted sales', 'user.deleted ann']])
  assert.match(note ?? '', /no longer has the group sales@acme\.example/)
  assert.match((await directory.sync()).note ?? '', /no longer has the group sales@acme\.example/)
})

test('all members are held if the only chosen group was deleted', async () => {
  await using directory = await openCompany({ extdir_groups: [sales] })
  await directory.sync()
  directory.workspace.groups.delete('sales')
  directory.workspace.members.delete('sales')
  const { state, reported } = await directory.sync()
  assert.deepEqual([state, reported], ['held', []])
})

test('a group that was created again with the address of a deleted one takes its place', async () => {
  await using directory = await openCompany({ extdir_groups: [sales] })
  await directory.sync()
  const { workspace } = directory
  workspace.groups.delete('sales')
  workspace.members.delete('sales')
  workspace.addGroup(team('new', { email: sales }), userMember('ann'), userMember('bob'))
  const { note } = await directory.sync()
  assert.deepEqual([note, await directory.groupIds()], [undefined, ['new']])
})

test('a chosen group keeps its place when its address changes', async () => {
  await using directory = await openCompany({ extdir_groups: [sales] })
  await directory.sync()
  directory.workspace.groups.set('sales', team('sales', { email: 'turnover@acme.example' }))
  const { state, note, reported } = await directory.sync()
  assert.deepEqual([state, note, reported], ['completed', undefined, ['group.updated sales']])
})

test('a run ends when other groups are chosen meanwhile', async () => {
  await using directory = await openCompany({ extdir_groups: [sales] })
  const { workspace } = directory
  let chosen: Promise<void> | undefined
  workspace.onCall = ({ name }) => {
    if (name === 'listUsers') chosen ??= directory.choose({ extdir_groups: [support] })
  }
  await directory.syncFails(/groups or units to sync were changed/)
  await chosen
})
