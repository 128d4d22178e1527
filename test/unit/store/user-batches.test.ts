import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultRemovalLimit, unlimited } from '../../../src/directory/removal-limit.ts'
import type { IndexedUser } from '../../../src/directory/user.ts'
import { identifyEvent } from '../../../src/store/events.ts'
import type { Decision } from '../../../src/store/write/batch.ts'
import { withoutEvents } from '../../../src/store/write/batch.ts'
import { createUsers } from '../../../src/store/write/create-users.ts'
import { deleteUsers } from '../../../src/store/write/delete-users.ts'
import type { Effect } from '../../../src/store/write/effects/effect.ts'
import { noFacts } from '../../../src/store/write/facts.ts'
import { replaceUsers } from '../../../src/store/write/replace-users.ts'
import { roleCounts } from '../../../src/store/write/tables.ts'
import { cause, changedUser, someDirectory, someUser, userEvent } from '../../contract/store/samples.ts'

const directory = { ...someDirectory(), removalLimit: defaultRemovalLimit }
const state = {
  ...{ lastSequence: 10, discardedEvents: 5, activeUsers: 3, memberships: 2 },
  ...{ heldFrom: undefined, hasChanged: true },
}

const ann = someUser({
  userName: 'ann@acme.example',
  name: { givenName: 'Ann', familyName: 'Lee' },
  displayName: 'Ann Lee',
  emails: [{ value: 'ann@acme.example' }, { value: 'lee@acme.example' }],
})
const storedAnn = { version: ann.version, position: 7, mapped: undefined, groups: [] }

function creation(user: IndexedUser) {
  return { user, event: identifyEvent(userEvent('user.created', user), cause), receivedAt: cause.at }
}

function replacement(before: IndexedUser, after: IndexedUser) {
  return { before, after, event: identifyEvent(userEvent('user.updated', after), cause), receivedAt: cause.at }
}

function deletion(user: IndexedUser) {
  return { user, event: identifyEvent(userEvent('user.deleted', user), cause), receivedAt: cause.at }
}

/** The ways in which a batch writes tables. */
function tablesOf({ writes }: Pick<Decision<unknown>, 'writes'>): string[] {
  return [...writes.tables.values()].map(({ table, kind }) => `${kind} ${table.name}`).sort()
}

const decided = { ...noFacts, state, users: new Map([[ann.id, storedAnn]]) }

test('a change of a title writes the user, its event and the number of events', () => {
  const batch = replaceUsers(directory, [replacement(ann, changedUser(ann, { title: 'CTO' }))])
  assert.ok(batch.assumed, 'nothing has to be read')
  const tables = ['add event_volumes', 'insert events', 'update users']
  assert.deepEqual(tablesOf(batch.assumed.decide()), tables)
  assert.deepEqual(tablesOf(batch.decide(decided)), tables)
})

test('a new user without further addresses writes no address', () => {
  const bob = someUser({ userName: 'bob@acme.example', emails: [{ value: 'bob@acme.example' }] })
  const batch = createUsers(directory, [creation(bob)])
  assert.ok(batch.assumed, 'nothing has to be read')
  assert.deepEqual(tablesOf(batch.assumed.decide()), [
    'add event_volumes',
    'add list_counts',
    'insert events',
    'insert search_terms',
    'insert users',
  ])
})

test('the addresses that are not the userName have rows', () => {
  const { writes } = createUsers(directory, [creation(ann)]).decide(noFacts)
  const rows = [...writes.tables.values()].filter(({ table }) => table.name === 'user_emails')
  assert.deepEqual(
    rows.flatMap((write) => write.rows),
    [{ email: 'lee@acme.example', user_id: ann.id }],
  )
})

for (const [what, changes] of [
  ['the name by which a user is found', { displayName: 'Ann Chen' }],
  ['whether a user is active', { active: false }],
] as const) {
  test(`a change of ${what} is decided on what is stored`, () => {
    assert.equal(replaceUsers(directory, [replacement(ann, changedUser(ann, changes))]).assumed, undefined)
  })
}

test('of two users with one name, the first is created', () => {
  const names = ['bob', 'BOB'].map((userName) => creation(someUser({ userName })))
  const outcomes = createUsers(directory, names).decide(noFacts).answer(10)
  assert.deepEqual(
    outcomes.map((outcome) => (typeof outcome === 'object' ? outcome.events.map(({ sequence }) => sequence) : outcome)),
    [[11], 'user-name-taken'],
  )
})

test('of two changes of one user, the first is made', () => {
  const changes = [changedUser(ann, { title: 'a' }), changedUser(ann, { title: 'b' })].map((after) =>
    replacement(ann, after),
  )
  const [first, second] = replaceUsers(directory, changes).decide(decided).answer(10)
  assert.deepEqual([typeof first, second], ['object', 'version-mismatch'])
})

test('a name that another change of the batch gives up is left to the next batch', () => {
  const bob = someUser({ userName: 'bob' })
  const changes = [
    replacement(ann, changedUser(ann, { userName: 'chen' })),
    replacement(bob, changedUser(bob, { userName: ann.userName })),
  ]
  const users = new Map([...decided.users, [bob.id, { ...storedAnn, position: 8 }]])
  const outcomes = replaceUsers(directory, changes)
    .decide({ ...decided, users })
    .answer(10)
  assert.deepEqual(
    outcomes.map((outcome) => typeof outcome),
    ['object', 'undefined'],
  )
})

test('more removals than the limit allows begin a hold', () => {
  const limit = { ...unlimited, percent: 0 }
  const batch = deleteUsers({ ...directory, removalLimit: limit }, [deletion(ann)])
  const { statements } = batch.decide(decided).writes
  assert.ok(statements.some(({ text }) => text.includes('insert into holds')))
  assert.deepEqual(tablesOf(batch.decide(decided)).includes('put removed_users'), true)
})

test('a batch without events writes rows at positions that no event has', () => {
  const bob = someUser({ userName: 'bob' })
  const { writes } = withoutEvents(createUsers(directory, [creation(bob)])).decide({ ...noFacts, state })
  assert.deepEqual([writes.state.events, writes.state.discardedEvents], [0, 1])
  assert.equal(
    [...writes.tables.values()].some(({ table }) => table.name === 'events'),
    false,
  )
})

test('a further effect of a directory is told what changes, completes it, and writes what follows', () => {
  const effect: Effect = {
    request: (changes) => ({ users: changes.flatMap(({ before }) => before?.id ?? []) }),
    complete: (change) => ({ ...change, columns: { display_name: 'Completed' } }),
    write: (changes, _, writes) => {
      for (const { n } of changes) writes.write('put', roleCounts, { role: 'written', users: n })
    },
  }
  const changes = [replacement(ann, changedUser(ann, { title: 'CTO' }))]
  const batch = replaceUsers({ ...directory, effects: [effect] }, changes)
  assert.equal(batch.assumed, undefined, 'what the effect has to know is read')
  const { writes } = batch.decide(decided)
  assert.deepEqual(tablesOf({ writes }), ['add event_volumes', 'insert events', 'put role_counts', 'update users'])
  const [row] = [...writes.tables.values()].flatMap(({ table, rows }) => (table.name === 'users' ? rows : []))
  assert.equal(row?.['display_name'], 'Completed')
})

test('users whom an effect leaves to the next commit are left out', () => {
  const creations = ['bob', 'chen', 'dee'].map((userName) => creation(someUser({ userName })))
  const batch = createUsers({ ...directory, effects: [{ usersAtOnce: () => 2 }] }, creations)
  const outcomes = batch.decide({ ...noFacts, state }).answer(10)
  assert.deepEqual(
    outcomes.map((outcome) => typeof outcome),
    ['object', 'object', 'undefined'],
  )
})
