import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultRemovalLimit, unlimited } from '../../../src/directory/removal-limit.ts'
import { compiledMapping } from '../../../src/mapping/compiled.ts'
import { parseMappingInEffect } from '../../../src/mapping/parse.ts'
import { toJsonText } from '../../../src/scim/json-text.ts'
import { identifyEvent } from '../../../src/store/events.ts'
import { createUserPages } from '../../../src/store/reads/user-pages.ts'
import { dialect } from '../../../src/store/sqlite/sql-database.ts'
import type { Stage } from '../../../src/store/write/batch.ts'
import { deleteGroups } from '../../../src/store/write/delete-groups.ts'
import { deleteUsers } from '../../../src/store/write/delete-users.ts'
import type { Leaving } from '../../../src/store/write/deletions.ts'
import { rolesOfMembers } from '../../../src/store/write/effects/evaluations.ts'
import type { Facts } from '../../../src/store/write/facts.ts'
import { maxLeaving, noFacts } from '../../../src/store/write/facts.ts'
import type { Writes } from '../../../src/store/write/writes.ts'
import {
  cause,
  groupEvent,
  someDirectory,
  someGroup,
  someUser,
  userEvent,
  userRow,
} from '../../contract/store/samples.ts'

const directory = { ...someDirectory(), removalLimit: defaultRemovalLimit }
const state = {
  lastSequence: 10,
  discardedEvents: 5,
  activeUsers: 3,
  memberships: 40,
  heldFrom: undefined,
  hasChanged: true,
}

const ann = someUser({ userName: 'ann' })
const [staff, sales, all] = ['Staff', 'Sales', 'All'].map((displayName) => someGroup({ displayName })) as [
  ReturnType<typeof someGroup>,
  ReturnType<typeof someGroup>,
  ReturnType<typeof someGroup>,
]

const stored = {
  ...{ ...noFacts, state },
  users: new Map([[ann.id, { version: 1, position: 7, mapped: undefined, groups: [] }]]),
  groupStates: new Map([
    [staff.id, { version: 1, position: 20, members: 3 }],
    [sales.id, { version: 1, position: 21, members: 0 }],
  ]),
}

const membership = (groupId: string, memberId: string) => ({ groupId, memberId, position: 9, groupVersion: 4 })
const memberships = (memberId: string, count: number) =>
  Array.from({ length: count }, (_, index) => membership(`group-${index}`, memberId))

function deletionOf(group: typeof staff, requestId = cause.requestId) {
  return { group, event: identifyEvent(groupEvent('group.deleted', group), { ...cause, requestId }) }
}

/** Decides the stages of a batch, each on its facts; returns what each writes, and the result. */
function decide<T>(stage: Stage<T>, ...facts: readonly Facts[]) {
  const [first, ...further] = facts
  assert.ok(first, 'there are facts for each stage')
  const decision = stage.decide(first)
  if ('answer' in decision) return { stages: [decision.writes], answer: decision.answer(10) }
  const rest: { readonly stages: readonly Writes[]; readonly answer: T } = decide(decision.next, ...further)
  return { stages: [decision.writes, ...rest.stages], answer: rest.answer }
}

function tablesOf({ tables }: Writes): string[] {
  return [...tables.values()].map(({ table, kind }) => `${kind} ${table.name}`).sort()
}

function rowsOf({ tables }: Writes, name: string) {
  return [...tables.values()].filter(({ table, kind }) => `${kind} ${table.name}` === name).flatMap(({ rows }) => rows)
}

function writesOf(groups: readonly (typeof staff)[], given: Partial<Facts> = {}): Writes {
  const deletions = groups.map((group) => deletionOf(group))
  return decide(deleteGroups(directory, deletions), { ...stored, ...given }).stages[0] ?? assert.fail()
}

test('a deleted group takes its members, counts and terms with it', () => {
  const writes = writesOf([staff])
  assert.deepEqual(tablesOf(writes), [
    'add event_volumes',
    'insert events',
    'remove groups',
    'remove list_counts',
    'remove members',
    'remove search_terms',
    'subtract list_counts',
  ])
  assert.deepEqual(rowsOf(writes, 'remove members'), [{ group_id: staff.id }])
  assert.deepEqual(rowsOf(writes, 'remove list_counts'), [{ list_name: staff.id }])
  assert.deepEqual(rowsOf(writes, 'subtract list_counts'), [{ list_name: 'groups', bucket: 0, resources: 1 }])
  assert.deepEqual([writes.state.memberships, writes.state.events], [-3, 1])
})

test('a group leaves the groups that contain it, of which each gets a new version', () => {
  const writes = writesOf([staff], { leaving: [membership(all.id, staff.id)] })
  assert.deepEqual(rowsOf(writes, 'update groups'), [{ id: all.id, version: 5, updated_at: cause.at }])
  assert.ok(rowsOf(writes, 'remove members').some((row) => row['group_id'] === all.id))
  assert.equal(writes.state.memberships, -4)
})

test('a group that is deleted with a group in it gets no new version', () => {
  const writes = writesOf([staff, sales], { leaving: [membership(staff.id, sales.id)] })
  assert.deepEqual(rowsOf(writes, 'update groups'), [])
  assert.deepEqual(rowsOf(writes, 'remove members'), [{ group_id: staff.id }, { group_id: sales.id }])
  assert.equal(writes.state.memberships, -3)
})

test('of several deletions of one group the first is made, at the stored version only', () => {
  const deletions = [{ ...staff, version: 2 }, staff, staff].map((group) => deletionOf(group))
  const { answer } = decide(deleteGroups(directory, deletions), stored)
  assert.deepEqual(
    answer.map((outcome) => (typeof outcome === 'object' ? outcome.events.map(({ sequence }) => sequence) : outcome)),
    ['version-mismatch', [11], 'version-mismatch'],
  )
})

test('the members of a deleted group count as removed', () => {
  const limited = { ...directory, removalLimit: { ...unlimited, percent: 0 } }
  const { stages } = decide(deleteGroups(limited, [deletionOf(staff)]), stored)
  assert.ok(stages[0]?.statements.some(({ text }) => text.includes('insert into holds')))
})

test('the members of a deleted group that a mapping names are evaluated after it', () => {
  const rules = [{ role: 'admin', when: { group_name: 'Staff' } }]
  const compiled = compiledMapping(parseMappingInEffect({ roles: { rules } }))
  const groups = [deletionOf(staff, 'request-7'), deletionOf(sales, 'request-8')]
  const effects = [rolesOfMembers(compiled, { pages: createUserPages(dialect), onRun: () => assert.fail() })]
  const batch = deleteGroups({ ...directory, effects }, groups)
  assert.deepEqual(
    Object.values(batch.request.reads ?? {}).map(({ values }) => values.slice(1)),
    [[], [staff.id, compiled.usersAtOnce + 1]],
    'beside the counted removals, the members of the group are read',
  )
  const before = userRow(ann, { sequence: 7, mapped: toJsonText({ roles: ['admin'], attributes: {} }), users: 1 })
  const { stages, answer } = decide(
    batch,
    { ...stored, rows: { [`members of ${staff.id}`]: [{ member_id: ann.id }] } },
    { ...noFacts, state: { ...state, lastSequence: 12 }, rows: { users: [before] } },
  )
  assert.deepEqual(rowsOf(stages[1] ?? assert.fail(), 'remove user_roles'), [{ role: 'admin', position: 7 }])
  assert.deepEqual(
    answer.map((outcome) => typeof outcome === 'object' && outcome.events.map(({ sequence }) => sequence)),
    [[11, 13], [12]],
  )
})

for (const { what, batchOf, id } of [
  {
    what: 'user',
    id: ann.id,
    batchOf: (leaving?: Leaving) => {
      const event = identifyEvent(userEvent('user.deleted', ann), cause)
      return deleteUsers(directory, [{ user: ann, event, receivedAt: cause.at }], leaving)
    },
  },
  {
    what: 'group',
    id: staff.id,
    batchOf: (leaving?: Leaving) => deleteGroups(directory, [deletionOf(staff)], leaving),
  },
]) {
  const many = { ...stored, leaving: memberships(id, maxLeaving + 1) }

  test(`a ${what} in too many groups is left out`, () => {
    const { stages, answer } = decide(batchOf(), many)
    assert.deepEqual([answer, stages.map(({ tables }) => tables.size)], [[undefined], [0]])
  })

  test(`a ${what} in many groups leaves them in stages, until it is in none`, () => {
    const { stages, answer } = decide(
      batchOf('in-stages'),
      many,
      { ...noFacts, state, leaving: memberships(id, maxLeaving + 1) },
      { ...noFacts, state, leaving: memberships(id, 5) },
    )
    assert.deepEqual(
      stages.map((writes) => rowsOf(writes, 'update groups').length),
      [maxLeaving + 1, maxLeaving + 1, 5],
    )
    assert.deepEqual(
      stages.slice(1).map(({ state: change }) => [change.events, change.memberships]),
      [
        [0, -maxLeaving - 1],
        [0, -5],
      ],
    )
    assert.equal(typeof answer[0], 'object')
  })

  test(`the memberships and members of a ${what} may be left to the caller`, () => {
    const batch = batchOf('later')
    assert.deepEqual(batch.request.leaving, [])
    const [writes] = decide(batch, stored).stages
    assert.ok(writes)
    assert.deepEqual(rowsOf(writes, 'remove members'), [])
  })
}
