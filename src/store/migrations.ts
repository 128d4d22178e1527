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
  /** Undefined if a version before 0.3.0 applied it, which recorded none. */
  readonly digest: string | undefined
}

/** The digests of the first migrations before 0.3.0. */
const beforeUpgrades: ReadonlySet<string> = new Set([
  'ad66171bb2b276fe0c68935d2869a610e26d6f9c8874ed7d2b882e6c3ca80a74', // SQLite
  '493dc81af74ee830ef62e5c441f14d5710336f68f20a97c4fb052daa8dbe3c0e', // PostgreSQL
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
 * The migrations that a database lacks, from those that it records.
 *
 * @param applied in order; undefined: the database has tables, and no record of migrations
 * @param what the database, for the message
 * @throws Error when a version before 0.3.0 or a newer one made the database, or other migrations than the first ones of this code
 */
export function pendingMigrations(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[] | undefined,
  what = 'The database',
): readonly Migration[] {
  if (applied === undefined)
    throw new Error(unknownSchema(what, 'it has tables, and does not say which migrations made them'))
  const [initial] = applied
  if (initial !== undefined && (initial.digest === undefined || beforeUpgrades.has(initial.digest))) {
    throw new Error(
      `${what} was created by a version before 0.3.0 and cannot be upgraded. Nothing was changed: use the version that created it, or an empty database, which the identity providers fill again.`,
    )
  }
  const newest = applied.at(-1)?.number ?? 0
  if (newest > migrations.length) {
    throw new Error(
      `${what} was migrated by a newer Rollcall (schema ${newest}, this one knows ${migrations.length}): run that version or a later one.`,
    )
  }
  const index = applied.findIndex(({ number, digest }, at) => number !== at + 1 || digest !== migrations[at]?.digest)
  if (index === -1) return migrations.slice(applied.length)
  throw new Error(unknownSchema(what, `its migration ${index + 1} is another one than ${migrations[index]?.name}`))
}

function unknownSchema(what: string, why: string): string {
  return `${what} has a schema that this version does not know: ${why}. Nothing was changed: use the version of Rollcall that wrote it, or another database.`
}
