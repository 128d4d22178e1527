import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import { createKeyedQueue } from '../../src/concurrency/keyed-queue.ts'
import { StoreUnavailable } from '../../src/store/errors.ts'
import type { Database } from '../../src/store/postgres/database.ts'
import { openDatabase } from '../../src/store/postgres/database.ts'
import { largeChanges, splitPool } from '../../src/store/postgres/limits.ts'
import { serversAt } from '../../src/store/postgres/servers.ts'
import { configureSessions, configureTransaction } from '../../src/store/postgres/sessions.ts'
import type { Statement } from '../../src/store/sql-database.ts'
import { batchWrites } from '../../src/store/write/batches.ts'
import { eventually } from '../support/eventually.ts'
import { startPostgres } from '../support/postgres.ts'

async function open(connections = 2): Promise<Database & AsyncDisposable & { readonly url: string }> {
  const { url, ...postgres } = await startPostgres()
  const database = openDatabase(serversAt(url, 'url'), connections)
  await database.query({ text: 'create table rows (id text primary key)', values: [] })
  return {
    ...database,
    url,
    async [Symbol.asyncDispose]() {
      await database.close()
      await postgres[Symbol.asyncDispose]()
    },
  }
}

async function connectTo(url: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

const insert = (id: unknown): Statement => ({ text: 'insert into rows (id) values ($1)', values: [id] })
const ids: Statement = { text: 'select id from rows order by id', values: [] }

/** A value that the driver cannot serialize. */
const unserializable = {
  toPostgres() {
    throw new Error('no such value')
  },
}

const limitNames = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout']
const plannerNames = ['enable_seqscan', 'enable_bitmapscan', 'enable_sort', 'jit', 'plan_cache_mode']

/** PostgreSQL 16 has no `transaction_timeout`. */
const settings: Statement = {
  text: `select coalesce(setting, '1') as setting from unnest($1::text[]) with ordinality as n (setting_name, n)
    left join pg_settings on name = setting_name order by n`,
  values: [[...limitNames, ...plannerNames]],
}

async function settingsOfEach(database: Database): Promise<unknown[][]> {
  const [together = []] = await database.atomically([settings])
  const concluded = await database.transaction([settings], ([rows = []]) => ({ statements: [], answer: rows }))
  const [long = []] = await database.longTransaction((run) => run([settings]))
  const all = [await database.query(settings), together, concluded, long]
  return all.map((rows) => rows.map(({ setting }) => setting))
}

test('postgres: every transaction is bounded by the server and plans by index, and no setting outlasts it', async () => {
  await using database = await open(1)
  for (const found of await settingsOfEach(database)) {
    assert.ok(found.slice(0, limitNames.length).every((ms) => Number(ms) > 0))
    assert.deepEqual(found.slice(limitNames.length), ['off', 'off', 'off', 'off', 'force_generic_plan'])
  }
  await using session = await connectTo(database.url)
  await session.query(`begin; ${configureTransaction}; commit`)
  assert.deepEqual((await session.query('show lock_timeout')).rows, [{ lock_timeout: '0' }])
  assert.deepEqual((await session.query('show enable_sort')).rows, [{ enable_sort: 'on' }])
})

test('postgres: without a pooler, connections begin with the settings, and have the same ones', async () => {
  await using database = await open(1)
  const { servers, areConfigured } = await configureSessions(serversAt(database.url, 'url'))
  assert.equal(areConfigured, true)
  const configured = openDatabase(servers, 1, { areConfigured })
  assert.deepEqual(await settingsOfEach(configured), await settingsOfEach(database))
  await configured.close()
})

test('postgres: a connection that the server has ended while it was unused is replaced', async () => {
  await using database = await open(1)
  await using session = await connectTo(database.url)
  const process: Statement = { text: 'select pg_backend_pid() as pid', values: [] }
  const [{ pid } = {}] = await database.query(process)
  await session.query('select pg_terminate_backend($1, 10000)', [pid])
  await nextTurn()
  assert.notEqual((await database.query(process))[0]?.['pid'], pid)
})

test('postgres: a failure of the server is reported as unavailable, a rejected statement is not', async () => {
  await using database = await open()
  const raise = (code: string) =>
    database.query({ text: `do $$ begin raise exception 'test' using errcode = '${code}'; end $$`, values: [] })
  for (const code of ['57014', '25P03', '25P04', '53100', '53200', '53300', '08006', '58030']) {
    await assert.rejects(raise(code), StoreUnavailable, code)
  }
  await assert.rejects(raise('22001'), DatabaseError)
  assert.deepEqual(await database.query(ids), [])
})

test('postgres: a statement that the driver cannot send commits nothing of its transaction', async () => {
  await using database = await open()
  await assert.rejects(database.atomically([insert('one'), insert(unserializable), insert('two')]))
  await assert.rejects(
    database.transaction([insert('three')], () => ({
      statements: [insert(unserializable), insert('four')],
      answer: 0,
    })),
  )
  await assert.rejects(database.query(insert(unserializable)))
  assert.deepEqual(await database.query(ids), [])
  await database.atomically([insert('five')])
  assert.deepEqual(await database.query(ids), [{ id: 'five' }])
})

test('postgres: while a row is locked, its writers leave the connections to others and continue when it is free', async () => {
  await using database = await open(2)
  await database.atomically(['locked', 'free'].map(insert))
  await using holder = await connectTo(database.url)
  await holder.query(`begin; select from rows where id = 'locked' for update`)
  const touch = (id: string) =>
    database.query({ text: 'update rows set id = id where id = $1 returning id', values: [id] })
  let done = 0
  const waiting = Array.from({ length: 6 }, () => touch('locked').then(() => (done += 1)))
  await eventually('a writer to wait', async () => {
    const { rowCount } = await holder.query(`select from pg_stat_activity where wait_event_type = 'Lock'`)
    return rowCount !== null && rowCount > 0
  })
  for (let n = 0; n < 3; n += 1) assert.deepEqual(await touch('free'), [{ id: 'free' }])
  assert.equal(done, 0)
  await holder.query('commit')
  await Promise.all(waiting)
})

test('postgres: a batch is not divided when the database is unavailable', async () => {
  let runs = 0
  const write = batchWrites<number, string>(createKeyedQueue().enqueue, async () => {
    runs += 1
    throw new StoreUnavailable('full')
  })
  const directory = { id: 'd', revision: 1, product: 'p', tenant: 't', removalLimit: null }
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map((n) => write(directory, n)))
  assert.ok(outcomes.every(({ status }) => status === 'rejected'))
  assert.equal(runs, 1)
})

test('postgres: the connections of a process are split between provisioning, delivery and health checks', () => {
  assert.deepEqual(splitPool(10), { provisioning: 6, delivery: 3, health: 1 })
  assert.deepEqual(splitPool(4), { provisioning: 2, delivery: 1, health: 1 })
  assert.deepEqual(splitPool(1), { provisioning: 1, delivery: 1, health: 1 })
})

test('postgres: large changes leave connections to other requests', () => {
  assert.deepEqual([1, 2, 3, 6, 50].map(largeChanges), [1, 1, 1, 4, 4])
})
