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

test('another seed generates another history', () => {
  const [one, other] = [makeChanges(peopled(), seededRandom(5), 20), makeChanges(peopled(), seededRandom(6), 20)]
  assert.notDeepEqual(one, other)
})

test('the same seed leads to the same Workspace', () => {
  const [one, same] = [peopled(), peopled()]
  for (const model of [one, same]) makeChanges(model, seededRandom(9), 200)
  assert.deepEqual([one.users(), one.groups()], [same.users(), same.groups()])
})

test('every kind of change happens within 1,500 changes', () => {
  const happened = new Set(makeChanges(peopled(), seededRandom(1), 1500).map(kindOf))
  const never = changeKinds.map(({ name }) => name).filter((name) => !happened.has(name))
  assert.deepEqual(never, [])
})

test('a history can start with an empty Workspace', () => {
  assert.equal(makeChanges(emptyWorkspace(), seededRandom(2), 50).length, 50)
})

test('each change is described in one line', () => {
  const lines = makeChanges(peopled(), seededRandom(3), 300)
  assert.deepEqual(
    lines.filter((line) => !/^[a-z ]+: .+$/.test(line)),
    [],
  )
})

test('kinds have unique names', () => {
  assert.equal(new Set(changeKinds.map(({ name }) => name)).size, changeKinds.length)
})

test('users who swap names keep their ids', () => {
  const [model, random] = [peopled(), seededRandom(4)]
  const before = model.users()
  swapKind().make(model, random)
  const moved = before.filter(({ id, primaryEmail }) => model.ownerOf(primaryEmail) !== id)
  assert.deepEqual([moved.length, model.users().length, addressesOf(model)], [2, before.length, addressesOf(peopled())])
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

function swapKind() {
  const kind = changeKinds.find(({ name }) => name === 'swap names')
  assert(kind)
  return kind
}

function addressesOf(model: WorkspaceModel): string[] {
  return model
    .users()
    .map(({ primaryEmail }) => primaryEmail)
    .sort()
}
