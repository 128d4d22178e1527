import { readdirSync, readFileSync } from 'node:fs'

/** One step of the schema: plain SQL, numbered, forward only, never edited after its release. */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly sql: string
}

/** Reads the migrations of a folder, in order. Their files are named `0001-what-it-does.sql`, without gaps. */
export function readMigrations(folder: URL): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  return names.map((name, index) => {
    const number = Number.parseInt(name, 10)
    if (number !== index + 1) throw new Error(`The migration ${name} should be number ${index + 1}.`)
    return { number, name, sql: readFileSync(new URL(name, folder), 'utf8') }
  })
}

/**
 * The migrations that have not been applied to a database.
 *
 * @param applied the number of the last one that was applied, 0 for an empty database
 * @throws Error when the database is newer than this code
 */
export function pendingMigrations(migrations: readonly Migration[], applied: number): readonly Migration[] {
  if (applied > migrations.length) {
    throw new Error(
      `The database was migrated by a newer Rollcall (schema ${applied}, this one knows ${migrations.length}): run that version or a later one.`,
    )
  }
  return migrations.slice(applied)
}
