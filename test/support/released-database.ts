import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import type { DirectoryView } from '../../src/directory/directory-view.ts'
import type { Migration } from '../../src/store/migrations.ts'
import { readMigrations } from '../../src/store/migrations.ts'
import type { Engine, TestDatabase } from './database.ts'
import { openTestDatabase, testEncryptionKey } from './database.ts'
import { execute, startPostgres } from './postgres.ts'

/** One folder for each released version, with what its migrations and its database were. */
export const releasedFolder = new URL('../service/process/released/', import.meta.url)

/** The settings of the services that write and read the databases. */
export const releasedSettings = {
  EXTERNAL_URL: 'https://sync.acme.example',
  DSYNC_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1',
  EVENT_RETENTION_DAYS: '3650',
} as const

/** What was read from a database when it was released. */
export interface ReleasedContent {
  readonly directory: Pick<DirectoryView, 'id' | 'scim'>
  /** Responses of the directory-sync API, by the path of their request. */
  readonly api: Readonly<Record<string, unknown>>
  /** Responses to SCIM requests, likewise. */
  readonly scim: Readonly<Record<string, unknown>>
}

/** The digests of the migrations of each database engine, by the names of their files. */
export type Digests = Readonly<Record<Engine, Readonly<Record<string, string>>>>

/** The released versions. */
export async function releasedVersions(): Promise<string[]> {
  const entries = await readdir(releasedFolder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

/** Reads a file of a released version. */
export function readReleased(version: string, file: string): Promise<string> {
  return readFile(new URL(`${version}/${file}`, releasedFolder), 'utf8')
}

/** The migrations of today's code. */
export function migrationsOf(engine: Engine): Migration[] {
  return readMigrations(new URL(`../../src/store/${engine}/migrations/`, import.meta.url))
}

/** The digests of today's migrations. */
export function digestsOf(engine: Engine): Record<string, string> {
  const digest = (sql: string) => createHash('sha256').update(sql).digest('hex')
  return Object.fromEntries(migrationsOf(engine).map(({ name, sql }) => [name, digest(sql)]))
}

/** Creates the database of a released version: its migrations, then its rows. */
export async function openReleased(version: string, engine: Engine): Promise<TestDatabase> {
  const digests: Digests = JSON.parse(await readReleased(version, 'migrations.json'))
  const migrations = migrationsOf(engine).slice(0, Object.keys(digests[engine]).length)
  const rows = await readReleased(version, `${engine}.sql`)
  const schema = migrations.map(({ sql }) => sql).join('\n')
  const database = await openTestDatabase('sqlite', { isEmpty: true })
  if (engine === 'sqlite') {
    const url = database.env['DATABASE_URL'] ?? ''
    using db = new DatabaseSync(url.slice('sqlite:'.length), { enableForeignKeyConstraints: false })
    db.exec(`begin;\n${schema}\n${rows}\npragma user_version = ${migrations.length};\ncommit;`)
    return { ...database, env: { ...database.env, ENCRYPTION_KEY: testEncryptionKey } }
  }
  const postgres = await startPostgres({ isEmpty: true })
  const applied = migrations.map(({ number, name }) => `(${number}, '${name}')`).join(', ')
  await execute(
    postgres.url,
    `${schema}\n${rows}
    create table schema_migrations (number integer primary key, name text not null, applied_at timestamptz not null default now());
    insert into schema_migrations (number, name) values ${applied};`,
  )
  const env = { DATABASE_URL: postgres.url, ENCRYPTION_KEY: testEncryptionKey, DATABASE_POOL_SIZE: '4' }
  return {
    ...{ engine, env, folder: database.folder },
    async [Symbol.asyncDispose]() {
      await postgres[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** The rows of a database as statements that insert them, tables in the order of the migrations. */
export async function dumpRows({ engine, env }: TestDatabase): Promise<string> {
  const url = env['DATABASE_URL'] ?? ''
  const sql = migrationsOf(engine).map((migration) => migration.sql)
  const tables = [...sql.join('\n').matchAll(/^create table (\w+) /gm)].map(([, table = '']) => table)
  const lines: string[] = []
  using db = engine === 'sqlite' ? new DatabaseSync(url.slice('sqlite:'.length)) : undefined
  for (const table of tables) {
    const select = `select * from ${table}`
    const rows = db === undefined ? await execute(url, select) : db.prepare(select).all()
    const inserts = rows.map((row) => {
      const values = Object.values(row).map((value) => literal(engine, value))
      return `insert into ${table} (${Object.keys(row).join(', ')}) values (${values.join(', ')});`
    })
    // The migrations have inserted some rows themselves.
    if (inserts.length > 0) lines.push(`delete from ${table};`, ...inserts)
  }
  return `${lines.join('\n')}\n`
}

function literal(engine: Engine, value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number') return String(value)
  if (!(value instanceof Uint8Array)) return `'${String(value).replaceAll("'", "''")}'`
  const hex = Buffer.from(value).toString('hex')
  return engine === 'sqlite' ? `x'${hex}'` : `'\\x${hex}'`
}
