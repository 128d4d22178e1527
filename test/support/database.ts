import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import pg from 'pg'

/** The databases that the service runs on. */
export const engines = ['sqlite', 'postgres'] as const
export type Engine = (typeof engines)[number]

/** Defines the same tests for every engine; `TEST_ENGINES` (separated by commas) picks some of them. */
export function forEachEngine(define: (engine: Engine) => void): void {
  const wanted = process.env['TEST_ENGINES']?.split(',')
  for (const engine of engines) {
    if (wanted === undefined || wanted.includes(engine)) describe(engine, () => define(engine))
  }
}

/** An empty database of its own for one test, which outlives the services that are started on it. */
export interface TestDatabase extends AsyncDisposable {
  readonly engine: Engine
  /** The settings that lead there. */
  readonly env: Readonly<Record<string, string>>
  /** A folder for the test, which is deleted with the database. On SQLite the database is in it. */
  readonly folder: string
}

/** Makes an empty database. PostgreSQL is started at the first call and stopped when the tests of the file are over. */
export async function openTestDatabase(engine: Engine): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-test-'))
  const removeFolder = () => rm(folder, { recursive: true, force: true })
  if (engine === 'sqlite') {
    const env = { DATABASE_URL: `sqlite:${join(folder, 'rollcall.db')}` }
    return { engine, env, folder, [Symbol.asyncDispose]: removeFolder }
  }
  const { url, drop } = await createPostgresDatabase()
  return {
    engine,
    env: { DATABASE_URL: url, ENCRYPTION_KEY: testEncryptionKey, DATABASE_POOL_SIZE: '4' },
    folder,
    async [Symbol.asyncDispose]() {
      await drop()
      await removeFolder()
    },
  }
}

export const testEncryptionKey: string = Buffer.alloc(32, 7).toString('base64')

let server: Promise<{ readonly url: string } & AsyncDisposable> | undefined

after(async () => {
  await (await server)?.[Symbol.asyncDispose]()
})

async function createPostgresDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  server ??= import('./postgres.ts').then(({ startPostgres }) => startPostgres())
  const base = (await server).url
  const name = `t${randomBytes(8).toString('hex')}`
  await execute(base, `create database ${name}`)
  const url = new URL(base)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => execute(base, `drop database if exists ${name} with (force)`) }
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
