import { randomBytes } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Settings } from '../../app/settings.ts'
import { readSettings } from '../../app/settings.ts'
import { writeDurably } from '../../store/durable-files.ts'
import { DatabaseInUse } from '../../store/errors.ts'
import { keyFile, recordBackup } from '../../store/files.ts'
import { createFileBackups } from '../../store/sqlite/backup.ts'
import { openFile } from '../../store/sqlite/file.ts'
import { openBackup } from '../../store/sqlite/inspect-backup.ts'
import { openLocalClient } from '../management/local-client.ts'
import { errorText } from '../terminal/error-text.ts'
import type { CommandIo } from '../terminal/io.ts'
import { parseOptions, rejectArguments } from '../terminal/options.ts'
import { countOf, formatMs } from '../terminal/quantity.ts'
import { formatBytes, isSameFile } from './files.ts'
import { requireDatabaseFile } from './postgres.ts'

const help = `Usage: rollcall backup <file> [--force]

Copies the embedded database to a file, whether the service runs or not. The copy contains everything that was committed
before the command started. The file appears when the copy is complete, and only its owner can read it.

The encryption key is not in the backup. Store it in another place.

  --force      replace the file if it exists
  -h, --help   show this text

Run it on the machine of the service, with its settings (DATABASE_URL) and as its user. Example:

  rollcall backup /var/backups/rollcall.db

Exit codes: 0 done, 1 failed, 2 wrong arguments, 130 interrupted.
`

/** Runs `rollcall backup` and returns the exit code. */
export async function backupCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(argv, [], ['force'])
  const [file, ...extra] = options.positionals
  const problems = [
    ...options.problems,
    ...(file === undefined ? ['Name the file to write.'] : []),
    ...extra.map((one) => `${JSON.stringify(one)} is an unexpected argument.`),
  ]
  if (options.isHelp) io.stdout.write(help)
  if (options.isHelp) return 0
  if (file === undefined || problems.length > 0) return rejectArguments(io, problems, 'backup')
  try {
    io.stdout.write(await backUp(file, options.flags.has('force'), io))
    return 0
  } catch (error) {
    const isInterrupted = io.signal?.aborted === true
    io.stderr.write(isInterrupted ? 'Interrupted: no backup was written.\n' : errorText(error))
    return isInterrupted ? 130 : 1
  }
}

/** Makes the backup and returns the message for the operator. */
async function backUp(target: string, force: boolean, io: CommandIo): Promise<string> {
  const settings = readSettings(io.env)
  const database = requireDatabaseFile(settings, target, 'backup')
  await checkTarget(target, database, force)
  const startedAt = performance.now()
  // Each backup has a temporary file of its own, so that two backups to the same file cannot move each other's
  // unfinished copies.
  const part = `${target}.${randomBytes(4).toString('hex')}.part`
  const { where, directories, keyIds } = await writeDurably(target, part, async () => {
    const where = await copyDatabase(database, part, io.signal)
    using copy = openBackup(part)
    return { where, ...copy.contents }
  })
  recordBackup(database)
  const { size } = await stat(target)
  const ms = Math.round(performance.now() - startedAt)
  return `Backed up ${countOf(directories, 'directory', 'directories')} to ${target}: ${formatBytes(size)} in ${formatMs(ms)}, through ${where}.
${keyAdvice(settings, database, keyIds)}`
}

async function checkTarget(target: string, database: string, force: boolean): Promise<void> {
  if (!existsSync(database)) {
    throw new Error(`There is no database ${database}: run this in the folder of the service, or set DATABASE_URL.`)
  }
  if (!existsSync(dirname(target))) throw new Error(`There is no folder ${dirname(target)}: create it first.`)
  for (const own of [database, keyFile(database)]) {
    if (await isSameFile(own, target)) throw new Error(`${target} belongs to the service itself: name another file.`)
  }
  if (!force && existsSync(target)) {
    throw new Error(`${target} exists: name another file, or pass --force to replace it.`)
  }
}

/** Copies the database itself or, while a service uses it, asks that service. Returns the one that made the copy. */
async function copyDatabase(database: string, part: string, signal: AbortSignal | undefined): Promise<string> {
  try {
    const db = openFile(database)
    try {
      await createFileBackups(db).backup(part)
      return 'the database'
    } finally {
      db.close()
    }
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error
    await using service = openLocalClient(database, signal)
    await pipeline(await service.backup(), createWriteStream(part, { flags: 'wx', mode: 0o600 }), { signal })
    return 'the running service'
  }
}

function keyAdvice({ ENCRYPTION_KEY }: Settings, database: string, keyIds: readonly string[]): string {
  const place = ENCRYPTION_KEY === undefined ? keyFile(database) : 'ENCRYPTION_KEY'
  const ids = keyIds.length === 0 ? '' : ` (${keyIds.join(', ')})`
  return `The encryption key${ids} is not in the backup. Store ${place} in another place: without
it, the secrets in the backup cannot be decrypted.
`
}
