import assert from 'node:assert/strict'
import { test } from 'node:test'
import { person, reportTo } from './support/people.ts'
import type { SyncedDirectory } from './support/sync.ts'
import { openSync } from './support/sync.ts'
import { failing } from './support/workspace.ts'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

async function managerOf(directory: SyncedDirectory, id: string): Promise<unknown> {
  const { [enterprise]: extension } = await directory.raw(id)
  return (extension as { manager?: unknown } | undefined)?.manager
}

test('a manager is found by email address anywhere in the list', async () => {
  await using directory = await openSync()
  directory.workspace.addUsers(reportTo('ann', 'Zoe@acme.example'), person('bob'), person('cat'), person('zoe'))
  await directory.sync()
  assert.deepEqual(await managerOf(directory, 'ann'), { value: 'zoe' })
})

test('a manager is found by an alias', async () => {
  await using directory = await openSync()
  const zoe = person('zoe', { emails: [{ address: 'boss@acme.example', type: undefined, isPrimary: false }] })
  directory.workspace.addUsers(reportTo('ann', 'boss@acme.example'), zoe)
  await directory.sync()
  assert.deepEqual(await managerOf(directory, 'ann'), { value: 'zoe' })
})

test('a primary address takes precedence over an alias', async () => {
  await using directory = await openSync()
  const alias = person('old', { emails: [{ address: 'boss@acme.example', type: undefined, isPrimary: false }] })
  directory.workspace.addUsers(alias, person('boss'), reportTo('ann', 'boss@acme.example'))
  await directory.sync()
  assert.deepEqual(await managerOf(directory, 'ann'), { value: 'boss' })
})

test('an unchanged manager costs no write', async () => {
  await using directory = await openSync()
  directory.workspace.addUsers(
    reportTo('ann', 'zoe@acme.example'),
    reportTo('bob', 'nobody@acme.example'),
    person('zoe'),
  )
  await directory.sync()
  const { reported, writes } = await directory.sync()
  assert.deepEqual({ reported, writes }, { reported: [], writes: 0 })
})

test('other changes of a user keep the manager', async () => {
  await using directory = await openSync()
  directory.workspace.addUsers(reportTo('ann', 'zoe@acme.example'), person('zoe'))
  await directory.sync()
  directory.workspace.addUsers({ ...reportTo('ann', 'zoe@acme.example'), suspended: true })
  assert.deepEqual((await directory.sync()).reported, ['user.updated ann'])
  assert.deepEqual(await managerOf(directory, 'ann'), { value: 'zoe' })
})

test('an unknown address leads to no manager', async () => {
  await using directory = await openSync()
  directory.workspace.addUsers(reportTo('ann', 'nobody@acme.example'))
  await directory.sync()
  assert.equal(await managerOf(directory, 'ann'), undefined)
})

test('a deleted manager is removed from the users in the same run', async () => {
  await using directory = await openSync()
  directory.workspace.addUsers(reportTo('ann', 'zoe@acme.example'), person('zoe'))
  await directory.sync()
  directory.workspace.users.delete('zoe')
  assert.deepEqual((await directory.sync()).reported, ['user.deleted zoe', 'user.updated ann'])
  assert.equal(await managerOf(directory, 'ann'), undefined)
})

test('when an address is reassigned to another user, that user becomes the manager', async () => {
  await using directory = await openSync()
  const { workspace } = directory
  workspace.addUsers(reportTo('ann', 'boss@acme.example'), person('zoe', { primaryEmail: 'boss@acme.example' }))
  await directory.sync()
  workspace.addUsers(person('zoe'), person('yan', { primaryEmail: 'boss@acme.example' }))
  await directory.sync()
  assert.deepEqual(await managerOf(directory, 'ann'), { value: 'yan' })
})

test('managers left unset by a failed run are set by the next one although no user has changed', async () => {
  await using directory = await openSync()
  directory.workspace.addUsers(reportTo('ann', 'zoe@acme.example'), person('zoe'))
  directory.workspace.onCall = failing('unavailable', ({ name }) => name === 'listGroups', 1)
  await directory.syncFails({ kind: 'unavailable' })
  assert.deepEqual((await directory.sync()).reported, ['user.updated ann'])
})
