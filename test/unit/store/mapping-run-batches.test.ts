import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DirectoryRevision } from '../../../src/directory/directory.ts'
import { compiledMapping, removedMapping } from '../../../src/mapping/compiled.ts'
import { parseMappingInEffect } from '../../../src/mapping/parse.ts'
import { mappingRunStep } from '../../../src/store/mapping-runs.ts'
import { createUserPages } from '../../../src/store/reads/user-pages.ts'
import type { Row } from '../../../src/store/row.ts'
import { dialect } from '../../../src/store/sqlite/sql-database.ts'
import type { Decision, FirstDecision } from '../../../src/store/write/batch.ts'
import { noFacts } from '../../../src/store/write/facts.ts'
import { cause, someDirectory, someUser, userRow } from '../../contract/store/samples.ts'

const directory = someDirectory()
const compiled = compiledMapping(
  parseMappingInEffect({
    roles: {
      mode: 'all',
      rules: [{ role: 'admin', when: { filter: 'title eq "CTO"' } }],
      keep_at_least: { admin: 1 },
    },
  }),
)
const state = {
  lastSequence: 10,
  discardedEvents: 5,
  activeUsers: 3,
  memberships: 2,
  heldFrom: undefined,
  hasChanged: false,
}
const options = { pages: createUserPages(dialect), limit: 100, at: cause.at, now: '0' }
const run = {
  ...{ request_id: 'mapping', position: 3, evaluated: 2, changed: 1, total: 9 },
  ...{ started_at: cause.at - 10, completed_at: null },
}

const chief = userRow(someUser({ userName: 'ann', title: 'CTO' }))

function begin(runs: readonly Row[], mapping = compiled, of: DirectoryRevision = directory) {
  return mappingRunStep(of, mapping, options).decide({ ...noFacts, state, rows: { run: runs } })
}

/** Decides about the next users of a run. */
function decide(
  page: readonly Row[],
  { mapping = compiled, of }: { mapping?: typeof compiled; of?: DirectoryRevision } = {},
) {
  const begun = begin([run], mapping, of)
  const { next } = 'next' in begun ? begun : assert.fail('the users are read after the run')
  assert.deepEqual(next.request.reads?.['page']?.values.at(-1), run.position)
  return next.decide({ ...noFacts, state, rows: { page } })
}

function answerOf<T>(decision: Decision<T> | FirstDecision<T>): T {
  return 'answer' in decision ? decision.answer(10) : assert.fail('another stage follows')
}

const tablesOf = ({ writes }: Pick<Decision<unknown>, 'writes'>) =>
  [...writes.tables.values()].map(({ table, kind }) => `${kind} ${table.name}`).sort()
const statementsOf = ({ writes }: Pick<Decision<unknown>, 'writes'>) => writes.statements.map(({ text }) => text.trim())

test('a step writes the users who change, their events and roles, and the progress', () => {
  const decision = decide([chief])
  assert.deepEqual(tablesOf(decision), [
    'add event_volumes',
    'add role_counts',
    'insert events',
    'keep user_roles',
    'update users',
  ])
  assert.equal(decision.writes.state.changedAt, undefined, 'the identity provider has changed nothing')
  const [progress, followed] = decision.writes.statements
  assert.deepEqual(progress?.values, [directory.id, 7, 3, 2, null])
  assert.deepEqual(followed?.values, [directory.id, 10, 11], 'an import of the directory can be repeated')
  const { evaluated, changed } = Object(answerOf(decision))
  assert.deepEqual({ evaluated, changed }, { evaluated: 1, changed: 1 })
})

test('a user who is evaluated for the first time and has no role gets no event', () => {
  const decision = decide([userRow(someUser({ userName: 'bob' }))])
  assert.deepEqual(tablesOf(decision), ['update users'])
  assert.equal(statementsOf(decision).length, 1, 'the progress alone')
})

for (const { what, runs } of [
  { what: 'there is no run', runs: [] },
  { what: 'the run is complete', runs: [{ ...run, completed_at: cause.at }] },
]) {
  test(`nothing is written when ${what}`, () => {
    const decision = begin(runs)
    assert.deepEqual([tablesOf(decision), statementsOf(decision), answerOf(decision)], [[], [], 'idle'])
  })
}

test('at the end of a run, the holds for a role that enough users have by then end', () => {
  const end = decide([])
  assert.ok('next' in end, 'the holds are read after the last users are written')
  const hold = {
    ...{ directory_id: directory.id, since: cause.at, reason: 'roles', role: 'admin', role_minimum: 1, role_users: 0 },
    ...{ percent: 0, minimum: 0, window_seconds: 0, removals: 0, removals_before: 0, highest: 0 },
    ...{ counted_from: 1, first_sequence: 4, version: 4, discarding: 0 },
  }
  const ending = (admins: number, given = {}) => {
    const roleCounts = [{ role: 'admin', users: admins }]
    const facts = { ...noFacts, state, rows: { holds: [{ ...hold, ...given }], roleCounts } }
    return statementsOf(end.next.decide(facts)).some((text) => text.startsWith('delete from holds'))
  }
  assert.equal(ending(1), true)
  assert.equal(ending(0), false, 'too few users have the role')
  assert.equal(ending(1, { since: run.started_at - 1 }), false, 'it began before the run')
  assert.equal(ending(1, { discarding: 1 }), false, 'its events are being discarded')
})

test('nothing is left of a removed mapping after its run but its versions', () => {
  const of = { ...directory, mapping: { source: 'removed', version: 2 } } as const
  const decision = decide([], { mapping: removedMapping, of })
  assert.ok(statementsOf(decision).includes('update directories set mapping = null where id = $1'))
})

test('a run in a directory without a mapping marks users by the allowed domains, and leaves the record alone', () => {
  const of = { ...directory, domains: { allowed: ['acme.com'], outside: 'flag' } } as const
  const outsider = userRow(someUser({ userName: 'ann@other.example' }))
  const decision = decide([outsider], { mapping: removedMapping, of })
  assert.deepEqual(tablesOf(decision), ['add event_volumes', 'insert events', 'update users'])
  assert.ok(!statementsOf(decide([], { mapping: removedMapping, of })).some((text) => text.includes('mapping = null')))
})
