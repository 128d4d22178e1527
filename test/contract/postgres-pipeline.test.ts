import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { mock, test } from 'node:test'
import fc from 'fast-check'
import { Client, DatabaseError } from 'pg'
import { createKeyedMutex } from '../../src/concurrency/keyed-mutex.ts'
import { createKeyedQueue } from '../../src/concurrency/keyed-queue.ts'
import { patchUser } from '../../src/provisioning/users.ts'
import { parsePatch } from '../../src/scim/patch/parse.ts'
import { userType } from '../../src/scim/schema/resource-type.ts'
import type { Database } from '../../src/store/postgres/database.ts'
import { openDatabase } from '../../src/store/postgres/database.ts'
import { createLargeChangeLimit } from '../../src/store/postgres/limits.ts'
import { openPostgresStore } from '../../src/store/postgres/open.ts'
import { binaryArray } from '../../src/store/postgres/parameters.ts'
import { postgresProvisioning } from '../../src/store/postgres/provisioning.ts'
import { serversAt } from '../../src/store/postgres/servers.ts'
import { createSqlDatabase } from '../../src/store/postgres/sql-database.ts'
import { createProvisioning } from '../../src/store/provisioning.ts'
import { createUserReads } from '../../src/store/reads/users.ts'
import type { Statement } from '../../src/store/sql-database.ts'
import { anyCharacters } from '../support/any-characters.ts'
import { startPostgres } from '../support/postgres.ts'
import { failOnPurgeError, someSealing } from './store/database.ts'
import { addDirectory, cause, committed, delta, someGroup, someUser, writesTo } from './store/samples.ts'

async function open(): Promise<Database & AsyncDisposable> {
  const { url, ...postgres } = await startPostgres()
  const database = openDatabase(serversAt(url, 'url'), 1)
  await database.query({ text: 'create table rows (id text primary key)', values: [] })
  return {
    ...database,
    async [Symbol.asyncDispose]() {
      await database.close()
      await postgres[Symbol.asyncDispose]()
    },
  }
}

test('the version of the driver is the one whose undocumented parts the pipeline was written for', () => {
  const { dependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const { version } = createRequire(import.meta.url)('pg/package.json')
  // Before another version is allowed, compare its client.js, query.js and connection.js with
  // src/store/postgres/pipeline.ts.
  assert.deepEqual([dependencies.pg, version], ['8.23.1', '8.23.1'])
})

/** Counts the messages to the server until it responds. */
function countRoundTrips() {
  const query = mock.method(Client.prototype, 'query')
  return { count: () => query.mock.callCount(), [Symbol.dispose]: () => query.mock.restore() }
}

const insert = (...ids: readonly string[]): Statement => ({
  text: 'insert into rows (id) select unnest($1::text[])',
  values: [ids],
})
const ids: Statement = { text: 'select id from rows order by id', values: [] }

test('postgres: statements of a transaction share a round trip, and each has its rows', async () => {
  await using database = await open()
  using trips = countRoundTrips()
  for (const n of [1, 2]) {
    const rows = await database.atomically([insert(`${n}a`, `${n}b`), ids, insert(`${n}c`), ids, ids])
    assert.deepEqual(
      rows.map(({ length }) => length),
      [0, 3 * n - 1, 0, 3 * n, 3 * n],
    )
    assert.equal(trips.count(), n)
  }
  const found = await database.transaction([ids], ([rows = []]) => ({ statements: [insert('d')], answer: rows.length }))
  assert.equal(found, 6)
  assert.equal(trips.count(), 4)
})

test('postgres: a transaction after one that failed at any of its statements runs as usual', async () => {
  await using database = await open()
  const failing: Statement = { text: 'select 1 / $1::int4 as n', values: [0] }
  const unknown: Statement = { text: 'select nothing from nowhere', values: [] }
  for (const wrong of [failing, unknown]) {
    for (const statements of [
      [wrong, insert('x'), ids],
      [insert('x'), wrong, ids],
      [insert('x'), ids, wrong],
    ]) {
      await assert.rejects(database.atomically(statements), DatabaseError)
      await assert.rejects(database.query(wrong), DatabaseError)
      const concluded = database.transaction(statements.slice(0, 1), () => ({
        statements: statements.slice(1),
        answer: 0,
      }))
      await assert.rejects(concluded, DatabaseError)
      assert.deepEqual(await database.query(ids), [])
    }
  }
  await database.atomically([insert('y'), { ...failing, values: [1] }, ids])
  assert.deepEqual(await database.query({ ...failing, values: [1] }), [{ n: 1 }])
  assert.deepEqual(await database.query(ids), [{ id: 'y' }])
})

test('postgres: a user is created in one round trip, joins a group in two, and is read with its groups and changed in two', async () => {
  await using postgres = await startPostgres()
  const opened = await openPostgresStore({ url: postgres.url, poolSize: 3 }, someSealing(), failOnPurgeError)
  const directory = await addDirectory(opened)
  await opened.close()
  const database = openDatabase(serversAt(postgres.url, 'url'), 1)
  const shared = createSqlDatabase(database)
  const provisioning = postgresProvisioning(database, shared, createKeyedQueue(), createLargeChangeLimit(1))
  const store = {
    ...opened,
    ...createProvisioning(provisioning, null, () => undefined),
    ...createUserReads(shared),
  }
  using trips = countRoundTrips()
  const [group, user] = [someGroup({ displayName: 'Everyone' }), someUser({ userName: 'ann' })]
  const writes = writesTo(store, directory)
  committed(await writes.createGroup(group))
  const afterGroup = trips.count()
  committed(await writes.createUser(user))
  assert.equal(trips.count() - afterGroup, 1)
  committed(await writes.changeMembers(group, delta([user])))
  assert.equal(trips.count() - afterGroup, 3)
  const context = { directory, cause }
  const operations = parsePatch({ Operations: [{ op: 'replace', path: 'title', value: 'Guide' }] }, userType)
  const changed = await patchUser(
    { store, mutex: createKeyedMutex() },
    context,
    { id: user.id, withGroups: true },
    operations,
  )
  assert.equal(trips.count() - afterGroup, 5)
  assert.deepEqual(changed.user.groups, [{ id: group.id, name: group.name }])
  await database.close()
})

const nullable = <T>(values: fc.Arbitrary<T>) => fc.array(fc.option(values), { maxLength: 20 })
const noNul = anyCharacters().map((text) => text.replaceAll('\0', ''))
const integers = { int8: fc.maxSafeInteger(), int4: fc.integer() }

test('postgres: arrays arrive as they were sent, as text and in the binary format', async () => {
  await using database = await open()
  const sent = async (type: 'text' | 'int8' | 'int4', values: unknown) => {
    const text = `select v from unnest($1::${type}[]) with ordinality as a (v, n) order by n`
    return (await database.query({ text, values: [values] })).map(({ v }) => v)
  }
  for (const [type, values] of [
    ['text', nullable(fc.oneof(noNul, fc.constantFrom('', 'null', '{}', '"', '\\', '\\"', 'a,b', ' ä€😀')))],
    ['int8', nullable(integers.int8)],
    ['int4', nullable(integers.int4)],
  ] as const) {
    await fc.assert(
      fc.asyncProperty(values, async (array: readonly unknown[]) => {
        assert.deepEqual(await sent(type, binaryArray(type, array)), array)
        assert.deepEqual(await sent(type, array), array)
      }),
      { numRuns: 50 },
    )
  }
})

test('postgres: an array with a value of another type is not sent', () => {
  assert.throws(() => binaryArray('text', [1]), TypeError)
  assert.throws(() => binaryArray('int8', ['1']), TypeError)
  assert.throws(() => binaryArray('int4', [undefined]), TypeError)
  assert.throws(() => binaryArray('int8', [0.5]), RangeError)
})
