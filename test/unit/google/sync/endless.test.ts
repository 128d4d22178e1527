import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Workspace } from '../../../../src/google/client/workspace.ts'
import { groupMember, person, team, userMember } from './support/people.ts'
import type { SyncedDirectory } from './support/sync.ts'
import { openSync } from './support/sync.ts'

const [ann, everybody] = [person('ann'), team('everybody')]

async function openTeam(): Promise<SyncedDirectory> {
  const directory = await openSync()
  directory.workspace.addUsers(ann)
  directory.workspace.addGroup(everybody, userMember(ann.id))
  await directory.sync()
  directory.workspace.calls.splice(0)
  return directory
}

/** A list whose pages never end: the next tokens alternate, or are always new. */
const endings = {
  'tokens that alternate': (number: number) => (number % 2 === 0 ? 'A' : 'B'),
  'tokens that are always new': (number: number) => `t${number}`,
}

for (const name of ['listUsers', 'listGroups', 'listMembers'] as const) {
  for (const [what, nextOf] of Object.entries(endings)) {
    test(`a run ends as failed, and deletes nothing, when ${name} never ends: ${what}`, async () => {
      await using directory = await openTeam()
      const { workspace } = directory
      let requests = 0
      const endless = async () => {
        requests += 1
        return { items: [], nextPageToken: nextOf(requests) }
      }
      Object.assign(workspace, { [name]: endless } satisfies Partial<Workspace>)
      await directory.syncFails({ name: 'GoogleFailure', kind: 'unavailable', message: /not end/ })
      assert.ok(requests <= 101, `${requests} requests`)
      assert.deepEqual(await directory.userIds(), [ann.id])
      assert.deepEqual(await directory.groupIds(), [everybody.id])
      assert.deepEqual(await directory.members(everybody.id), [ann.id])
    })
  }
}

test('a nested group whose list never ends fails the run as well', async () => {
  await using directory = await openTeam()
  const { workspace } = directory
  const nested = team('nested')
  workspace.addGroup(nested)
  workspace.members.set(everybody.id, [groupMember(nested.id)])
  const { listMembers } = workspace
  let requests = 0
  workspace.listMembers = async (id, token) => {
    if (id !== nested.id) return listMembers(id, token)
    requests += 1
    return { items: [userMember(`u${requests % 3}`)], nextPageToken: `t${requests}` }
  }
  await directory.syncFails({ kind: 'unavailable' })
  assert.ok(requests <= 2 * 110, `${requests} requests`)
})
