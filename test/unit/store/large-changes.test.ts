import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultRemovalLimit } from '../../../src/directory/removal-limit.ts'
import type { IndexedUser } from '../../../src/directory/user.ts'
import type { MemberChanges } from '../../../src/scim/patch/members.ts'
import { memberChange } from '../../../src/store/group-changes.ts'
import type { Facts, FactsRequest, PresentMember } from '../../../src/store/write/facts.ts'
import { noFacts } from '../../../src/store/write/facts.ts'
import { changeInSteps } from '../../../src/store/write/large-changes.ts'
import type { Writes } from '../../../src/store/write/writes.ts'
import {
  cause,
  committed,
  delta,
  replacedBy,
  someDirectory,
  someGroup,
  someUser,
} from '../../contract/store/samples.ts'

const directory = { ...someDirectory(), removalLimit: defaultRemovalLimit }
const group = someGroup({ displayName: 'Large' })
const nested = someGroup({ displayName: 'Nested' })
const users = Array.from({ length: 250 }, (_, n) => someUser({ userName: `user-${n}` }))

/** A directory whose events up to 300 are known, and in which nothing is written. */
function someStore(stored: readonly IndexedUser[], present: ReadonlyMap<string, PresentMember> = new Map()) {
  const state = {
    ...{ lastSequence: 300, discardedEvents: 0, activeUsers: stored.length, memberships: present.size },
    ...{ heldFrom: undefined, hasChanged: true },
  }
  const steps: { readonly rows: Writes; readonly lastSequence: number }[] = []
  const published: Writes[] = []
  const groups = new Map([group, nested].map((one) => [one.id, one]))
  const facts = ({ changes, groupStates = [] }: FactsRequest): Facts => ({
    ...noFacts,
    state,
    groupStates: new Map(
      groupStates.flatMap((id) => (groups.has(id) ? [[id, { version: 1, position: 1, members: 0 }]] : [])),
    ),
    groups: changes && {
      ...{ groups: new Map(groups), positions: new Map(), groupIds: new Set(groups.keys()) },
      ...{ present: new Map([[group.id, new Map(present)]]), users: new Map(stored.map((user) => [user.id, user])) },
      ...{ holders: new Map(), removed: new Map() },
    },
  })
  return {
    steps,
    published,
    store: {
      state,
      read: async (request: FactsRequest) => facts(request),
      membersAfter: async (id: string) =>
        new Map(id === '' ? [...present].map(([key, { memberType }]) => [key, memberType]) : []),
      userBytes: async (ids: readonly string[]) =>
        new Map(stored.flatMap(({ id, raw }) => (ids.includes(id) ? [[id, raw.length]] : []))),
      write: async (rows: Writes, { lastSequence }: { readonly lastSequence: number }) => {
        steps.push({ rows, lastSequence })
      },
      publish: async (writes: Writes) => {
        published.push(writes)
      },
    },
  }
}

function rowsOf(writes: Writes | undefined, name: string) {
  const tables = [...(writes?.tables.values() ?? [])]
  return tables.filter(({ table }) => table.name === name).flatMap(({ rows }) => rows)
}

const tablesOf = ({ tables }: Writes) => [...tables.values()].map(({ table, kind }) => `${kind} ${table.name}`).sort()

const change = (members: MemberChanges) => memberChange(group.id, members, undefined, cause)

const presentUsers = () =>
  new Map(users.map(({ id }, index) => [id, { memberType: 'User' as const, sequence: index + 1 }]))

test('users join in steps of their rows and events; what counts them is written when these are published', async () => {
  const { store, steps, published } = someStore(users)
  const outcome = committed(await changeInSteps(store, directory, change(delta(users))))
  assert.deepEqual(
    steps.map(({ rows, lastSequence }) => [lastSequence, ...tablesOf(rows)]),
    [300, 400, 500].map((lastSequence) => [lastSequence, 'insert events', 'insert members']),
  )
  assert.deepEqual(rowsOf(steps[2]?.rows, 'members').at(-1)?.['sequence'], 550)
  const [writes] = published
  assert.ok(writes)
  assert.deepEqual(tablesOf(writes), ['add event_volumes', 'add list_counts', 'update groups'])
  assert.deepEqual(
    rowsOf(writes, 'list_counts').map((row) => row['resources']),
    [250],
  )
  assert.deepEqual([writes.state.events, writes.state.memberships, outcome.lastSequence], [250, 250, 550])
})

test('users who leave are kept in each step, and counted as one removal, which begins a hold', async () => {
  const { store, steps, published } = someStore(users, presentUsers())
  committed(await changeInSteps(store, directory, change(replacedBy([]))))
  assert.deepEqual(
    steps.map(({ rows }) => rowsOf(rows, 'removed_memberships').length),
    [100, 100, 50],
  )
  const [writes] = published
  assert.ok(writes)
  assert.deepEqual(rowsOf(writes, 'removed_memberships'), [])
  assert.equal(writes.state.memberships, -250)
  const hold = writes.statements.find(({ text }) => text.includes('insert into holds')) ?? assert.fail()
  // 30 % of 250 memberships may end.
  assert.ok(hold.values.includes(300 + 75 + 1))
})

test('groups join with the publication, by one event that precedes those of the users', async () => {
  const { store, steps, published } = someStore(users)
  const { events } = committed(await changeInSteps(store, directory, change(delta([...users, nested]))))
  assert.deepEqual(
    events.map(({ eventType, sequence }) => [eventType, sequence]),
    [['group.updated', 301]],
  )
  assert.equal(steps[0]?.lastSequence, 301)
  assert.deepEqual(
    rowsOf(published[0], 'members').map((row) => [row['member_id'], row['sequence']]),
    [[nested.id, 301]],
  )
})

test('a step has few large users', async () => {
  const large = users.slice(0, 4).map((user) => someUser({ userName: user.userName, nickName: 'x'.repeat(200_000) }))
  const { store, steps } = someStore(large)
  committed(await changeInSteps(store, directory, change(delta(large))))
  assert.deepEqual(
    steps.map(({ rows }) => rowsOf(rows, 'members').length),
    [2, 2],
  )
})

test('a change of members who are there already writes nothing', async () => {
  const { store, steps, published } = someStore(users, presentUsers())
  const outcome = committed(await changeInSteps(store, directory, change(delta(users))))
  assert.deepEqual([outcome.events, outcome.group, steps, published], [[], group, [], []])
})
