import type { DatabaseSync } from 'node:sqlite'
import type { StoreLog } from '../log.ts'
import { createMigrationLines, silentStoreLog } from '../log.ts'
import type { AppliedMigration, Migration } from '../migrations.ts'
import { pendingMigrations, readMigrations } from '../migrations.ts'
import { integer, text } from '../row.ts'

export interface MigrateOptions {
  /** By default no lines are written. */
  readonly log?: StoreLog
  /** By default those of this version. */
  readonly migrations?: readonly Migration[]
}

const known = () => readMigrations('sqlite')

/**
 * Applies the pending migrations, each in a transaction; `user_version` is the number of the last one.
 *
 * @throws Error when an older or newer version made the database, or it has an unknown schema; it is unchanged then
 */
export function migrate(db: DatabaseSync, { log = silentStoreLog, migrations = known() }: MigrateOptions = {}): void {
  const lines = createMigrationLines(log)
  for (const migration of pendingMigrations(migrations, readApplied(db))) {
    const { number, name, sql, digest } = migration
    lines.begin(migration, number - 1)
    db.exec(`begin immediate;
      create table if not exists schema_migrations (number integer primary key, name text not null, digest text not null) strict;
      insert into schema_migrations (number, name, digest) values (${number}, '${name}', '${digest}');
      ${sql}
      pragma user_version = ${number};
      commit;`)
    lines.end()
  }
}

/**
 * The migrations that a database lacks.
 *
 * @throws Error when an older or newer version made the database, or it has an unknown schema
 */
export function pendingSqliteMigrations(db: DatabaseSync, what?: string): readonly Migration[] {
  return pendingMigrations(known(), readApplied(db), what)
}

function readApplied(db: DatabaseSync): AppliedMigration[] | undefined {
  const last = integer(db.prepare('pragma user_version').get() ?? {}, 'user_version')
  const tables = db.prepare(`select name from sqlite_schema where type = 'table'`).all()
  if (last === 0 && tables.length > 0) return undefined
  const isRecorded = tables.some(({ name }) => name === 'schema_migrations')
  const recorded = isRecorded ? db.prepare('select number, digest from schema_migrations').all() : []
  const digests = new Map(recorded.map((row) => [integer(row, 'number'), text(row, 'digest')]))
  return Array.from({ length: last }, (_, n) => ({ number: n + 1, digest: digests.get(n + 1) }))
}
