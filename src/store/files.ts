import { existsSync, readdirSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'

/** The file of an embedded database, by `DATABASE_URL`; undefined for PostgreSQL and for a database in memory. */
export function databaseFile(databaseUrl: string): string | undefined {
  const [, file] = /^sqlite:(.+)$/.exec(databaseUrl) ?? []
  return file === ':memory:' ? undefined : file
}

/** The key of `data/rollcall.db` is in `data/rollcall.key`. */
export function keyFile(file: string): string {
  return beside(file, '.key')
}

/** The socket where the process that uses `data/rollcall.db` listens for commands of this machine: `data/rollcall.sock`. */
export function socketFile(file: string): string {
  return beside(file, '.sock')
}

/** An empty file beside `data/rollcall.db`, whose time is that of the last `rollcall backup`. */
function lastBackupFile(file: string): string {
  return beside(file, '.last-backup')
}

/** Remembers that a backup of a database was completed now. */
export function recordBackup(file: string): void {
  writeFileSync(lastBackupFile(file), '', { mode: 0o600 })
}

/** Time of the last backup of a database, in Unix milliseconds; undefined when there was none. */
export function readLastBackup(file: string): number | undefined {
  return statSync(lastBackupFile(file), { throwIfNoEntry: false })?.mtimeMs
}

/** The copy of a backup that `rollcall restore` makes beside the database, before it takes its place. */
export function restoringFile(file: string): string {
  return `${file}.restoring`
}

/** The name under which `rollcall restore` keeps the database that it replaces; further ones get a number at the end. */
export function beforeRestoreFile(file: string, number = 1): string {
  return `${file}.before-restore${number === 1 ? '' : `-${number}`}`
}

/** The files that SQLite keeps beside a database that was not closed: without them, its last commits are lost. */
export const logEndings = ['-wal', '-journal'] as const

/** Says how to continue when a database is missing that an interrupted restore left beside its place; undefined otherwise. */
export function missingDatabaseProblem(file: string): string | undefined {
  const folder = dirname(file)
  if (existsSync(file) || !existsSync(folder)) return undefined
  const beginning = basename(beforeRestoreFile(file))
  const kept = readdirSync(folder).filter((name) => name.startsWith(beginning))
  const [first] = kept
  if (first !== undefined) {
    return `There is no database ${file}, but ${kept.join(' and ')}, which "rollcall restore" replaced. Restore a backup again, or put the old database back: mv '${join(folder, first)}' '${file}'. To begin with an empty database, move it to another folder.`
  }
  const copy = restoringFile(file)
  if (!existsSync(copy)) return undefined
  return `There is no database ${file}, but ${copy}: "rollcall restore" was interrupted. Run it again. To begin with an empty database, remove that file.`
}

/** File systems on which a lock, or what was written, can be lost, by the types of Linux (`linux/magic.h`). */
const unreliableFileSystems: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4266872130: 'SMB',
  4283649346: 'CIFS',
  16914839: '9p',
  1702057286: 'FUSE',
}

/** Says which unreliable file system a database is on; undefined for any other, or if it is not known, as outside Linux. */
export function fileSystemProblem(file: string): string | undefined {
  const name = process.platform === 'linux' ? unreliableFileSystems[fileSystemType(file) ?? 0] : undefined
  return name && `${file} is on ${name}, where locks and writes can be lost, which damages the database`
}

/** The advice for that problem. */
export const localDiskAdvice = 'Move the database and its key to a local disk, or use PostgreSQL (DATABASE_URL).'

function fileSystemType(file: string): number | undefined {
  try {
    return statfsSync(file).type
  } catch {
    return undefined
  }
}

function beside(file: string, extension: string): string {
  return join(dirname(file), `${basename(file, extname(file))}${extension}`)
}
