import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'node:test'
import { openFile } from '../../src/store/sqlite/file.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import { runsAll } from './extent.ts'

/** The supported databases. */
export const engines = ['sqlite', 'postgres'] as const
export type Engine = (typeof engines)[number]

/**
 * Defines the same tests for every database in `npm run test:all`, and for SQLite in `npm test`. `TEST_ENGINES` (separated
 * by commas) chooses others.
 */
export function forEachEngine(define: (engine: Engine) => void): void {
  defineFor(runsAll ? engines : ['sqlite'], define)
}

/** Defines the same tests for every database, in `npm test` as well: what differs between the databases. */
export function onEveryEngine(define: (engine: Engine) => void): void {
  defineFor(engines, define)
}

function defineFor(usual: readonly Engine[], define: (engine: Engine) => void): void {
  const wanted = process.env['TEST_ENGINES']?.split(',')
  for (const engine of engines) {
    if ((wanted ?? usual).includes(engine)) describe(engine, () => define(engine))
  }
}

/** A database of one test, which outlives the services started on it. */
export interface TestDatabase extends AsyncDisposable {
  readonly engine: Engine
  /** The settings to use it. */
  readonly env: Readonly<Record<string, string>>
  /** A folder for the test, deleted with the database. A SQLite database is in it. */
  readonly folder: string
}

/**
 * Creates a migrated database without rows.
 *
 * @param options `isEmpty`: PostgreSQL without tables, SQLite without a file, for tests of migrations and of a missing file
 */
export async function openTestDatabase(
  engine: Engine,
  { isEmpty = false }: { readonly isEmpty?: boolean } = {},
): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-test-'))
  const removeFolder = () => rm(folder, { recursive: true, force: true })
  if (engine === 'sqlite') {
    const file = join(folder, 'rollcall.db')
    if (!isEmpty) await createMigratedFile(file)
    const env = { DATABASE_URL: `sqlite:${file}` }
    return { engine, env, folder, [Symbol.asyncDispose]: removeFolder }
  }
  // loaded lazily: tests that only use SQLite start no server
  const { startPostgres } = await import('./postgres.ts')
  const postgres = await startPostgres({ isEmpty })
  return {
    engine,
    env: { DATABASE_URL: postgres.url, ENCRYPTION_KEY: testEncryptionKey, DATABASE_POOL_SIZE: '4' },
    folder,
    async [Symbol.asyncDispose]() {
      await postgres[Symbol.asyncDispose]()
      await removeFolder()
    },
  }
}

let migrated: Promise<Buffer> | undefined

/** Writes a SQLite database that is migrated: a copy, because migrating takes longer than most tests. */
export async function createMigratedFile(file: string): Promise<void> {
  migrated ??= readMigrated()
  await writeFile(file, await migrated, { mode: 0o600 })
}

async function readMigrated(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-migrated-'))
  try {
    const file = join(folder, 'rollcall.db')
    const db = openFile(file)
    migrate(db)
    db.close()
    return await readFile(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const testEncryptionKey: string = Buffer.alloc(32, 7).toString('base64')
