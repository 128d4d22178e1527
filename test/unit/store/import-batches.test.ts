import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportStep } from '../../../src/polis/import/import-store.ts'
import { identifyEvent } from '../../../src/store/events.ts'
import { createImportStore } from '../../../src/store/imports.ts'
import { mappingOfImport } from '../../../src/store/mappings-in-effect.ts'
import type { CountedState } from '../../../src/store/removals.ts'
import type { SqlDatabase } from '../../../src/store/sql-database.ts'
import { dialect } from '../../../src/store/sqlite/sql-database.ts'
import type { Commit, Stage } from '../../../src/store/write/batch.ts'
import type { Facts } from '../../../src/store/write/facts.ts'
import { noFacts } from '../../../src/store/write/facts.ts'
import { stateAfter } from '../../../src/store/write/state.ts'
import type { Writes } from '../../../src/store/write/writes.ts'
import { cause, changedUser, someDirectory, someUser, userEvent } from '../../contract/store/samples.ts'

const unused = () => assert.fail('everything is committed as a batch')
const noChanges = { create: unused, replace: unused, remove: unused }
const database: SqlDatabase = {
  ...{ query: unused, queryAll: unused, readEach: unused, readOne: unused, atomically: unused, transaction: unused },
  dialect,
}

/** An import into a directory; each stage after the lock is decided on the given facts. */
function importing(given: Partial<Facts> = {}, isUnchanged = true) {
  const written: Writes[] = []
  let state: CountedState = {
    ...{ lastSequence: 10, discardedEvents: 5, activeUsers: 3, memberships: 2 },
    ...{ heldFrom: undefined, hasChanged: false },
  }
  function decideStage<T>({ decide }: Stage<T>): T {
    const rows = isUnchanged ? { imported: [{ found: 1 }] } : {}
    const decision = decide({ ...noFacts, rows, ...given, state })
    written.push(decision.writes)
    const { lastSequence } = state
    state = stateAfter(state, decision.writes.state)
    return 'answer' in decision ? decision.answer(lastSequence) : decideStage(decision.next)
  }
  const commit: Commit = async (batch) => decideStage(batch)
  const rowsOf = (name: string) =>
    written.flatMap(({ tables }) =>
      [...tables.values()].flatMap(({ table, rows }) => (table.name === name ? rows : [])),
    )
  return { store: createImportStore(database, commit, noChanges, mappingOfImport), written, rowsOf }
}

const directory = someDirectory()
const users = ['ann', 'bob'].map((userName) => someUser({ userName }))
const creations: ImportStep[] = users.map((user) => ({ kind: 'create-users', users: [user] }))

test('the steps of an import are written one after the other, without events', async () => {
  const { store, rowsOf, written } = importing()
  assert.equal(await store.writeImported(directory, creations, cause.at), 'written')
  assert.deepEqual(
    rowsOf('users').map(({ user_name, sequence }) => [user_name, sequence]),
    users.map(({ userName }) => [userName, { kind: 'position', n: 1, isStored: false }]),
  )
  assert.deepEqual(rowsOf('events'), [])
  assert.deepEqual(
    written.map(({ state }) => state.discardedEvents),
    [0, 1, 1, 0],
  )
})

test('the readers of a directory learn that an import has changed it', async () => {
  const { store, rowsOf } = importing()
  await store.writeImported(directory, creations, cause.at)
  const minute = Math.floor(cause.at / 60_000)
  assert.deepEqual(rowsOf('event_volumes'), [{ minute, events: 0, failed_deliveries: 0 }])
})

test('an import of a directory that something else has changed writes nothing', async () => {
  const { store, written } = importing({}, false)
  assert.equal(await store.writeImported(directory, creations, cause.at), 'changed-here')
  assert.equal(await store.addImportedEvents(directory, []), 'changed-here')
  assert.deepEqual(
    written.map(({ tables, statements }) => tables.size + statements.length),
    [0, 0],
  )
})

test('a refused step fails the whole import', async () => {
  const [ann] = users
  assert.ok(ann)
  const { store } = importing()
  const steps: ImportStep[] = [
    { kind: 'replace-users', users: [{ before: ann, after: changedUser(ann, { title: 'CTO' }) }] },
  ]
  await assert.rejects(store.writeImported(directory, steps, cause.at), { message: /refused: version-mismatch/ })
})

test('imported events follow the last one, and the place of the last of them is remembered', async () => {
  const { store, rowsOf, written } = importing()
  const events = users.map((user, index) => ({
    position: { createdAt: index, id: user.id },
    event: identifyEvent(userEvent('user.created', user), cause),
  }))
  assert.equal(await store.addImportedEvents(directory, events), 'written')
  assert.deepEqual(
    rowsOf('events').map(({ id }) => id),
    events.map(({ event }) => event.id),
  )
  assert.deepEqual(written.at(-1)?.statements[0]?.values, [directory.id, 12, 1, users[1]?.id])
})
