import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ids, team } from './support/people.ts'
import { openSync } from './support/sync.ts'
import { failing } from './support/workspace.ts'

test("groups of all pages are created with Google's ids", async () => {
  await using directory = await openSync()
  for (const id of ids('team', 7)) directory.workspace.addGroup(team(id))
  const { progress } = await directory.sync()
  assert.deepEqual(await directory.groupIds(), ids('team', 7))
  assert.equal(progress.created, 7)
})

test('groups of the same name are two groups', async () => {
  await using directory = await openSync()
  directory.workspace.addGroup(team('one', { name: 'Press' }))
  directory.workspace.addGroup(team('two', { name: 'Press' }))
  await directory.sync()
  assert.deepEqual(await directory.groupIds(), ['one', 'two'])
})

test('a changed group is updated, and only that one', async () => {
  await using directory = await openSync()
  directory.workspace.addGroup(team('press'))
  directory.workspace.addGroup(team('sales'))
  await directory.sync()
  directory.workspace.groups.set('press', team('press', { description: 'Tells the world' }))
  const { reported, progress, writes } = await directory.sync()
  assert.deepEqual(
    { reported, updated: progress.updated, writes },
    { reported: ['group.updated press'], updated: 1, writes: 1 },
  )
})

test('groups of another domain are skipped and counted', async () => {
  await using directory = await openSync('acme.example')
  directory.workspace.addGroup(team('press'))
  directory.workspace.addGroup(team('others', { email: 'others@other.example' }))
  const { progress } = await directory.sync()
  assert.deepEqual(await directory.groupIds(), ['press'])
  assert.equal(progress.skipped, 1)
})

test('a list of groups whose page token expired is read again from the beginning', async () => {
  await using directory = await openSync()
  for (const id of ids('team', 7)) directory.workspace.addGroup(team(id))
  const isSecondPage = ({ name, pageToken }: { name: string; pageToken?: string | undefined }) =>
    name === 'listGroups' && pageToken === '3'
  directory.workspace.onCall = failing('stale-page', isSecondPage, 1)
  await directory.sync()
  assert.deepEqual(await directory.groupIds(), ids('team', 7))
})
