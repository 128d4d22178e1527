import type { DatabaseSync } from 'node:sqlite'
import type { Migration } from '../migrations.ts'
import { pendingMigrations, readMigrations } from '../migrations.ts'

/**
 * Applies the pending migrations, each in a transaction; `user_version` is the number of the last one.
 *
 * @throws Error when the database is newer than this code
 */
export function migrate(db: DatabaseSync): void {
  for (const { number, sql } of pendingSqliteMigrations(db)) {
    db.exec(`begin immediate;\n${sql}\npragma user_version = ${number};\ncommit;`)
  }
}

/** @throws Error when the database is newer than this code */
export function pendingSqliteMigrations(db: DatabaseSync): readonly Migration[] {
  const applied = Number(db.prepare('pragma user_version').get()?.['user_version'])
  return pendingMigrations(readMigrations(new URL('migrations/', import.meta.url)), applied)
}
