import { readSettings } from '../app/settings.ts'
import { DatabaseInUse } from '../store/errors.ts'
import { databaseFile } from '../store/files.ts'
import { openFile } from '../store/sqlite/file.ts'
import { openLocalClient } from './management/local-client.ts'
import { requireFile } from './management/open-database.ts'
import { errorText } from './terminal/error-text.ts'
import type { CommandIo } from './terminal/io.ts'
import { parseOptions, rejectArguments, unexpectedArguments } from './terminal/options.ts'

const help = `Usage: rollcall console-link

Prints a link that opens the console of the running service, signed in with its first API key. The link
works once, for ten minutes.

The command asks the service through a socket next to the embedded database, which only the owner of the database can open.
Run it on the machine of the service, with its settings (DATABASE_URL) and as its user. On PostgreSQL there are no such
links: sign in with an API key.

  -h, --help   show this text

Example: xdg-open "$(rollcall console-link)"

Exit codes: 0 done, 1 failed, 2 wrong arguments.
`

/** Runs `rollcall console-link` and returns the exit code. */
export async function consoleLinkCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(argv, [])
  const problems = [...options.problems, ...unexpectedArguments(options)]
  if (options.isHelp) io.stdout.write(help)
  if (options.isHelp) return 0
  if (problems.length > 0) return rejectArguments(io, problems, 'console-link')
  try {
    io.stdout.write(`${await askService(io)}\n`)
    return 0
  } catch (error) {
    io.stderr.write(errorText(error))
    return 1
  }
}

async function askService({ env, signal }: CommandIo): Promise<string> {
  const { DATABASE_URL, EXTERNAL_URL, PORT } = readSettings(env)
  const file = databaseFile(DATABASE_URL)
  if (file === undefined) {
    const baseUrl = EXTERNAL_URL ?? `http://localhost:${PORT}`
    throw new Error(`Sign-in links need a database in a file: sign in at ${baseUrl}/console with an API key.`)
  }
  requireFile(DATABASE_URL)
  if (!isInUse(file)) throw new Error(`No service uses ${file}: start it with "rollcall serve", which prints a link.`)
  await using service = openLocalClient(file, signal)
  return await service.consoleLink()
}

function isInUse(file: string): boolean {
  try {
    openFile(file).close()
    return false
  } catch (error) {
    if (error instanceof DatabaseInUse) return true
    throw error
  }
}
