import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { chown, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PostgresCluster } from '../../tools/polis/postgres-cluster.ts'
import { clusterUrl, createCluster, freePort } from '../../tools/polis/postgres-cluster.ts'
import type { Unit } from './units.ts'

/** A PostgreSQL server whose processes run under callgrind. */
export interface CountedServer extends AsyncDisposable {
  readonly url: string
  /** The instructions of a unit of the protocol; can be read once. */
  instructionsOf(unit: Unit): number
}

/** Whether callgrind is installed. */
export function hasCallgrind(): boolean {
  try {
    execFileSync('valgrind', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '64MB',
  // A table that is vacuumed, or the copy of a whole page in the log, would count for one of the repetitions.
  autovacuum: 'off',
  full_page_writes: 'off',
}

/**
 * Starts a server under callgrind. Each process writes a file with the number of its instructions at the end of each unit of the
 * protocol, before it reports that it is ready for the next one.
 *
 * @param prepare fills the database while the server still runs at full speed
 */
export async function startCounted(prepare: (url: string) => Promise<void>): Promise<CountedServer> {
  const cluster = await createCluster({ initdbFlags: ['--no-sync', '--encoding=UTF8'], settings })
  try {
    const port = await freePort()
    await cluster.start(port)
    await prepare(clusterUrl(port))
    await cluster.stop()
    const counts = await countsFolder(cluster)
    const options = ['--tool=callgrind', '--dump-before=ReadyForQuery', `--callgrind-out-file=${join(counts, '%p')}`]
    await cluster.start(port, ['valgrind', '--quiet', ...options])
    return {
      url: clusterUrl(port),
      instructionsOf: ({ pid, number }) => totalIn(join(counts, `${pid}.${number}`)),
      [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
    }
  } catch (error) {
    await cluster[Symbol.asyncDispose]()
    throw error
  }
}

/** A folder for the files of callgrind, which the account of the server may write to. */
async function countsFolder({ dataFolder }: PostgresCluster): Promise<string> {
  const folder = join(dirname(dataFolder), 'counts')
  mkdirSync(folder)
  const { uid, gid } = await stat(dataFolder)
  await chown(folder, uid, gid)
  return folder
}

/** The instructions in a file of callgrind, which is then removed. */
function totalIn(file: string): number {
  const [, total] = /^(?:summary|totals): (\d+)/m.exec(readFileSync(file, 'latin1')) ?? []
  rmSync(file)
  if (total === undefined) throw new Error(`${file} contains no total.`)
  return Number(total)
}
