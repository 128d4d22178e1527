import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Client, Pool } from 'pg'
import { migratePostgres } from '../../src/store/postgres/migrate.ts'
import { serversAt } from '../../src/store/postgres/servers.ts'
import type { KeeperMessage } from './postgres-keeper.ts'

/** A database of its own, which is dropped when it is disposed of. */
export interface PostgresDatabase extends AsyncDisposable {
  readonly url: string
}

let server: ReturnType<typeof connectToServer> | undefined

/** Copies the files instead of logging their contents: half the work on a server that syncs nothing to disk. */
const copying = 'strategy file_copy'

export interface PostgresOptions {
  /** Creates a database without tables, for tests of the migrations. */
  readonly isEmpty?: boolean
  /** The name of a database on the same server to copy, instead of the migrated one. */
  readonly template?: string | undefined
}

/**
 * Makes a PostgreSQL database: on the server of `TEST_DATABASE_URL` if that is set (by a role that may create
 * databases), else on that of the whole run (`global-setup.ts`), where it is already migrated, else on one that is
 * started for this process and removed with it.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresDatabase> {
  server ??= connectToServer()
  const { base, client } = await server
  const name = `rollcall_test_${randomBytes(8).toString('hex')}`
  const migrated = options.isEmpty === true ? undefined : process.env['TEST_POSTGRES_TEMPLATE']
  const template = options.template ?? migrated
  await client.query(`create database ${name}${template === undefined ? '' : ` template ${template} ${copying}`}`)
  const url = new URL(base)
  url.pathname = `/${name}`
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      await client.query(`drop database if exists ${name} with (force)`)
    },
  }
}

/** Creates a migrated database on a server; the databases of the tests are copies of it. Returns its name. */
export async function createTemplate(base: string): Promise<string> {
  const name = 'rollcall_migrated'
  await execute(base, `create database ${name}`)
  const url = new URL(base)
  url.pathname = `/${name}`
  await migratePostgres({ servers: serversAt(url.href, 'url') })
  return name
}

/** Runs one statement on a connection of its own. */
export async function execute(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

/** Connects to the server once, because a connection takes as much time as making a database. */
async function connectToServer() {
  const given = process.env['TEST_DATABASE_URL'] ?? process.env['TEST_POSTGRES_OF_RUN']
  const base = given ?? (await startServer({ isFast: false })).url
  const connection = { max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true }
  return { base, client: new Pool({ connectionString: base, ...connection }) }
}

/** A server that was started here. */
interface StartedServer {
  readonly url: string
  /** Resolves when the server has ended and its folder is removed. */
  stop(): Promise<void>
}

/**
 * Starts a server, which lives in a process that stops it when the channel to this one closes.
 *
 * @param isFast nothing is synced to disk: for tests, which stop no machine
 */
export function startServer({ isFast }: { readonly isFast: boolean }): Promise<StartedServer> {
  const path = new URL('postgres-keeper.ts', import.meta.url)
  const keeper = fork(path, isFast ? ['fast'] : [], { detached: true, stdio: 'ignore', execArgv: [] })
  const stop = async () => {
    const ended = once(keeper, 'exit')
    keeper.ref()
    keeper.disconnect()
    await ended
  }
  return new Promise((resolve, reject) => {
    keeper.once('exit', () => reject(new Error('The PostgreSQL server for the tests has ended.')))
    keeper.once('message', (message: KeeperMessage) => {
      keeper.unref()
      keeper.channel?.unref()
      if ('url' in message) resolve({ url: message.url, stop })
      else reject(new Error(`The PostgreSQL server for the tests does not start: ${message.problem}`))
    })
  })
}
