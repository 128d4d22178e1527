import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultRemovalLimit } from '../../../src/directory/removal-limit.ts'
import type { IndexedUser } from '../../../src/directory/user.ts'
import { compiledMapping, leftToRun } from '../../../src/mapping/compiled.ts'
import { parseMappingInEffect } from '../../../src/mapping/parse.ts'
import { toJsonText } from '../../../src/scim/json-text.ts'
import { identifyEvent } from '../../../src/store/events.ts'
import type { Decision } from '../../../src/store/write/batch.ts'
import { createUsers } from '../../../src/store/write/create-users.ts'
import { deleteUsers } from '../../../src/store/write/delete-users.ts'
import { rolesOfUsers, shortagesAfter } from '../../../src/store/write/effects/roles.ts'
import { noFacts } from '../../../src/store/write/facts.ts'
import { replaceUsers } from '../../../src/store/write/replace-users.ts'
import { cause, changedUser, someDirectory, someUser, userEvent } from '../../contract/store/samples.ts'

const mapping = compiledMapping(
  parseMappingInEffect({
    roles: { rules: [{ role: 'admin', when: { filter: 'title eq "CTO"' } }], keep_at_least: { admin: 1 } },
  }),
)
const directory = { ...someDirectory(), removalLimit: defaultRemovalLimit, effects: [rolesOfUsers(mapping)] }
const imported = { ...directory, effects: [rolesOfUsers(leftToRun)] }
const state = {
  ...{ lastSequence: 10, discardedEvents: 5, activeUsers: 3, memberships: 2 },
  ...{ heldFrom: undefined, hasChanged: true },
}
const chief = someUser({ userName: 'ann', title: 'CTO' })
const demoted = changedUser(chief, { title: 'Engineer' })
const mapped = toJsonText({ roles: ['admin'], attributes: {} })
const decided = { ...noFacts, state, users: new Map([[chief.id, { version: 1, position: 7, mapped, groups: [] }]]) }
const received = (type: 'user.created' | 'user.updated' | 'user.deleted', user: IndexedUser) => ({
  ...{ event: identifyEvent(userEvent(type, user), cause), receivedAt: cause.at },
})
const replacement = { before: chief, after: demoted, ...received('user.updated', demoted) }

function rowsOf({ writes }: Pick<Decision<unknown>, 'writes'>, name: string) {
  return [...writes.tables.values()].flatMap(({ table, kind, rows }) => (`${kind} ${table.name}` === name ? rows : []))
}

test('a new user gets its roles, and shows them in its event', () => {
  const decision = createUsers(directory, [{ user: chief, ...received('user.created', chief) }]).decide(noFacts)
  assert.deepEqual(rowsOf(decision, 'insert users')[0]?.['mapped'], mapped)
  assert.deepEqual(
    rowsOf(decision, 'keep user_roles').map(({ role }) => role),
    ['admin'],
  )
  const [event] = rowsOf(decision, 'insert events')
  assert.deepEqual(JSON.parse(String(event?.['data'])).roles, ['admin'])
})

test('a changed user loses a role, its event says so, and too few users with the role begin a hold', () => {
  const batch = replaceUsers(directory, [replacement])
  assert.deepEqual(
    [batch.request.withGroups, Object.keys(batch.request.reads ?? {})],
    [true, ['roleCounts']],
    'its groups are read, and the users who have the roles that some must keep',
  )
  const decision = batch.decide({ ...decided, rows: { roleCounts: [{ role: 'admin', users: 1 }] } })
  assert.deepEqual(rowsOf(decision, 'remove user_roles'), [{ role: 'admin', position: 7 }])
  const [event] = rowsOf(decision, 'insert events')
  assert.deepEqual(JSON.parse(String(event?.['changes'])).roles.to, [])
  assert.ok(decision.writes.statements.some(({ text }) => text.includes('insert into holds')))
})

test('a deleted user loses its roles', () => {
  const decision = deleteUsers(directory, [{ user: chief, ...received('user.deleted', chief) }]).decide(decided)
  assert.deepEqual(rowsOf(decision, 'remove user_roles'), [{ role: 'admin', position: 7 }])
})

test('users keep during an import what is stored, and lose it when they are deleted', () => {
  const replaced = replaceUsers(imported, [replacement]).decide(decided)
  assert.equal('mapped' in (rowsOf(replaced, 'update users')[0] ?? {}), false)
  assert.deepEqual(rowsOf(replaced, 'remove user_roles'), [])
  const deleted = deleteUsers(imported, [{ user: chief, ...received('user.deleted', chief) }]).decide(decided)
  assert.deepEqual(rowsOf(deleted, 'remove user_roles'), [{ role: 'admin', position: 7 }])
})

test('only as many users are changed in one commit as can be evaluated in it', () => {
  const changes = Array.from({ length: mapping.usersAtOnce + 1 }, () => ({ before: undefined, after: chief }))
  const { usersAtOnce } = rolesOfUsers(mapping)
  assert.equal(usersAtOnce(changes), mapping.usersAtOnce)
  assert.equal(usersAtOnce(changes.slice(0, 1)), 1)
})

for (const { what, counted, changes, shortages } of [
  { what: 'enough users keep the role', counted: 2, changes: ['lost'], shortages: [] },
  { what: 'the last user loses the role', counted: 1, changes: ['lost'], shortages: [1] },
  { what: 'another user gets it in the same commit', counted: 1, changes: ['lost', 'gained'], shortages: [] },
  { what: 'nobody loses it', counted: 0, changes: [], shortages: [] },
]) {
  test(`${shortages.length === 0 ? 'no' : 'a'} shortage begins when ${what}`, () => {
    const roles = (change: string, kind: string) => (change === kind ? ['admin'] : [])
    const made = changes.map((change, index) => ({
      ...{ n: index + 1, gained: roles(change, 'gained'), lost: roles(change, 'lost') },
    }))
    const found = shortagesAfter(new Map([['admin', 1]]), new Map([['admin', counted]]), made)
    assert.deepEqual(
      found.map(({ n }) => n),
      shortages,
    )
  })
}
