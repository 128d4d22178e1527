import { existsSync } from 'node:fs'
import { linkDurably, moveDurably } from '../../store/durable-files.ts'
import { DatabaseInUse } from '../../store/errors.ts'
import { beforeRestoreFile, logEndings } from '../../store/files.ts'
import { openFile } from '../../store/sqlite/file.ts'

/**
 * Closes an existing database, so that no log remains, which SQLite would apply to the restored one.
 *
 * @throws Error when a service uses the database, it cannot be opened for another reason than damage, its log cannot be
 * written back, or `--force` is missing
 */
export function checkReplaceable(database: string, force: boolean): void {
  if (!force) {
    throw new Error(`The database ${database} exists: pass --force to replace it, or name another one in DATABASE_URL.`)
  }
  try {
    openFile(database).close()
  } catch (error) {
    if (error instanceof DatabaseInUse) {
      throw new Error(`A service uses ${database}: stop it first.`, { cause: error })
    }
    if (!isDamaged(error)) {
      throw new Error(`The database ${database} cannot be opened, so it was not replaced: ${reasonOf(error)}.`, {
        cause: error,
      })
    }
  }
  const log = logEndings.map((ending) => database + ending).find((path) => existsSync(path))
  if (log !== undefined) {
    throw new Error(
      `${log} cannot be written back to the database: free some space on the disk, or move both files to another folder.`,
    )
  }
}

/**
 * Replaces the database by a checked copy. A complete database, old or new, is in place at every moment: the old one
 * gets a second name before a rename replaces it.
 *
 * @returns the name under which the old database is kept; undefined if there was none
 */
export async function putInPlace(copy: string, database: string): Promise<string | undefined> {
  if (!existsSync(database)) {
    await moveDurably(copy, database)
    return undefined
  }
  // A service may have been started since the first check.
  checkReplaceable(database, true)
  const kept = await keep(database)
  await moveDurably(copy, database)
  return kept
}

/** Links the database under a second, unused name. */
async function keep(database: string): Promise<string> {
  for (let number = 1; ; number++) {
    const kept = beforeRestoreFile(database, number)
    if (await linkDurably(database, kept)) return kept
  }
}

/** SQLITE_CORRUPT, SQLITE_NOTADB */
function isDamaged(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && [11, 26].includes(Number(error.errcode) & 0xff)
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
