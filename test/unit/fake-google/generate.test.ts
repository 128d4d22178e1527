import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkspaceModel } from '../../../tools/fake-google/model/workspace-model.ts'
import { emptyWorkspace } from './empty-workspace.ts'
import { generatePlain, generateWorkspace } from './generate.ts'

const small = { users: 60, groups: 7, memberships: 100 }

/** The content of a Workspace. */
function contents(model: WorkspaceModel): unknown {
  return {
    users: model.users(),
    groups: model.groups().map((group) => ({ ...group, members: model.members(group.id) })),
  }
}

/** The number of direct members of each group. */
function sizesOf(model: WorkspaceModel): number[] {
  return model.groups().map(({ id }) => model.members(id).length)
}

function generated(seed: number): WorkspaceModel {
  const model = emptyWorkspace()
  generateWorkspace(model, { seed, ...small })
  return model
}

test('the same seed generates the same Workspace', () => {
  assert.deepEqual(contents(generated(7)), contents(generated(7)))
})

for (const { users, groups, memberships, because } of [
  { users: 3, groups: 5, memberships: 15, because: 'everyone is in every group' },
  { users: 3, groups: 5, memberships: 13, because: 'they do not go evenly into the groups' },
  { users: 10, groups: 1, memberships: 4, because: 'there is one group' },
  { users: 10, groups: 3, memberships: 0, because: 'nobody is in any group' },
  { users: 0, groups: 0, memberships: 0, because: 'there is nobody' },
]) {
  test(`the memberships add up where ${because}`, () => {
    const model = emptyWorkspace()
    generatePlain(model, { seed: 3, users, groups, memberships })
    const total = sizesOf(model).reduce((sum, size) => sum + size, 0)
    assert.equal(total, memberships)
  })
}
