import type { DatabaseSync } from 'node:sqlite'
import type { StoreLog } from '../log.ts'
import { createMigrationLines, silentStoreLog } from '../log.ts'
import type { AppliedMigrations, Migration, Upgrade } from '../migrations.ts'
import { digestOf, planUpgrade, readMigrations } from '../migrations.ts'
import { integer, text } from '../row.ts'

/**
 * Applies the pending migrations, each in a transaction; `user_version` is the number of the last one.
 *
 * @throws Error when the database is newer than this code, or has an unknown schema; it is unchanged then
 */
export function migrate(db: DatabaseSync, log: StoreLog = silentStoreLog): void {
  const { pending, unrecorded } = planSqliteUpgrade(db)
  if (unrecorded.length + pending.length === 0) return
  db.exec(`begin immediate;
    create table if not exists schema_migrations (number integer primary key, name text not null, digest text not null) strict;
    ${unrecorded.map(record).join('\n')}
    commit;`)
  const lines = createMigrationLines(log)
  for (const migration of pending) {
    const { number, sql } = migration
    lines.begin(migration, number - 1)
    db.exec(`begin immediate;\n${sql}\n${record(migration)}\npragma user_version = ${number};\ncommit;`)
    lines.end()
  }
}

const record = ({ number, name, digest }: Migration) =>
  `insert into schema_migrations (number, name, digest) values (${number}, '${name}', '${digest}');`

/**
 * Returns the work that an upgrade of the database must do.
 *
 * @throws Error when the database is newer than this code, or has an unknown schema
 */
export function planSqliteUpgrade(db: DatabaseSync, what?: string): Upgrade {
  return planUpgrade(readMigrations(new URL('migrations/', import.meta.url)), readApplied(db), what)
}

function readApplied(db: DatabaseSync): AppliedMigrations {
  const last = integer(db.prepare('pragma user_version').get() ?? {}, 'user_version')
  const schema = db
    .prepare(`select name, sql from sqlite_schema where name not like 'sqlite\\_%' escape '\\' order by name`)
    .all()
  const hasDigests = schema.some(({ name }) => name === 'schema_migrations')
  const recorded = hasDigests ? db.prepare('select number, digest from schema_migrations').all() : []
  const digests = new Map(recorded.map((row) => [integer(row, 'number'), text(row, 'digest')]))
  const applied = Array.from({ length: last }, (_, n) => ({ number: n + 1, digest: digests.get(n + 1) }))
  const isRecorded = hasDigests && digests.size === last
  return { applied, schema: isRecorded || schema.length === 0 ? undefined : digestOf(JSON.stringify(schema)) }
}
