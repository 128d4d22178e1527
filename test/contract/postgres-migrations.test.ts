import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, DatabaseError } from 'pg'
import { StoreUnavailable } from '../../src/store/errors.ts'
import { isConnectionGood, transactionError } from '../../src/store/postgres/errors.ts'
import { migratePostgres } from '../../src/store/postgres/migrate.ts'
import { serversAt } from '../../src/store/postgres/servers.ts'
import { eventually } from '../support/eventually.ts'
import { execute, startPostgres } from '../support/postgres.ts'

/** Another process, in a transaction of a migration. */
async function startMigrating(url: string) {
  await execute(url, 'create table schema_migrations (number integer primary key, name text, digest text)')
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('begin; lock table schema_migrations in share row exclusive mode')
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

test('postgres: a process waits while another one migrates', async () => {
  await using postgres = await startPostgres({ isEmpty: true })
  await using other = await startMigrating(postgres.url)
  const migrated = migratePostgres({ servers: serversAt(postgres.url, 'url') })
  await eventually('the migration to wait for the lock', async () => {
    return (await execute(postgres.url, `select from pg_stat_activity where wait_event_type = 'Lock'`)).length > 0
  })
  await other.query('commit')
  await migrated
  assert.notEqual((await execute(postgres.url, 'select from schema_migrations')).length, 0)
})

test('postgres: a process does not wait for ever for another one that migrates', async () => {
  await using postgres = await startPostgres({ isEmpty: true })
  await using _other = await startMigrating(postgres.url)
  await assert.rejects(migratePostgres({ servers: serversAt(postgres.url, 'url'), patienceMs: 1 }), (error) => {
    assert.ok(error instanceof StoreUnavailable)
    assert.match(error.message, /another process is migrating it.*start again/s)
    return true
  })
})

test('postgres: a failed migration is rolled back, and its error is reported unchanged', async () => {
  await using postgres = await startPostgres({ isEmpty: true })
  await execute(postgres.url, 'create table users (id text)')
  await assert.rejects(migratePostgres({ servers: serversAt(postgres.url, 'url') }), DatabaseError)
  await execute(postgres.url, 'drop table users')
  await migratePostgres({ servers: serversAt(postgres.url, 'url') })
})

/** An error as a server sends it. */
function serverError(severity: string, code: string, message: string): DatabaseError {
  return Object.assign(new DatabaseError(message, message.length, 'error'), { severity, code })
}

test('postgres: errors of PgBouncer count as failures of the server, mistakes in a statement do not', () => {
  const timeout = serverError('FATAL', '08P01', 'query_wait_timeout')
  const mistake = serverError('ERROR', '08P01', 'bind message supplies 1 parameters, but prepared statement requires 2')
  assert.ok(transactionError(timeout) instanceof StoreUnavailable)
  assert.equal(isConnectionGood(timeout), false)
  assert.equal(transactionError(mistake), mistake)
})
