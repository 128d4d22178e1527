import { DatabaseSync } from 'node:sqlite'
import { execute } from '../../test/support/postgres.ts'
import type { EngineName } from './engine.ts'

type Env = Readonly<Record<string, string>>

const urlOf = (env: Env) => env['DATABASE_URL'] ?? ''
const lastSequence = 'select coalesce(sum(last_sequence), 0) as number from directory_state'

/** The number of events in a database. On SQLite no service may be running. */
export async function eventsMade(engine: EngineName, env: Env): Promise<number> {
  if (engine === 'postgres') return numberIn(await execute(urlOf(env), lastSequence))
  const db = new DatabaseSync(urlOf(env).slice('sqlite:'.length))
  try {
    return numberIn(db.prepare(lastSequence).all())
  } finally {
    db.close()
  }
}

/**
 * The number of rows inserted, updated and deleted in a PostgreSQL database, from its statistics. A connection reports
 * its rows when it ends, so the service must have stopped.
 */
export async function postgresRowsWritten(env: Env): Promise<number> {
  const url = urlOf(env)
  const others =
    'select count(*) as number from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  while (numberIn(await execute(url, `${others} and backend_type = 'client backend'`)) > 0);
  const sum = 'select sum(n_tup_ins + n_tup_upd + n_tup_del) as number from pg_stat_user_tables'
  return numberIn(await execute(url, sum))
}

function numberIn(rows: readonly Readonly<Record<string, unknown>>[]): number {
  return Number(rows[0]?.['number'] ?? 0)
}
