import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultRemovalLimit } from '../../../src/directory/removal-limit.ts'
import { groupCreation, groupReplacement, memberChange } from '../../../src/store/group-changes.ts'
import { changeGroups } from '../../../src/store/write/change-groups.ts'
import type { GroupFacts } from '../../../src/store/write/facts.ts'
import { membershipKey, noFacts } from '../../../src/store/write/facts.ts'
import {
  cause,
  changedGroup,
  delta,
  groupEvent,
  someDirectory,
  someGroup,
  someUser,
} from '../../contract/store/samples.ts'

const directory = { ...someDirectory({ uniqueGroupNames: true }), removalLimit: defaultRemovalLimit }
const state = {
  ...{ lastSequence: 10, discardedEvents: 5, activeUsers: 3, memberships: 2 },
  ...{ heldFrom: undefined, hasChanged: true },
}

const ann = someUser({ userName: 'ann' })
const staff = someGroup({ displayName: 'Staff' })

function facts(given: Partial<GroupFacts> = {}) {
  const groups: GroupFacts = {
    groups: new Map([[staff.id, staff]]),
    positions: new Map([[staff.id, 4]]),
    present: new Map(),
    users: new Map([[ann.id, ann]]),
    groupIds: new Set([staff.id]),
    holders: new Map(),
    removed: new Map(),
    ...given,
  }
  return { ...noFacts, state, groups }
}

function decide(change: Parameters<typeof changeGroups>[1][number], given?: Partial<GroupFacts>) {
  const { writes } = changeGroups(directory, [change]).decide(facts(given))
  const rowsOf = (name: string) =>
    [...writes.tables.values()].filter(({ table }) => table.name === name).flatMap(({ rows }) => rows)
  const tables = [...writes.tables.values()].map(({ table, kind }) => `${kind} ${table.name}`).sort()
  return { writes, tables, rowsOf }
}

const membership = { group_id: staff.id, member_id: ann.id }

test('a user who joins a group writes the membership, its count, an event and the version of the group', () => {
  const { tables, rowsOf, writes } = decide(memberChange(staff.id, delta([ann]), undefined, cause))
  assert.deepEqual(tables, ['add event_volumes', 'add list_counts', 'insert events', 'insert members', 'update groups'])
  assert.deepEqual(rowsOf('members'), [{ ...membership, member_type: 'User', sequence: 16 }])
  assert.deepEqual(rowsOf('groups'), [{ id: staff.id, version: 2, updated_at: cause.at }])
  assert.equal(writes.state.memberships, 1)
})

test('a user who leaves a group is kept as removed', () => {
  const present = new Map([[staff.id, new Map([[ann.id, { memberType: 'User' as const, sequence: 9 }]])]])
  const { rowsOf, writes } = decide(memberChange(staff.id, delta([], [ann]), undefined, cause), { present })
  assert.deepEqual(rowsOf('members'), [membership])
  assert.deepEqual(rowsOf('list_counts'), [{ list_name: staff.id, bucket: 0, resources: 1 }])
  assert.deepEqual(rowsOf('removed_memberships'), [{ ...membership, row_position: 16 }])
  assert.equal(writes.state.memberships, -1)
})

test('a user who joins a group again is no longer kept as removed', () => {
  const ended = { groupId: staff.id, memberId: ann.id, position: 12 }
  const removed = new Map([[membershipKey(staff.id, ann.id), ended]])
  const { tables } = decide(memberChange(staff.id, delta([ann]), undefined, cause), { removed })
  assert.ok(tables.includes('remove removed_memberships'))
})

test('a member who is there already changes nothing', () => {
  const present = new Map([[staff.id, new Map([[ann.id, { memberType: 'User' as const, sequence: 9 }]])]])
  const { tables, writes } = decide(memberChange(staff.id, delta([ann]), undefined, cause), { present })
  assert.deepEqual([tables, writes.state.events], [[], 0])
})

test('a new group with a member writes its terms and counts', () => {
  const sales = someGroup({ displayName: 'Sales' })
  const created = groupCreation(sales, delta([ann]), groupEvent('group.created', sales), cause)
  const { tables, rowsOf } = decide(created, { groups: new Map() })
  assert.deepEqual(tables, [
    'add event_volumes',
    'add list_counts',
    'insert events',
    'insert groups',
    'insert members',
    'insert search_terms',
  ])
  assert.deepEqual(new Set(rowsOf('list_counts').map((row) => row['list_name'])), new Set(['groups', sales.id]))
})

test('a group that keeps its name writes no terms', () => {
  const after = changedGroup(staff, { description: 'All of us' })
  const change = groupReplacement(staff, after, delta([]), groupEvent('group.updated', after), cause)
  assert.deepEqual(decide(change).tables, ['add event_volumes', 'insert events', 'update groups'])
})

test('a name that another group has is refused where names are unique', () => {
  const sales = someGroup({ displayName: 'STAFF' })
  const change = groupCreation(sales, delta([]), groupEvent('group.created', sales), cause)
  const decision = changeGroups(directory, [change]).decide(
    facts({ holders: new Map([['staff', new Set([staff.id])]]) }),
  )
  assert.deepEqual(
    [decision.writes.tables.size, 'answer' in decision && decision.answer(10)],
    [0, ['group-name-taken']],
  )
})
