import type { DatabaseSync } from 'node:sqlite'
import { pendingMigrations, readMigrations } from '../migrations.ts'

/**
 * Applies the pending migrations, each in a transaction; `user_version` is the number of the last one.
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
