import type { DatabaseSync } from 'node:sqlite'
import { pendingMigrations, readMigrations } from '../migrations.ts'

/**
 * Brings the schema up to date, each migration in a transaction; `user_version` holds the number of the last.
 *
 * @throws Error when the database is newer than this code
 */
export function migrate(db: DatabaseSync): void {
  const applied = Number(db.prepare('pragma user_version').get()?.['user_version'])
  const migrations = readMigrations(new URL('migrations/', import.meta.url))
  for (const { number, sql } of pendingMigrations(migrations, applied)) {
    db.exec(`begin immediate;\n${sql}\npragma user_version = ${number};\ncommit;`)
  }
}
