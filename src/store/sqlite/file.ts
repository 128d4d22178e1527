import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DatabaseInUse } from '../errors.ts'

/**
 * Opens a file for this process only. A new file, and with it the log that SQLite keeps beside it, can be read by its owner
 * only, and so can a folder that is made for it.
 *
 * Deleted content is overwritten (`secure_delete`, which leaves what `createOverwriting` overwrites), the log is cut to 16 MiB
 * after larger transactions, and free pages can be given back: see `shrinkFile`.
 *
 * @param file a path, or `:memory:`
 * @throws DatabaseInUse when another process has opened it
 */
export function openFile(file: string): DatabaseSync {
  if (file !== ':memory:') createFile(file)
  const db = new DatabaseSync(file)
  try {
    db.exec('pragma busy_timeout = 0; pragma locking_mode = exclusive')
    // Setting what is set would write to a file that may be refused.
    if (db.prepare('pragma auto_vacuum').get()?.['auto_vacuum'] !== incremental)
      db.exec('pragma auto_vacuum = incremental')
    db.exec(`
      pragma journal_mode = wal;
      pragma journal_size_limit = 16777216;
      pragma synchronous = full;
      pragma secure_delete = on;
      pragma foreign_keys = on;
      pragma cache_size = -2000; pragma wal_autocheckpoint = 4000;
      begin exclusive; commit;`)
    return db
  } catch (error) {
    db.close()
    if (!(error instanceof Error && /locked|busy/i.test(error.message))) throw error
    throw new DatabaseInUse(
      `${file} is in use by another Rollcall process: stop that one, or use PostgreSQL to run several (DATABASE_URL).`,
      { cause: error },
    )
  }
}

/** The value of `auto_vacuum` by which free pages can be given back. */
const incremental = 2

function createFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
}
