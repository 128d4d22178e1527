import { chmod, writeFile } from 'node:fs/promises'
import { readSettings } from '../../../app/settings.ts'
import { requireFile } from '../../../cli/management/open-database.ts'
import { errorText } from '../../../cli/terminal/error-text.ts'
import type { CommandIo } from '../../../cli/terminal/io.ts'
import type { ParsedOptions } from '../../../cli/terminal/options.ts'
import { parseOptions, rejectArguments } from '../../../cli/terminal/options.ts'
import { createProgress } from '../../../cli/terminal/progress.ts'
import { countOf } from '../../../cli/terminal/quantity.ts'
import { DatabaseInUse } from '../../../store/errors.ts'
import type { ImportMode } from '../context.ts'
import { importModes } from '../context.ts'
import type { ImportReport } from '../report.ts'
import { isFullyRead } from '../report.ts'
import { openPolisSource } from '../source/open.ts'
import { importIntoDatabase } from './into-database.ts'
import { reportText } from './report-text.ts'

const help = `Usage: rollcall import polis --from <address> (--plan | --apply | --verify) [options]

Brings directories with their users, groups and members, setup links and queued events from Ory Polis (BoxyHQ). All ids,
SCIM addresses and secrets stay the same. Nothing is written to Polis.

  --plan               list what would be imported, and what becomes of each conflict; writes nothing
  --apply              import; run it again to bring what has changed in Polis since
  --verify             compare both sides record by record

  --from <address>     the database of Polis (postgres://, mysql://, mariadb:// or mongodb://), or a running Polis (https://)
  --key <key>          the DB_ENCRYPTION_KEY of Polis, if it has one (default: POLIS_ENCRYPTION_KEY)
  --api-key <key>      an API key of a running Polis (default: POLIS_API_KEY)
  --tenant <tenant>    only the directories of this tenant
  --product <product>  only the directories of this product
  --report <file>      write everything that was found to a file, as JSON; it contains no secrets
  --resync             with --apply, at the end: send everything that the imported directories hold to their consumers
  -h, --help           show this text

The settings of the service (DATABASE_URL, ENCRYPTION_KEY) say where the directories go. On PostgreSQL the service may be
running; the file of an embedded database is in use while it does. A directory that has had a change of its own here is
not imported again.

Example: rollcall import polis --from postgres://polis:secret@db.example.com/polis --plan --report plan.json

Exit codes: 0 done, 1 failed or --verify found differences, 2 wrong arguments, 3 done, but some directories were not
imported or something in Polis could not be read, 130 interrupted.
`

const valueOptions = ['from', 'key', 'api-key', 'tenant', 'product', 'report']

/** Runs `rollcall import polis` and returns the exit code. */
export async function importCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(argv, valueOptions, [...importModes, 'resync'])
  if (options.isHelp) {
    io.stdout.write(help)
    return 0
  }
  const modes = importModes.filter((mode) => options.flags.has(mode))
  const [mode] = modes
  const problems = argumentProblems(options, modes)
  if (mode === undefined || problems.length > 0) return rejectArguments(io, problems, 'import')
  try {
    const report = await run(mode, options, io)
    const { report: file } = options.values
    if (file !== undefined) await writeReport(file, report)
    io.stdout.write(reportText(report, io))
    if (file !== undefined) io.stdout.write(`The report is in ${file}.\n`)
    return exitCodeOf(report)
  } catch (error) {
    const isInterrupted = io.signal?.aborted === true
    io.stderr.write(isInterrupted ? 'Interrupted: run it again to continue.\n' : errorText(described(error)))
    return isInterrupted ? 130 : 1
  }
}

function argumentProblems(
  { problems, positionals, values, flags }: ParsedOptions,
  modes: readonly ImportMode[],
): string[] {
  const [service, ...extra] = positionals
  return [
    ...problems,
    ...(service === 'polis' ? [] : ['Say what to import from: polis.']),
    ...extra.map((one) => `${JSON.stringify(one)} is an unexpected argument.`),
    ...(values['from'] === undefined ? ['Name the database or the address of Polis with --from <address>.'] : []),
    ...(modes.length === 1 ? [] : ['Say what to do: one of --plan, --apply and --verify.']),
    ...(flags.has('resync') && modes[0] !== 'apply' ? ['--resync goes with --apply.'] : []),
  ]
}

async function run(mode: ImportMode, { values, flags }: ParsedOptions, io: CommandIo): Promise<ImportReport> {
  const { from = '', key = io.env['POLIS_ENCRYPTION_KEY'], 'api-key': apiKey = io.env['POLIS_API_KEY'] } = values
  const settings = readSettings(io.env)
  requireFile(settings.DATABASE_URL)
  const source = await openPolisSource({ from, key, apiKey })
  const progress = createProgress(io)
  try {
    return await importIntoDatabase({
      ...{ mode, source, from, signal: io.signal, withResync: flags.has('resync') },
      filter: { tenant: values['tenant'], product: values['product'] },
      databaseUrl: settings.DATABASE_URL,
      encryptionKey: settings.ENCRYPTION_KEY,
      poolSize: settings.DATABASE_POOL_SIZE,
      directUrl: settings.DATABASE_DIRECT_URL,
      onProgress: ({ directories: done, directoriesTotal: total, users }) =>
        progress.show({ label: 'Directories', done, total, note: countOf(users, 'user') }),
    })
  } finally {
    progress.end()
    await source.close()
  }
}

/** The file of an embedded database belongs to one process. */
function described(error: unknown): unknown {
  if (!(error instanceof DatabaseInUse)) return error
  const advice = 'A running service uses the database file: stop it while you import, or let it use PostgreSQL.'
  return new Error(advice, { cause: error })
}

function exitCodeOf(report: ImportReport): number {
  const { mode, difference_count, directories } = report
  if (difference_count > 0) return 1
  const isLeft = directories.some(({ outcome }) => outcome === 'refused' || outcome === 'changed-here')
  return (isLeft && mode !== 'verify') || !isFullyRead(report) ? 3 : 0
}

/**
 * Writes a report as JSON, over an earlier one. It names people: only its owner can read it.
 *
 * @throws Error that says what to do when the file cannot be written
 */
export async function writeReport(file: string, report: ImportReport): Promise<void> {
  try {
    await writeFile(file, '', { mode: 0o600 })
    await chmod(file, 0o600)
    await writeFile(file, `${JSON.stringify(report, undefined, 2)}\n`)
  } catch (cause) {
    throw new Error(`The report cannot be written to ${file}: name a file that this user can write.`, { cause })
  }
}
