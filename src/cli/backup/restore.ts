import { constants, existsSync, statSync } from 'node:fs'
import { copyFile, mkdir, open, readFile, realpath, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Settings } from '../../app/settings.ts'
import { readSettings } from '../../app/settings.ts'
import { parseEncryptionKeys, readEncryptionKey } from '../../store/encryption-key.ts'
import { databaseFile, keyFile, logEndings, restoringFile } from '../../store/files.ts'
import type { Sealing } from '../../store/sealing.ts'
import { createSealing } from '../../store/sealing.ts'
import type { BackupContents, OpenBackup } from '../../store/sqlite/inspect-backup.ts'
import { openBackup } from '../../store/sqlite/inspect-backup.ts'
import { requireFile } from '../management/open-database.ts'
import { readKeySet } from '../receipt-files.ts'
import { errorText } from '../terminal/error-text.ts'
import type { CommandIo } from '../terminal/io.ts'
import { parseOptions, rejectArguments } from '../terminal/options.ts'
import { countOf } from '../terminal/quantity.ts'
import type { Receipts, RepeatedErasures, RepeatOptions } from './erasures.ts'
import { erasureIdOf, readReceipts, receiptsOfDatabase, repeatErasures } from './erasures.ts'
import { isSameFile } from './files.ts'
import { requireDatabaseFile } from './postgres.ts'
import { checkReplaceable, putInPlace } from './replace.ts'

const help = `Usage: rollcall restore <file> [--force] [--erasures <file>] [options]
       rollcall restore --erasures <file> [options]

Replaces the embedded database that DATABASE_URL names with a backup. Stop the service first. Before anything changes, the
command checks that the backup is undamaged, that this version can read it, and that the encryption key decrypts its secrets.

Erasures of persons that are newer than the backup are repeated before the backup is in place: those of the replaced database,
and those in a file. Without a backup they are repeated in the database as it is, such as PostgreSQL after pg_restore. Receipts
that this installation has not signed are skipped, and so are users who are active in the backup and not named.

  --erasures <file>        a file with the receipts of erasures: the response of GET /api/v1/directory-sync/privacy/erasures, or
                           of an erasure, or several of them, one in each line; or the database that a restore has replaced
  --jwks <file or url>     public keys of this installation that have signed receipts and are not in the backup: a copy of its
                           /.well-known/jwks.json
  --include-active <ids>   users to erase although they are active in the backup; commas separate several
  --force                  replace an existing database; it is kept next to the new one, with .before-restore at the end of its
                           name, and never overwritten: the next one ends with .before-restore-2
  -h, --help               show this text

Use the encryption key of the backup: put its file next to the database, or set ENCRYPTION_KEY. Example:

  cp /secure/rollcall.key data/rollcall.key
  rollcall restore /var/backups/rollcall.db

Exit codes: 0 done, 1 failed, 2 wrong arguments, 3 done, but erasures were skipped.
`

/** Runs `rollcall restore` and returns the exit code. */
export async function restoreCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(argv, ['erasures', 'jwks'], ['force'], ['include-active'])
  const [file, ...extra] = options.positionals
  const { erasures, jwks } = options.values
  const problems = [
    ...options.problems,
    ...(file === undefined && erasures === undefined ? ['Name the backup to restore.'] : []),
    ...extra.map((one) => `${JSON.stringify(one)} is an unexpected argument.`),
  ]
  if (options.isHelp) io.stdout.write(help)
  if (options.isHelp) return 0
  if (problems.length > 0) return rejectArguments(io, problems, 'restore')
  try {
    const settings = readSettings(io.env)
    const found = erasures === undefined ? none : await readReceipts(erasures, sealingOf(settings))
    const published = jwks === undefined ? [] : (await readKeySet(jwks)).keys
    const repeat = {
      texts: found.texts,
      keys: [...found.keys, ...published],
      includeActive: options.lists['include-active'] ?? [],
    }
    const restored =
      file === undefined
        ? await repeatHere(repeat, settings)
        : await restore(file, { force: options.flags.has('force'), ...repeat }, settings)
    io.stdout.write(restored.text)
    return restored.isComplete ? 0 : 3
  } catch (error) {
    io.stderr.write(`${errorText(error)}Nothing was restored.\n`)
    return 1
  }
}

const none: Receipts = { texts: [], keys: [] }

interface RestoreOptions extends Receipts, RepeatOptions {
  readonly force: boolean
}

/** Restores the backup. */
async function restore(backup: string, options: RestoreOptions, settings: Settings): Promise<RepeatedErasures> {
  const database = requireDatabaseFile(settings, backup, 'restore')
  await checkBackup(backup, database)
  if (existsSync(database)) checkReplaceable(database, options.force)
  const place = await realpath(database).catch(() => database)
  const copy = restoringFile(place)
  try {
    await copyPrivately(backup, copy)
    const contents = check(copy, settings, database)
    const sealing = sealingOf(settings)
    const known = new Set(receiptsOfDatabase(copy, sealing).texts.map(erasureIdOf))
    const replaced = receiptsOfReplaced(place, sealing)
    const texts = [...replaced.texts, ...options.texts].filter((text) => !known.has(erasureIdOf(text)))
    const repeated = await repeat(texts, await settingsOf(copy, settings, database), {
      keys: [...replaced.keys, ...options.keys],
      includeActive: options.includeActive,
    })
    const kept = await putInPlace(copy, place)
    const again = repeated.isComplete ? '' : againText(kept)
    return {
      text: doneText(backup, database, contents, kept) + replaced.problem + repeated.text + again,
      // With a file of receipts, nothing is missed.
      isComplete: repeated.isComplete && (replaced.problem === '' || options.texts.length > 0),
    }
  } finally {
    for (const ending of ['', ...logEndings]) await rm(copy + ending, { force: true })
  }
}

/** The receipts of the database that is replaced, which may be damaged. */
function receiptsOfReplaced(place: string, sealing: Sealing | undefined): Receipts & { readonly problem: string } {
  if (!existsSync(place)) return { ...none, problem: '' }
  try {
    return { ...receiptsOfDatabase(place, sealing), problem: '' }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const problem = `The erasures of the previous database cannot be read (${reason}): pass their receipts with --erasures.\n`
    return { ...none, problem }
  }
}

/** Repeats erasures in the database as it is. */
async function repeatHere({ texts, ...options }: Receipts & RepeatOptions, settings: Settings) {
  requireFile(settings.DATABASE_URL)
  return repeat(texts, settings, options)
}

/** A database without erasures to repeat is not opened, so that it stays as it is. */
async function repeat(texts: readonly string[], settings: Settings, options: RepeatOptions): Promise<RepeatedErasures> {
  if (texts.length === 0) return { text: '', isComplete: true }
  return repeatErasures(settings, texts, options)
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

function checkSecrets(opened: OpenBackup, settings: Settings, database: string): void {
  const needed = opened.contents.keyIds.join(', ')
  const place = keyFile(database)
  const sealing = sealingOf(settings)
  if (sealing === undefined) {
    throw new Error(
      `The secrets in the backup were encrypted with the key ${needed}: put its file at ${place}, or set ENCRYPTION_KEY.`,
    )
  }
  try {
    opened.checkSecrets(sealing)
  } catch (cause) {
    const used = settings.ENCRYPTION_KEY === undefined ? place : 'ENCRYPTION_KEY'
    throw new Error(`${used} cannot decrypt the secrets in the backup, which were encrypted with the key ${needed}.`, {
      cause,
    })
  }
}

/** The keys of the database: those of the settings, else of the file next to it; undefined without both. */
function sealingOf({ ENCRYPTION_KEY, DATABASE_URL }: Settings): Sealing | undefined {
  const database = databaseFile(DATABASE_URL)
  const place = database === undefined ? undefined : keyFile(database)
  if (ENCRYPTION_KEY === undefined)
    return place !== undefined && existsSync(place) ? createSealing(readEncryptionKey(place)) : undefined
  const keys = parseEncryptionKeys(ENCRYPTION_KEY)
  if (keys === undefined) throw new Error('ENCRYPTION_KEY is not a key of 32 bytes.')
  return createSealing(keys)
}

function againText(kept: string | undefined): string {
  const before = kept === undefined ? '<file>' : kept
  return `Repeat what was skipped with rollcall restore --erasures ${before}, and the options that are named above.\n`
}

function doneText(backup: string, database: string, { directories }: BackupContents, kept: string | undefined): string {
  const before = kept === undefined ? '' : `The previous database is ${kept}.\n`
  return `Restored ${countOf(directories, 'directory', 'directories')} from ${backup} to ${database}.
${before}Start the service, and then resync every directory (POST /api/v1/directory-sync/:id/resync): your product knows
changes that were made after the backup, and Rollcall does not. Cursors of the feed that have passed these changes are
refused with cursor-diverged, and createConsumer requests the resync by itself.
`
}
