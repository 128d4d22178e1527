import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../test/support/postgres.ts'

export const engineNames = ['sqlite', 'postgres'] as const
export type EngineName = (typeof engineNames)[number]

/** A database engine; its databases are deleted when it is disposed of. */
export interface Engine extends AsyncDisposable {
  readonly name: EngineName
  /** Creates an empty database; returns the settings for a server that uses it. */
  newDatabase(): Promise<Readonly<Record<string, string>>>
}

export const apiKey = 'bench-api-key-of-32-characters-0'

export const encryptionKey: string = Buffer.alloc(32, 7).toString('base64')

/** A setting with which deletions and removals are counted as usual, and never reach the removal limit. */
export const withoutHolds = { DSYNC_REMOVAL_LIMIT_MINIMUM: '1000000' }

const common = { API_KEYS: apiKey, ENCRYPTION_KEY: encryptionKey }

export function openEngine(name: EngineName): Promise<Engine> {
  return name === 'sqlite' ? sqliteEngine() : postgresEngine()
}

async function sqliteEngine(): Promise<Engine> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-bench-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  return {
    name: 'sqlite',
    async newDatabase() {
      return { ...common, DATABASE_URL: `sqlite:${join(folder, `${randomBytes(4).toString('hex')}.db`)}` }
    },
    async [Symbol.asyncDispose]() {
      process.off('exit', remove)
      remove()
    },
  }
}

/** The PostgreSQL server of the tests, syncing to disk at every commit, or that of TEST_DATABASE_URL. */
async function postgresEngine(): Promise<Engine> {
  const databases = new AsyncDisposableStack()
  return {
    name: 'postgres',
    async newDatabase() {
      const { url } = databases.use(await startPostgres())
      return { ...common, DATABASE_URL: url }
    },
    [Symbol.asyncDispose]: () => databases.disposeAsync(),
  }
}
