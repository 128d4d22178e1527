import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/** One step of the schema: plain SQL, numbered, forward only, never edited after its release. */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly sql: string
  /** The SHA-256 digest of the text, by which a database knows it. */
  readonly digest: string
}

/** A migration that a database records. */
export interface AppliedMigration {
  readonly number: number
  /** Undefined if 0.2.0 applied it, which recorded none. */
  readonly digest: string | undefined
}

/** The migrations that a database records, in order. */
export interface AppliedMigrations {
  readonly applied: readonly AppliedMigration[]
  /** The digest of the schema that the database has, if digests of migrations are missing. */
  readonly schema: string | undefined
}

/** The work that an upgrade must do. */
export interface Upgrade {
  readonly pending: readonly Migration[]
  /** The applied migrations whose digests are not recorded. */
  readonly unrecorded: readonly Migration[]
}

/** The digests of the schemas of 0.2.0, which had one migration and recorded no digest. */
const released: ReadonlySet<string> = new Set([
  'a2afcdec1b8d2a7c75ec308f0be4c98c13f203eb9756f52bd5b8db18c4a7c7ed', // SQLite: the text of its schema
  '0787044b6c460aedbf40367f9d27ca04038257fed2a4e9ca5664b3bba7f512ed', // PostgreSQL: the columns of its tables
])

/** The SHA-256 digest of a text, in hexadecimal digits. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Reads the migrations of a folder, in order. Their files are named `0001-what-it-does.sql`, without gaps. */
export function readMigrations(folder: URL): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  return names.map((name, index) => {
    const number = Number.parseInt(name, 10)
    if (number !== index + 1) throw new Error(`The migration ${name} should be number ${index + 1}.`)
    const sql = readFileSync(new URL(name, folder), 'utf8')
    return { number, name, sql, digest: digestOf(sql) }
  })
}

/**
 * Decides how a database is upgraded, from the migrations that it records.
 *
 * @param what the database, for the message
 * @throws Error when the database is newer than this code, or has another schema than the first migrations make
 */
export function planUpgrade(
  migrations: readonly Migration[],
  { applied, schema }: AppliedMigrations,
  what = 'The database',
): Upgrade {
  const newest = applied.at(-1)?.number ?? 0
  if (newest > migrations.length) {
    throw new Error(
      `${what} was migrated by a newer Rollcall (schema ${newest}, this one knows ${migrations.length}): run that version or a later one.`,
    )
  }
  const pending = migrations.slice(applied.length)
  const known = migrations.slice(0, applied.length)
  if (schema !== undefined) {
    if (applied.length === 1 && released.has(schema)) return { pending, unrecorded: known }
    throw new Error(unknownSchema(what, 'it does not say which migrations made it, and is not that of version 0.2.0'))
  }
  const index = applied.findIndex(({ number, digest }, at) => number !== at + 1 || digest !== known[at]?.digest)
  if (index === -1) return { pending, unrecorded: [] }
  throw new Error(unknownSchema(what, `its migration ${index + 1} is another one than ${known[index]?.name}`))
}

function unknownSchema(what: string, why: string): string {
  return `${what} has a schema that this version does not know: ${why}. Nothing was changed: use the version of Rollcall that wrote it, or another database.`
}
