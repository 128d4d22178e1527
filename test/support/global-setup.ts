import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTemplate, startServer } from './postgres.ts'

const memoryFolder = '/dev/shm'
const enoughBytes = 4_000_000_000

const undo = new AsyncDisposableStack()

/**
 * Prepares the resources that all files of a run share: temporary folders in memory, where the machine supports that,
 * as the tests make hundreds of databases; compiled code, as each file is a process that loads the service; and a
 * PostgreSQL server with a migrated database to copy. A file that runs alone works without these.
 */
export async function globalSetup(): Promise<void> {
  // Compiled code is kept between runs, where commands keep theirs: this is before the folder for temporary files changes
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache')
  if (process.env['TMPDIR'] === undefined && (await hasRoomInMemory())) {
    const folder = await mkdtemp(`${memoryFolder}/rollcall-tests-`)
    undo.defer(() => rm(folder, { recursive: true, force: true }))
    // PostgreSQL may run as a user of its own, which must get through to its folder
    await chmod(folder, 0o711)
    process.env['TMPDIR'] = folder
  }
  const compiled = compileService()
  if (process.env['TEST_DATABASE_URL'] !== undefined) return compiled
  const [server] = await Promise.all([startServer({ isFast: true }), compiled])
  undo.defer(server.stop)
  process.env['TEST_POSTGRES_OF_RUN'] = server.url
  process.env['TEST_POSTGRES_TEMPLATE'] = await createTemplate(server.url)
}

export function globalTeardown(): Promise<void> {
  return undo.disposeAsync()
}

/** Loads the service in a process, so that the files of the run do not all compile it at once. */
async function compileService(): Promise<void> {
  const load = `await import(${JSON.stringify(import.meta.resolve('./service.ts'))})`
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', load])
}

async function hasRoomInMemory(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(memoryFolder)
    return bavail * bsize >= enoughBytes
  } catch {
    return false
  }
}
