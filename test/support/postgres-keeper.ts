/**
 * Runs a PostgreSQL server for the process that forked this one. The server and its folder are removed once that
 * process ends for any reason, or disconnects.
 */
import type { PostgresCluster } from '../../tools/polis/postgres-cluster.ts'
import { clusterUrl, createCluster, freePort } from '../../tools/polis/postgres-cluster.ts'

export type KeeperMessage = { readonly url: string } | { readonly problem: string }

/** Another process may take a free port before the server does. */
const maxAttempts = 3

const isFast = process.argv.includes('fast')
const disconnected = new Promise<void>((resolve) => process.once('disconnect', resolve))

function send(message: KeeperMessage): void {
  if (process.connected) process.send?.(message)
}

async function startOnFreePort(cluster: PostgresCluster): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort()
    try {
      await cluster.start(port)
      return clusterUrl(port)
    } catch (error) {
      if (attempt === maxAttempts) throw error
    }
  }
}

try {
  await using cluster = await createCluster({
    // ICU sorts by language, so that a test fails if a column should be compared bytewise and is not declared so. A
    // password is checked with each connection; with one iteration that costs nothing.
    initdbFlags: [
      '--no-sync',
      '--encoding=UTF8',
      '--locale-provider=icu',
      '--icu-locale=en-US',
      '--set=scram_iterations=1',
    ],
    settings: {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      shared_buffers: '64MB',
      max_connections: '300',
      wal_level: 'minimal',
      max_wal_senders: '0',
      ...(isFast ? { fsync: 'off', full_page_writes: 'off' } : {}),
    },
  })
  send({ url: await startOnFreePort(cluster) })
  await disconnected
} catch (error) {
  send({ problem: error instanceof Error ? error.message : String(error) })
}
process.exit()
