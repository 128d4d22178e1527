import { clusterUrl, createCluster, freePort } from '../../../tools/polis/postgres-cluster.ts'
import type { TestDatabase } from '../../support/database.ts'
import { testEncryptionKey } from '../../support/database.ts'

/** A PostgreSQL server that a test may stop and start. */
export interface OwnPostgres extends AsyncDisposable {
  readonly database: TestDatabase
  /** Ends every connection, like an administrator who shuts the server down. */
  stop(): Promise<void>
  /** Ends every connection immediately; nobody gets the locks that another one held. */
  crash(): Promise<void>
  /** Starts it again, on the same port with the same data. */
  start(): Promise<void>
}

/** Starts a server of its own in a temporary folder on a free port. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  await using undo = new AsyncDisposableStack()
  const cluster = undo.use(
    await createCluster({
      initdbFlags: ['--no-sync', '--encoding=UTF8'],
      settings: { listen_addresses: '127.0.0.1', unix_socket_directories: '' },
    }),
  )
  const port = await freePort()
  await cluster.start(port)
  const env = { DATABASE_URL: clusterUrl(port), ENCRYPTION_KEY: testEncryptionKey, DATABASE_POOL_SIZE: '4' }
  const owned = undo.move()
  return {
    database: { engine: 'postgres', env, folder: cluster.dataFolder, [Symbol.asyncDispose]: async () => {} },
    stop: () => cluster.stop(),
    crash: () => cluster.stop('SIGQUIT'),
    start: () => cluster.start(port),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
