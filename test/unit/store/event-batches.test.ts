import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startResync } from '../../../src/delivery/resync/resync.ts'
import { createErasureStore } from '../../../src/store/erasures.ts'
import { createResyncStore } from '../../../src/store/resync.ts'
import type { Row } from '../../../src/store/row.ts'
import type { SqlDatabase } from '../../../src/store/sql-database.ts'
import { dialect } from '../../../src/store/sqlite/sql-database.ts'
import type { Commit } from '../../../src/store/write/batch.ts'
import { noFacts } from '../../../src/store/write/facts.ts'
import type { Writes } from '../../../src/store/write/writes.ts'
import { someSealing } from '../../contract/store/database.ts'
import { cause } from '../../contract/store/samples.ts'

const state = {
  lastSequence: 10,
  discardedEvents: 5,
  activeUsers: 3,
  memberships: 2,
  heldFrom: undefined,
  hasChanged: false,
}
const unused = () => assert.fail('everything is committed as a batch')
const database: SqlDatabase = {
  ...{ query: unused, queryAll: unused, readEach: unused, readOne: unused, atomically: unused, transaction: unused },
  dialect,
}

/** Commits batches on the rows that their reads find; undefined: the directory is deleted. */
function committing(rows: Record<string, Row[]> | undefined) {
  const written: Writes[] = []
  const commit: Commit = async ({ decide }) => {
    if (rows === undefined) return 'directory-changed'
    const decision = decide({ ...noFacts, state, rows })
    written.push(decision.writes)
    return 'answer' in decision ? decision.answer(state.lastSequence) : assert.fail('another stage follows')
  }
  const events = () =>
    written.flatMap(({ tables }) => [...tables.values()]).filter(({ table }) => table.name === 'events')
  return { commit, written, events: () => events().flatMap((write) => write.rows.map((row) => row['event_type'])) }
}

const directoryId = 'directory'
const request = { directoryId, syncId: 'sync', requestId: 'request', traceContext: undefined, startedAt: cause.at }
const { resync } = startResync(request, { users: 0, groups: 0, members: 0 }, 16)
const counts = [{ users: 3, groups: 1, members: 2 }]

function storedResync(given: Row = {}): Row {
  return {
    ...{ directory_id: directoryId, sync_id: 'sync', request_id: 'request', trace_context: null },
    ...{ started_sequence: 16, step: 0, phase: 'users', position_sequence: 0, position_group_id: '' },
    ...{ position_member_id: '', sent_users: 0, sent_groups: 0, sent_members: 0, started_at: cause.at },
    ...{ completed_at: null, ...given },
  }
}

test('a resync begins with an event, and knows the next place in lists', async () => {
  const { commit, events, written } = committing({ counts })
  const begun = await createResyncStore(database, commit).beginResync(request)
  assert.deepEqual([begun, events()], [resync, ['sync.started']])
  assert.deepEqual([written[0]?.state.events, written[0]?.state.changedAt], [1, undefined])
})

test('a resync that is running is not begun again', async () => {
  const { commit, written } = committing({ resync: [storedResync()], counts })
  assert.deepEqual(await createResyncStore(database, commit).beginResync({ ...request, syncId: 'other' }), resync)
  assert.deepEqual([written[0]?.tables.size, written[0]?.statements.length], [0, 0])
})

test('a step that another process has made is a conflict', async () => {
  const { commit, written } = committing({ resync: [storedResync({ step: 1 })] })
  const store = createResyncStore(database, commit)
  assert.equal(await store.stepResync(resync, { rows: 2, bytes: 1_000 }, cause.at), 'conflict')
  assert.equal(written[0]?.statements.length, 0)
})

test('a deleted directory has no resync', async () => {
  const store = createResyncStore(database, committing(undefined).commit)
  assert.equal(await store.beginResync(request), 'directory-not-found')
  assert.equal(await store.stepResync(resync, { rows: 2, bytes: 1_000 }, cause.at), 'conflict')
})

for (const { last, appended } of [
  { last: undefined, appended: ['user.erased'] },
  { last: 'user.deleted', appended: ['user.erased'] },
  { last: 'user.erased', appended: [] },
]) {
  test(`of a user whose last event is ${last}, ${appended.length} erasures are reported`, async () => {
    const { commit, events } = committing({ lastEvent: last === undefined ? [] : [{ event_type: last }] })
    const store = createErasureStore(database, someSealing(), commit)
    const event = await store.appendErased({ directoryId, userId: 'user' }, cause)
    assert.deepEqual([events(), event?.sequence], [appended, appended.length > 0 ? 11 : undefined])
  })
}
