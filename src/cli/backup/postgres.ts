import type { Settings } from '../../app/settings.ts'
import { databaseFile } from '../../store/files.ts'

/**
 * The file of the embedded database.
 *
 * @throws Error with the commands to use instead for PostgreSQL
 */
export function requireDatabaseFile({ DATABASE_URL }: Settings, name: string, command: 'backup' | 'restore'): string {
  const file = databaseFile(DATABASE_URL)
  if (file !== undefined) return file
  if (DATABASE_URL.startsWith('sqlite:')) throw new Error('A database in memory cannot be backed up.')
  throw new Error(instead[command](JSON.stringify(name)))
}

/** `DATABASE_URL` contains a password, so the commands name the variable. */
const instead = {
  backup: (name: string) =>
    `This command is for the embedded database. Back up PostgreSQL with its own tools, while Rollcall runs:
  pg_dump --format=custom --file=${name} "$DATABASE_URL"
and store ENCRYPTION_KEY in another place: without it, the secrets cannot be decrypted.`,
  restore: (name: string) =>
    `This command is for the embedded database. Stop every process of Rollcall, and restore PostgreSQL with its own tools:
  pg_restore --clean --if-exists --exit-on-error --single-transaction --dbname="$DATABASE_URL" ${name}
Then start Rollcall with the ENCRYPTION_KEY that was used at that time, and run rollcall doctor.`,
} as const
