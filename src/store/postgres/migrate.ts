import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { DatabaseError } from 'pg'
import { StoreUnavailable } from '../errors.ts'
import type { MigrationLines, StoreLog } from '../log.ts'
import { createMigrationLines, silentStoreLog } from '../log.ts'
import type { AppliedMigration, Migration } from '../migrations.ts'
import { pendingMigrations, readMigrations } from '../migrations.ts'
import { integer, optionalText } from '../row.ts'
import type { Statement } from '../sql-database.ts'
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
  /** By default no lines are written. */
  readonly log?: StoreLog
  /** By default those of this version. */
  readonly migrations?: readonly Migration[]
}

const known = () => readMigrations('postgres')

/**
 * Applies the pending migrations, each in a transaction. Any number of processes may do so concurrently: each migration is
 * applied under a lock on the table `schema_migrations`, which others can still read.
 *
 * @throws Error when an older or newer version made the database, it has an unknown schema, or other partitions than those that are
 *   asked for; it is unchanged then
 * @throws StoreUnavailable when it cannot be reached, or others do not release the locks that a migration needs
 */
export async function migratePostgres(options: MigrateOptions): Promise<void> {
  const migrations = options.migrations ?? known()
  const lines = createMigrationLines(options.log ?? silentStoreLog)
  await withSingleConnection({ servers: options.servers, responseMs }, async (client) => {
    const repeat = createRepeat(performance.now() + (options.patienceMs ?? patienceMs))
    while (await repeat(() => isPending(client, migrations, options.partitions)))
      if (await repeat(() => applyNext(client, migrations, options.partitions, lines))) lines.end()
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

async function isPending(
  client: Client,
  migrations: readonly Migration[],
  partitions: number | undefined,
): Promise<boolean> {
  const isLeft = await inTransaction(client, async () => {
    const pending = await pendingPostgresMigrations(client, migrations)
    if (partitions !== undefined && pending.length < migrations.length) await requirePartitions(client, partitions)
    return pending.length > 0
  })
  if (isLeft) await createMigrationsTable(client)
  return isLeft
}

/**
 * The migrations that a database lacks.
 *
 * @throws Error when an older or newer version made the database, or it has an unknown schema
 */
export async function pendingPostgresMigrations(
  client: Client,
  migrations: readonly Migration[] = known(),
): Promise<readonly Migration[]> {
  return pendingMigrations(migrations, await readApplied(client))
}

/** Selects the migrations that a newer version has applied since this process began. */
export function newerMigrations(): Statement {
  return { text: 'select number from schema_migrations where number > $1', values: [known().length], isRare: true }
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

/** Returns false when another process has applied the last one meanwhile. */
function applyNext(
  client: Client,
  migrations: readonly Migration[],
  partitions: number | undefined,
  lines: MigrationLines,
): Promise<boolean> {
  return inTransaction(client, async () => {
    await client.query('lock table schema_migrations in share row exclusive mode')
    const pending = await pendingPostgresMigrations(client, migrations)
    const [next] = pending
    if (next === undefined) return false
    lines.begin(next, next.number - 1)
    const { number, name, sql, digest } = next
    const ofTable = pending.length === migrations.length ? partitions : await readPartitions(client)
    await (ofTable === undefined
      ? client.query(sql)
      : applyPartitioned(client, partitionedSql(sql, directoryTables(migrations), ofTable)))
    await client.query('insert into schema_migrations (number, name, digest) values ($1, $2, $3)', [
      number,
      name,
      digest,
    ])
    return true
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

async function readApplied(client: Client): Promise<AppliedMigration[]> {
  const { rows: columns } = await client.query<{ name: string }>(`
    select attname as name from pg_attribute
    where attrelid = to_regclass('schema_migrations') and attnum > 0 and not attisdropped`)
  if (columns.length === 0) return []
  const digest = columns.some(({ name }) => name === 'digest') ? 'digest' : 'null::text as digest'
  const { rows } = await client.query(`select number, ${digest} from schema_migrations order by number`)
  return rows.map((row) => ({ number: integer(row, 'number'), digest: optionalText(row, 'digest') }))
}

/** Creates the table of applied migrations. Of two concurrent attempts, one fails, and that is no error. */
async function createMigrationsTable(client: Client): Promise<void> {
  const create = `
    create table if not exists schema_migrations (
      number integer primary key,
      name text not null,
      applied_at timestamptz not null default now(),
      digest text not null
    )`
  try {
    await inTransaction(client, () => client.query(create))
  } catch (error) {
    if (!(error instanceof DatabaseError && createdMeanwhile.has(error.code ?? ''))) throw error
  }
}
