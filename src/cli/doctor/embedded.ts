import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Settings } from '../../app/settings.ts'
import { OpenKeyFile, parseEncryptionKeys, readEncryptionKey } from '../../store/encryption-key.ts'
import { DatabaseInUse } from '../../store/errors.ts'
import { fileSystemProblem, keyFile, localDiskAdvice, missingDatabaseProblem } from '../../store/files.ts'
import { refuseUnreadable, selectUnreadable } from '../../store/reseal.ts'
import { createSealing } from '../../store/sealing.ts'
import { openFile } from '../../store/sqlite/file.ts'
import { pendingSqliteMigrations } from '../../store/sqlite/migrate.ts'
import { createRunStatement } from '../../store/sqlite/sql-database.ts'
import { formatBytes } from '../backup/files.ts'
import { openLocalClient } from '../management/local-client.ts'
import { countOf } from '../terminal/quantity.ts'
import type { Check, DatabaseChecks } from './check.ts'
import { fail, ok, reasonOf, warn } from './check.ts'

/** Thresholds of the free bytes on the disk of the database, for a warning and for a failure. */
const lowSpace = 1e9
const noSpace = 100e6
/** The log is cut to 16 MiB after each checkpoint: a much larger one shows that no checkpoint succeeds. */
const largeLog = 256e6

/**
 * Checks the embedded database, its files and its disk, through a running service if there is one. Nothing is created
 * or migrated.
 */
export async function checkEmbedded(file: string, settings: Settings): Promise<DatabaseChecks> {
  const problem = missingDatabaseProblem(file)
  if (problem !== undefined) {
    const advice = 'Until then the service refuses to start, so that it does not begin with an empty database.'
    return { checks: [fail('database', problem, advice)], isCurrent: false }
  }
  if (!existsSync(file)) {
    const message = `there is none at ${file}; the first start creates it`
    const advice = 'Run this in the folder of the service and with its settings, or start it.'
    return { checks: [warn('database', message, advice)], isCurrent: false }
  }
  const { checks, isCurrent } = await checkDatabase(file, settings)
  const ofFiles = [
    ok('clock', 'the database uses the clock of this machine'),
    checkPermissions(file),
    checkFileSystem(file),
    await checkSpace(file),
    checkLog(file),
  ]
  return { checks: [...checks, ...ofFiles], isCurrent }
}

async function checkDatabase(file: string, settings: Settings): Promise<DatabaseChecks> {
  let db: DatabaseSync
  try {
    db = openFile(file)
  } catch (error) {
    if (error instanceof DatabaseInUse) return { checks: [await checkRunning(file)], isCurrent: true }
    const message = `${file} cannot be opened: ${reasonOf(error)}`
    const advice = isFull(error) ? 'Free some space.' : 'Check its path and permissions, or restore a backup.'
    return { checks: [fail('database', message, advice)], isCurrent: false }
  }
  try {
    const schema = checkSchema(db, file)
    const isCurrent = schema.status === 'ok' && pendingSqliteMigrations(db).length === 0
    return { checks: [schema, checkWritable(db), checkKey(db, file, settings)], isCurrent }
  } finally {
    db.close()
  }
}

/** SQLITE_FULL */
function isFull(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 13
}

async function checkRunning(file: string): Promise<Check> {
  try {
    await using service = openLocalClient(file)
    await service.checkReady()
    return ok('database', `${file} is used by the running service, which can read and write it`)
  } catch (error) {
    return fail('database', reasonOf(error), 'See the log of the service.')
  }
}

function checkSchema(db: DatabaseSync, file: string): Check {
  try {
    const pending = pendingSqliteMigrations(db).length
    return ok(
      'database',
      `${file}; ${pending === 0 ? 'the schema is current' : `the next start applies ${countOf(pending, 'migration')}`}`,
    )
  } catch (error) {
    return fail(
      'database',
      reasonOf(error),
      'Install the version that migrated it, or restore a backup that was made before.',
    )
  }
}

function checkWritable(db: DatabaseSync): Check {
  try {
    db.exec('begin immediate; create table doctor_probe (bytes blob); rollback')
    return ok('writing', 'the database can be written')
  } catch (error) {
    return fail(
      'writing',
      reasonOf(error),
      'Let this user write to the database and its folder, and free space on the disk.',
    )
  }
}

function checkKey(db: DatabaseSync, file: string, { ENCRYPTION_KEY }: Settings): Check {
  const place = ENCRYPTION_KEY === undefined ? keyFile(file) : 'ENCRYPTION_KEY'
  try {
    const keys = ENCRYPTION_KEY === undefined ? readEncryptionKey(place) : parseEncryptionKeys(ENCRYPTION_KEY)
    if (keys !== undefined) refuseUnreadable(createRunStatement(db)(selectUnreadable(createSealing(keys).keyIds)))
    return ok('encryption key', `${place} decrypts the stored secrets`)
  } catch (error) {
    if (error instanceof OpenKeyFile) return fail('encryption key', error.problem, `First ${error.repair}`)
    return fail('encryption key', reasonOf(error), `Put the key that belongs to this database into ${place}.`)
  }
}

/** Checks who may read the file, except on Windows, which has no such permissions. */
function checkPermissions(file: string): Check {
  const paths = [dirname(file), file, keyFile(file)].filter((path) => existsSync(path))
  const open = process.platform === 'win32' ? [] : paths.filter((path) => (statSync(path).mode & 0o077) !== 0)
  if (open.length === 0) return ok('permissions', 'only the owner can read the database and its key')
  const commands = open.map((path) => `chmod go= '${resolve(path)}'`).join(' && ')
  return warn('permissions', `other users of this machine can access ${open.join(', ')}`, `Run: ${commands}`)
}

function checkFileSystem(file: string): Check {
  const problem = fileSystemProblem(file)
  return problem === undefined
    ? ok('file system', 'none that is known to lose locks or writes')
    : warn('file system', problem, localDiskAdvice)
}

async function checkSpace(file: string): Promise<Check> {
  const { bavail, bsize } = await statfs(dirname(file))
  const free = bavail * bsize
  const message = `${formatBytes(free)} free, the database has ${formatBytes(statSync(file).size)}`
  const advice =
    'Free some space: while the disk is full, writes get 503. A backup needs as much space as the database.'
  if (free < noSpace) return fail('disk', message, advice)
  return free < Math.max(lowSpace, statSync(file).size) ? warn('disk', message, advice) : ok('disk', message)
}

function checkLog(file: string): Check {
  const log = `${file}-wal`
  const size = existsSync(log) ? statSync(log).size : 0
  return size < largeLog
    ? ok('log', `the write-ahead log has ${formatBytes(size)}`)
    : warn(
        'log',
        `the write-ahead log has ${formatBytes(size)}`,
        'Restart the service. If it grows again, check the disk for errors.',
      )
}
