import type { Settings } from '../app/settings.ts'
import { readSettings } from '../app/settings.ts'
import type { StoreLog } from '../store/log.ts'
import { migratePostgres } from '../store/postgres/migrate.ts'
import { maxPartitions } from '../store/postgres/partitions.ts'
import { serversAt } from '../store/postgres/servers.ts'
import { version } from '../version.ts'
import { openStoreOf } from './management/open-database.ts'
import { errorText } from './terminal/error-text.ts'
import type { CommandIo } from './terminal/io.ts'
import type { ParsedOptions } from './terminal/options.ts'
import { parseOptions, rejectArguments, unexpectedArguments } from './terminal/options.ts'

const help = `Usage: rollcall migrate [options]

Migrates the database to the schema of this version, as every start of the service does, and exits. It reads the settings
of the service from the environment or from a file .env.

  --partitions <number>   on an empty PostgreSQL database: create each table with this number of hash partitions (1 to ${maxPartitions}),
                          by directory. This cannot be changed later; the number must be the same when you run it again
  -h, --help              show this text

Example: rollcall migrate --partitions 8

Exit codes: 0 done, 1 failed, 2 wrong arguments.
`

/** Runs `rollcall migrate` and returns the exit code. */
export async function migrateCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(argv, ['partitions'])
  const { partitions, problems } = readPartitionCount(options)
  if (options.isHelp) io.stdout.write(help)
  if (options.isHelp) return 0
  if (problems.length > 0) return rejectArguments(io, problems, 'migrate')
  try {
    await migrateDatabase(readSettings(io.env), partitions, progressOf(io))
    io.stdout.write(`The database has the schema of Rollcall ${version}.\n`)
    return 0
  } catch (error) {
    io.stderr.write(errorText(error))
    return 1
  }
}

function readPartitionCount(options: ParsedOptions): {
  readonly partitions: number | undefined
  readonly problems: readonly string[]
} {
  const text = options.values['partitions']
  const partitions = text === undefined ? undefined : Number(text)
  const isValid =
    partitions === undefined || (Number.isInteger(partitions) && partitions >= 1 && partitions <= maxPartitions)
  const invalid = `--partitions must be a whole number from 1 to ${maxPartitions}, not ${JSON.stringify(text)}.`
  return {
    partitions,
    problems: [...options.problems, ...unexpectedArguments(options), ...(isValid ? [] : [invalid])],
  }
}

/** Writes a line when a migration begins and ends. */
function progressOf({ stderr }: CommandIo): StoreLog {
  const write = (details: object, message: string) => {
    stderr.write('migration' in details ? `${details.migration}: ${message}\n` : `${message}\n`)
  }
  return { info: write, warn: write }
}

async function migrateDatabase(settings: Settings, partitions: number | undefined, log: StoreLog): Promise<void> {
  const { DATABASE_URL, DATABASE_DIRECT_URL } = settings
  if (!DATABASE_URL.startsWith('sqlite:')) {
    const servers =
      DATABASE_DIRECT_URL === undefined
        ? serversAt(DATABASE_URL, 'DATABASE_URL')
        : serversAt(DATABASE_DIRECT_URL, 'DATABASE_DIRECT_URL')
    return migratePostgres({ servers, partitions, log })
  }
  if (partitions !== undefined) {
    throw new Error(
      'An embedded database has no partitions: leave --partitions out, or set DATABASE_URL to postgres://…',
    )
  }
  const store = await openStoreOf(settings, log)
  await store.close()
}
