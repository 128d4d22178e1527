import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  if (process.env['TMPDIR'] === undefined && (await hasRoomInMemory())) {
    const folder = await mkdtemp(`${memoryFolder}/rollcall-tests-`)
    undo.defer(() => rm(folder, { recursive: true, force: true }))
    // PostgreSQL may run as a user of its own, which must get through to its folder
    await chmod(folder, 0o711)
    process.env['TMPDIR'] = folder
  }
  if (process.env['NODE_COMPILE_CACHE'] === undefined) process.env['NODE_COMPILE_CACHE'] = await codeFolder()
  if (process.env['TEST_DATABASE_URL'] !== undefined) return
  const server = await startServer({ isFast: true })
  undo.defer(server.stop)
  process.env['TEST_POSTGRES_OF_RUN'] = server.url
  process.env['TEST_POSTGRES_TEMPLATE'] = await createTemplate(server.url)
}

export function globalTeardown(): Promise<void> {
  return undo.disposeAsync()
}

async function codeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-code-'))
  undo.defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function hasRoomInMemory(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(memoryFolder)
    return bavail * bsize >= enoughBytes
  } catch {
    return false
  }
}
