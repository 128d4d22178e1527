import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { DatabaseError } from 'pg'
import { StoreUnavailable } from '../errors.ts'
import type { Migration } from '../migrations.ts'
import { pendingMigrations, readMigrations } from '../migrations.ts'
import { isConflict, transactionError } from './errors.ts'
import { idleMs, lockMs, lockPauseMs } from './limits.ts'
import { directoryTables, partitionedSql, readPartitions } from './partitions.ts'
import type { Servers } from './servers.ts'
import { withSingleConnection } from './single-connection.ts'

/** The errors when another process has just created the same table: unique violation, duplicate table, duplicate type. */
const createdMeanwhile: ReadonlySet<string> = new Set(['23505', '42P07', '42710'])

/** The time limit of one migration; the response is awaited a little longer. */
const migrationMs = 600_000
const responseMs = migrationMs + 10_000

/** The time that a process waits for locks that others hold, such as one that is migrating, before it gives up. */
const patienceMs = 60_000

/**
 * Limits of the transaction, enforced by the server. Locks are waited for briefly, then again: requests for a table queue
 * behind a migration that waits for it.
 */
const begin = `
  begin isolation level read committed;
  set local lock_timeout = ${lockMs};
  set local statement_timeout = ${migrationMs};
  set local idle_in_transaction_session_timeout = ${idleMs}`

export interface MigrateOptions {
  readonly servers: Servers
  /** The number of hash partitions of each table of an empty database; undefined: tables are whole. */
  readonly partitions?: number | undefined
  /** The time to wait for locks that others hold, in milliseconds. */
  readonly patienceMs?: number
}

/**
 * Applies the pending migrations, each in a transaction. Any number of processes may do so concurrently: each migration is
 * applied under a lock on the table `schema_migrations`, which others can still read.
 *
 * @throws Error when the database is newer than this code, or has other partitions than those that are asked for
 * @throws StoreUnavailable when it cannot be reached, or others do not release the locks that a migration needs
 */
export async function migratePostgres(options: MigrateOptions): Promise<void> {
  const migrations = readMigrations(new URL('migrations/', import.meta.url))
  await withSingleConnection({ servers: options.servers, responseMs }, async (client) => {
    const repeat = createRepeat(performance.now() + (options.patienceMs ?? patienceMs))
    await repeat(() => createMigrationsTable(client))
    while (await repeat(() => isPending(client, migrations, options.partitions)))
      await repeat(() => applyNext(client, migrations, options.partitions))
  })
}

/** Repeats a transaction that cannot get a lock, until a time of `performance.now`. */
function createRepeat(until: number) {
  return async function repeat<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!isConflict(error)) throw transactionError(error)
        if (performance.now() > until) throw blocked(error)
        await pause(Math.random() * lockPauseMs)
      }
    }
  }
}

function blocked(cause: unknown): StoreUnavailable {
  const message =
    'The database cannot be migrated: another process is migrating it, or holds a lock on a table that a migration changes. Wait until it has finished, or end it, and start again.'
  return new StoreUnavailable(message, { cause })
}

async function inTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query(begin)
  try {
    const answer = await work()
    await client.query('commit')
    return answer
  } catch (error) {
    // Of a lost connection, the first error is the one to report.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

function isPending(client: Client, migrations: readonly Migration[], partitions: number | undefined): Promise<boolean> {
  return inTransaction(client, async () => {
    const last = await lastApplied(client)
    if (partitions !== undefined && last > 0) await requirePartitions(client, partitions)
    return pendingMigrations(migrations, last).length > 0
  })
}

/** @throws Error when the tables of a database that has been migrated do not have so many partitions */
async function requirePartitions(client: Client, partitions: number): Promise<void> {
  const present = await readPartitions(client)
  if (present === partitions) return
  const have = present === undefined ? 'are not partitioned' : `have ${countOf(present)}`
  throw new Error(
    `The tables of this database ${have}, and that cannot be changed: create an empty database for tables with ${countOf(partitions)}.`,
  )
}

function countOf(partitions: number): string {
  return partitions === 1 ? '1 partition' : `${partitions} partitions`
}

function applyNext(client: Client, migrations: readonly Migration[], partitions: number | undefined): Promise<void> {
  return inTransaction(client, async () => {
    await client.query('lock table schema_migrations in share row exclusive mode')
    const last = await lastApplied(client)
    const [next] = pendingMigrations(migrations, last)
    if (next === undefined) return
    const { number, name, sql } = next
    const ofTable = last === 0 ? partitions : await readPartitions(client)
    await (ofTable === undefined
      ? client.query(sql)
      : applyPartitioned(client, partitionedSql(sql, directoryTables(migrations), ofTable)))
    await client.query('insert into schema_migrations (number, name) values ($1, $2)', [number, name])
  })
}

/** Each table that a transaction creates takes a lock, and with many partitions the server may have too few. */
async function applyPartitioned(client: Client, sql: string): Promise<void> {
  try {
    await client.query(sql)
  } catch (error) {
    if (!(error instanceof DatabaseError && error.code === '53200')) throw error
    const message =
      'The server has too few locks for so many partitions: set max_locks_per_transaction = 256 in its configuration, restart it, and run this again.'
    throw new Error(message, { cause: error })
  }
}

async function lastApplied(client: Client): Promise<number> {
  const { rows } = await client.query<{ last: number }>(
    'select coalesce(max(number), 0)::int4 as last from schema_migrations',
  )
  return rows[0]?.last ?? 0
}

/** Creates the table of applied migrations. Of two concurrent attempts, one fails, and that is no error. */
async function createMigrationsTable(client: Client): Promise<void> {
  const { rows } = await client.query<{ list: string | null }>(`select to_regclass('schema_migrations')::text as list`)
  if (rows[0]?.list !== null) return
  const create = `
    create table if not exists schema_migrations (
      number integer primary key,
      name text not null,
      applied_at timestamptz not null default now()
    )`
  try {
    await inTransaction(client, () => client.query(create))
  } catch (error) {
    if (!(error instanceof DatabaseError && createdMeanwhile.has(error.code ?? ''))) throw error
  }
}
