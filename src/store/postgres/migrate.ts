import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { DatabaseError } from 'pg'
import { StoreUnavailable } from '../errors.ts'
import type { Migration } from '../migrations.ts'
import { pendingMigrations, readMigrations } from '../migrations.ts'
import { isConflict, transactionError } from './errors.ts'
import { idleMs, lockMs, lockPauseMs } from './limits.ts'
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
  /** The time to wait for locks that others hold, in milliseconds. */
  readonly patienceMs?: number
}

/**
 * Applies the pending migrations, each in a transaction. Any number of processes may do so concurrently: each migration is
 * applied under a lock on the table `schema_migrations`, which others can still read.
 *
 * @throws Error when the database is newer than this code
 * @throws StoreUnavailable when it cannot be reached, or others do not release the locks that a migration needs
 */
export async function migratePostgres(options: MigrateOptions): Promise<void> {
  const migrations = readMigrations(new URL('migrations/', import.meta.url))
  await withSingleConnection({ servers: options.servers, responseMs }, async (client) => {
    const repeat = createRepeat(performance.now() + (options.patienceMs ?? patienceMs))
    await repeat(() => createMigrationsTable(client))
    while (await repeat(() => isPending(client, migrations))) await repeat(() => applyNext(client, migrations))
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

function isPending(client: Client, migrations: readonly Migration[]): Promise<boolean> {
  return inTransaction(client, async () => pendingMigrations(migrations, await lastApplied(client)).length > 0)
}

function applyNext(client: Client, migrations: readonly Migration[]): Promise<void> {
  return inTransaction(client, async () => {
    await client.query('lock table schema_migrations in share row exclusive mode')
    const [next] = pendingMigrations(migrations, await lastApplied(client))
    if (next !== undefined) await apply(client, next)
  })
}

async function apply(client: Client, { number, name, sql }: Migration): Promise<void> {
  await client.query(sql)
  await client.query('insert into schema_migrations (number, name) values ($1, $2)', [number, name])
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
