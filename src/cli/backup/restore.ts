import { constants, existsSync, statSync } from 'node:fs'
import { copyFile, mkdir, open, readFile, realpath, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Settings } from '../../app/settings.ts'
import { readSettings } from '../../app/settings.ts'
import type { ErasureToRepeat } from '../../privacy/erase.ts'
import { parseEncryptionKeys, readEncryptionKey } from '../../store/encryption-key.ts'
import { keyFile, logEndings, restoringFile } from '../../store/files.ts'
import { createSealing } from '../../store/sealing.ts'
import type { BackupContents, OpenBackup } from '../../store/sqlite/inspect-backup.ts'
import { openBackup } from '../../store/sqlite/inspect-backup.ts'
import { requireFile } from '../management/open-database.ts'
import { errorText } from '../terminal/error-text.ts'
import type { CommandIo } from '../terminal/io.ts'
import { parseOptions, rejectArguments } from '../terminal/options.ts'
import { countOf } from '../terminal/quantity.ts'
import { erasuresOf, readErasures, repeatErasures, repeatedText } from './erasures.ts'
import { isSameFile } from './files.ts'
import { requireDatabaseFile } from './postgres.ts'
import { checkReplaceable, putInPlace } from './replace.ts'

const help = `Usage: rollcall restore <file> [--force] [--erasures <file>]
       rollcall restore --erasures <file>

Replaces the embedded database that DATABASE_URL names with a backup. Stop the service first. Before anything changes, the
command checks that the backup is undamaged, that this version can read it, and that the encryption key decrypts its secrets.

Erasures of persons that are newer than the backup are repeated before the backup is in place: those of the replaced database,
and those in a file. Without a backup they are repeated in the database as it is, such as PostgreSQL after pg_restore.

  --erasures <file>   a file with the receipts of erasures: the response of GET /api/v1/directory-sync/privacy/erasures,
                      or any other text that has them
  --force             replace an existing database; it is kept next to the new one, with .before-restore at the end of its name,
                      and never overwritten: the next one ends with .before-restore-2
  -h, --help          show this text

Use the encryption key of the backup: put its file next to the database, or set ENCRYPTION_KEY. Example:

  cp /secure/rollcall.key data/rollcall.key
  rollcall restore /var/backups/rollcall.db

Exit codes: 0 done, 1 failed, 2 wrong arguments, 3 done, but erasures could not be repeated.
`

/** Runs `rollcall restore` and returns the exit code. */
export async function restoreCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(argv, ['erasures'], ['force'])
  const [file, ...extra] = options.positionals
  const { erasures } = options.values
  const problems = [
    ...options.problems,
    ...(file === undefined && erasures === undefined ? ['Name the backup to restore.'] : []),
    ...extra.map((one) => `${JSON.stringify(one)} is an unexpected argument.`),
  ]
  if (options.isHelp) io.stdout.write(help)
  if (options.isHelp) return 0
  if (problems.length > 0) return rejectArguments(io, problems, 'restore')
  try {
    const toRepeat = erasures === undefined ? [] : await readErasures(erasures)
    const restored =
      file === undefined
        ? await repeatHere(toRepeat, io)
        : await restore(file, { force: options.flags.has('force'), erasures: toRepeat }, io)
    io.stdout.write(restored.text)
    return restored.isComplete ? 0 : 3
  } catch (error) {
    io.stderr.write(`${errorText(error)}Nothing was restored.\n`)
    return 1
  }
}

/** The result of a restore, for the operator. */
interface Restored {
  readonly text: string
  /** Whether no erasure is left to repeat. */
  readonly isComplete: boolean
}

interface RestoreOptions {
  readonly force: boolean
  readonly erasures: readonly ErasureToRepeat[]
}

/** Restores the backup. */
async function restore(backup: string, { force, erasures }: RestoreOptions, io: CommandIo): Promise<Restored> {
  const settings = readSettings(io.env)
  const database = requireDatabaseFile(settings, backup, 'restore')
  await checkBackup(backup, database)
  if (existsSync(database)) checkReplaceable(database, force)
  const place = await realpath(database).catch(() => database)
  const copy = restoringFile(place)
  try {
    await copyPrivately(backup, copy)
    const contents = check(copy, settings, database)
    const known = new Set(erasuresOf(copy).map(({ id }) => id))
    const all = new Map([...erasuresOf(place), ...erasures].map((erasure) => [erasure.id, erasure]))
    const repeated = await repeat(
      [...all.values()].filter(({ id }) => !known.has(id)),
      await settingsOf(copy, settings, database),
    )
    const kept = await putInPlace(copy, place)
    return { ...repeated, text: doneText(backup, database, contents, kept) + repeated.text }
  } finally {
    for (const ending of ['', ...logEndings]) await rm(copy + ending, { force: true })
  }
}

/** Repeats erasures in the database as it is. */
async function repeatHere(erasures: readonly ErasureToRepeat[], { env }: CommandIo): Promise<Restored> {
  const settings = readSettings(env)
  requireFile(settings.DATABASE_URL)
  return repeat(erasures, settings)
}

/** A database without erasures to repeat is not opened, so that it stays as it is. */
async function repeat(erasures: readonly ErasureToRepeat[], settings: Settings): Promise<Restored> {
  if (erasures.length === 0) return { text: '', isComplete: true }
  const repeated = await repeatErasures(settings, erasures)
  return { text: repeatedText(repeated, erasures.length), isComplete: repeated.problems.length === 0 }
}

/** The settings with which the copy is opened, whose key is that of the database. */
async function settingsOf(copy: string, settings: Settings, database: string): Promise<Settings> {
  const ENCRYPTION_KEY = settings.ENCRYPTION_KEY ?? (await readFile(keyFile(database), 'utf8')).trim()
  return { ...settings, DATABASE_URL: `sqlite:${copy}`, ENCRYPTION_KEY }
}

async function checkBackup(backup: string, database: string): Promise<void> {
  if (!existsSync(backup)) throw new Error(`There is no file ${backup}.`)
  if (await isSameFile(backup, database)) throw new Error(`${backup} is the database itself: name a backup.`)
  const log = logEndings.map((ending) => backup + ending).find((path) => existsSync(path) && statSync(path).size > 0)
  if (log !== undefined) {
    throw new Error(
      `${backup} is a database that was not closed, with its last changes in ${log}: back it up with "rollcall backup", and restore that backup.`,
    )
  }
}

async function copyPrivately(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await rm(to, { force: true })
  await (await open(to, 'wx', 0o600)).close()
  await copyFile(from, to, constants.COPYFILE_FICLONE)
}

function check(copy: string, settings: Settings, database: string): BackupContents {
  using opened = openBackup(copy)
  opened.checkIntegrity()
  checkSecrets(opened, settings, database)
  return opened.contents
}

function checkSecrets(opened: OpenBackup, { ENCRYPTION_KEY }: Settings, database: string): void {
  const needed = opened.contents.keyIds.join(', ')
  const place = keyFile(database)
  if (ENCRYPTION_KEY === undefined && !existsSync(place)) {
    throw new Error(
      `The secrets in the backup were encrypted with the key ${needed}: put its file at ${place}, or set ENCRYPTION_KEY.`,
    )
  }
  const keys = ENCRYPTION_KEY === undefined ? readEncryptionKey(place) : parseEncryptionKeys(ENCRYPTION_KEY)
  if (keys === undefined) throw new Error('ENCRYPTION_KEY is not a key of 32 bytes.')
  try {
    opened.checkSecrets(createSealing(keys))
  } catch (cause) {
    const used = ENCRYPTION_KEY === undefined ? place : 'ENCRYPTION_KEY'
    throw new Error(`${used} cannot decrypt the secrets in the backup, which were encrypted with the key ${needed}.`, {
      cause,
    })
  }
}

function doneText(backup: string, database: string, { directories }: BackupContents, kept: string | undefined): string {
  const before = kept === undefined ? '' : `The previous database is ${kept}.\n`
  return `Restored ${countOf(directories, 'directory', 'directories')} from ${backup} to ${database}.
${before}Start the service, and then resync every directory (POST /api/v1/directory-sync/:id/resync): your product knows
changes that were made after the backup, and Rollcall does not. Cursors of the feed that have passed these changes are
refused with cursor-diverged, and createConsumer requests the resync by itself.
`
}
