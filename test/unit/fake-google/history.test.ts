import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkspaceModel } from '../../../tools/fake-google/model/workspace-model.ts'
import { emptyWorkspace } from './empty-workspace.ts'
import { generatePlain } from './generate.ts'
import { changeKinds, makeChanges, nextChange } from './history.ts'
import { seededRandom } from './random.ts'

function peopled(): WorkspaceModel {
  const model = emptyWorkspace()
  generatePlain(model, { seed: 1, users: 12, groups: 4, memberships: 16 })
  return model
}

const kindOf = (line: string) => line.slice(0, line.indexOf(':'))

test('the same seed generates the same history', () => {
  const [one, same] = [makeChanges(peopled(), seededRandom(5), 200), makeChanges(peopled(), seededRandom(5), 200)]
  assert.deepEqual(one, same)
})

test('every kind of change happens within 1,500 changes', () => {
  const happened = new Set(makeChanges(peopled(), seededRandom(1), 1500).map(kindOf))
  const never = changeKinds.map(({ name }) => name).filter((name) => !happened.has(name))
  assert.deepEqual(never, [])
})

test('after any history, each address has one owner', () => {
  const [model, random] = [peopled(), seededRandom(11)]
  for (let n = 0; n < 500; n += 1) nextChange(model, random)
  const items = [
    ...model.users().map(({ primaryEmail, ...rest }) => ({ ...rest, email: primaryEmail })),
    ...model.groups(),
  ]
  const wrong = items.filter(({ id, email, aliases }) => [email, ...aliases].some((each) => model.ownerOf(each) !== id))
  assert.deepEqual(wrong, [])
})
