import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'node:test'
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

/** Creates an empty database. */
export async function openTestDatabase(engine: Engine): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-test-'))
  const removeFolder = () => rm(folder, { recursive: true, force: true })
  if (engine === 'sqlite') {
    const env = { DATABASE_URL: `sqlite:${join(folder, 'rollcall.db')}` }
    return { engine, env, folder, [Symbol.asyncDispose]: removeFolder }
  }
  // loaded lazily: tests that only use SQLite start no server
  const { startPostgres } = await import('./postgres.ts')
  const postgres = await startPostgres()
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

export const testEncryptionKey: string = Buffer.alloc(32, 7).toString('base64')
