import { dirname } from 'node:path'
import type { TimeSlices } from '../concurrency/time-slices.ts'
import type { RemovalLimit } from '../directory/removal-limit.ts'
import { keepEncryptionKey, newEncryptionKey, parseEncryptionKeys } from './encryption-key.ts'
import { keyFile, missingDatabaseProblem } from './files.ts'
import type { StoreLog } from './log.ts'
import { silentStoreLog } from './log.ts'
import { createSealing } from './sealing.ts'
import { openSqliteStore } from './sqlite/open.ts'
import type { Store } from './store.ts'

export interface StoreOptions {
  /** `sqlite:<file>` or `postgres://…`. */
  readonly databaseUrl: string
  /** See `parseEncryptionKeys`; required on PostgreSQL. */
  readonly encryptionKey: string | undefined
  /** The most connections to PostgreSQL. */
  readonly poolSize: number
  /** The address of the PostgreSQL server itself when `databaseUrl` is that of a pooler. */
  readonly directUrl?: string | undefined
  /** Called when background work fails; the work is retried. */
  readonly onBackgroundError: (error: unknown) => void
  /** Receives lines about long work, and about what should not remain as it is; by default none are written. */
  readonly log?: StoreLog
  /** The limit at which removals hold the events of directories without one of their own; by default none. */
  readonly removalLimit?: RemovalLimit | null
  /** The time slices of the process, which it shares among long work. */
  readonly slices?: TimeSlices
}

/**
 * Opens a database and migrates it to the current schema.
 *
 * @throws Error when an option is invalid, or it cannot be opened, is newer than this code, or, on SQLite, is in use by another
 * process or was left missing by an interrupted restore
 */
export async function openStore({
  databaseUrl,
  encryptionKey,
  poolSize,
  directUrl,
  onBackgroundError,
  log = silentStoreLog,
  removalLimit = null,
  slices,
}: StoreOptions): Promise<Store> {
  const givenKeys = encryptionKey === undefined ? undefined : requireKeys(encryptionKey)
  if (databaseUrl.startsWith('sqlite:')) {
    const file = databaseUrl.slice('sqlite:'.length)
    try {
      const problem = file === ':memory:' ? undefined : missingDatabaseProblem(file)
      if (problem !== undefined) throw new Error(problem)
      const keys = givenKeys ?? (file === ':memory:' ? newEncryptionKey() : await keepEncryptionKey(keyFile(file), log))
      return openSqliteStore(file, createSealing(keys), onBackgroundError, removalLimit, slices, log)
    } catch (error) {
      throw describeFileError(error, file)
    }
  }
  if (!/^postgres(?:ql)?:\/\//.test(databaseUrl)) throw new Error('databaseUrl must begin with sqlite: or postgres://.')
  if (givenKeys === undefined) throw new Error(`PostgreSQL needs an encryptionKey: ${keyForm}.`)
  const { openPostgresStore } = await import('./postgres/open.ts')
  return openPostgresStore(
    { url: databaseUrl, poolSize, directUrl, removalLimit, log },
    createSealing(givenKeys),
    onBackgroundError,
  )
}

const keyForm = '32 bytes in base64 or 64 hexadecimal digits, such as the output of "openssl rand -base64 32"'

function requireKeys(encryptionKey: string): [Buffer, ...Buffer[]] {
  const keys = parseEncryptionKeys(encryptionKey)
  if (keys === undefined) throw new Error(`encryptionKey must be ${keyForm}; separate several keys by commas.`)
  return keys
}

/** A file or folder that cannot be used gets a message that says what to do; other errors stay as they are. */
function describeFileError(error: unknown, file: string): unknown {
  const problem = fileProblem(error, file)
  if (problem === undefined) return error
  return new Error(`The database ${file} cannot be opened: ${problem}, or name another file in DATABASE_URL.`, {
    cause: error,
  })
}

function fileProblem(error: unknown, file: string): string | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined
  const folder = dirname(file)
  const { code } = error
  if (code === 'ERR_SQLITE_ERROR' && 'errcode' in error) return sqliteProblem(Number(error.errcode) & 0xff, folder)
  if (code === 'EEXIST' || code === 'ENOTDIR') return `${folder} is not a folder; create it`
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    const path = 'path' in error ? String(error.path) : folder
    return `this user may not read and write ${path} (${code}); change its permissions or those of its folder`
  }
  if (code === 'EISDIR') return 'it is a folder; move it away'
  return code === 'ENOENT' ? `the folder ${folder} cannot be created; create it` : undefined
}

/** Result codes of SQLite: the file is read-only, the disk is full, the file cannot be opened, it is no database. */
function sqliteProblem(code: number, folder: string): string | undefined {
  if (code === 8) return 'it is read-only; let this user write to it'
  if (code === 13) return 'the disk is full; free some space'
  if (code === 14) return `it must be a file that this user can write to, as well as the folder ${folder}`
  return code === 26 ? 'it is not a SQLite database; move it away' : undefined
}
