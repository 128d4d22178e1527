import { Client, DatabaseError } from 'pg'
import type { Migration } from '../migrations.ts'
import { pendingMigrations, readMigrations } from '../migrations.ts'
import { rejectConnection } from './errors.ts'

/** The errors when another process has just created the same table: unique violation, duplicate table, duplicate type. */
const createdMeanwhile: ReadonlySet<string> = new Set(['23505', '42P07', '42710'])

/**
 * Applies the pending migrations, each in a transaction. Any number of processes may do so concurrently: each migration is
 * applied under a lock on the table `schema_migrations`.
 *
 * @throws Error when the database is newer than this code
 * @throws StoreUnavailable when it cannot be reached
 */
export async function migratePostgres(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect().catch(rejectConnection)
    await applyPending(client, readMigrations(new URL('migrations/', import.meta.url)))
  } finally {
    await client.end()
  }
}

async function applyPending(client: Client, migrations: readonly Migration[]): Promise<void> {
  await createMigrationsTable(client)
  while (pendingMigrations(migrations, await lastApplied(client)).length > 0) {
    await client.query('begin isolation level read committed')
    try {
      await client.query('lock table schema_migrations in access exclusive mode')
      const [next] = pendingMigrations(migrations, await lastApplied(client))
      if (next !== undefined) await apply(client, next)
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw error
    }
  }
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
  try {
    await client.query(`
      create table if not exists schema_migrations (
        number integer primary key,
        name text not null,
        applied_at timestamptz not null default now()
      )`)
  } catch (error) {
    if (!(error instanceof DatabaseError && createdMeanwhile.has(error.code ?? ''))) throw error
  }
}
