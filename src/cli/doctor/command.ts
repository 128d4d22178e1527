import process from 'node:process'
import { databaseFile } from '../../store/files.ts'
import { version } from '../../version.ts'
import type { CommandIo } from '../terminal/io.ts'
import { parseOptions, rejectArguments, unexpectedArguments } from '../terminal/options.ts'
import { createPalette } from '../terminal/palette.ts'
import { countOf } from '../terminal/quantity.ts'
import type { Check } from './check.ts'
import { ok } from './check.ts'
import { checkEmbedded } from './embedded.ts'
import { checkEndpoints } from './endpoints.ts'
import { checkPostgres } from './postgres.ts'
import { checkSettings } from './settings.ts'

const help = `Usage: rollcall doctor [--endpoints] [--json]

Checks the settings, the database, the encryption key, the clock, the disk and the permissions of files, and says what to
do. It changes nothing, and can run while the service runs.

  --endpoints  also open a connection to the host of every endpoint, 200 at most; nothing is sent
  --json       print {"ok": …, "checks": [{"name", "status", "message", "advice"}]}
  -h, --help   show this text

Run it on the machine of the service, with its settings and as its user. Example:

  rollcall doctor --endpoints

Exit codes: 0 nothing failed (there may be warnings), 1 something failed, 2 wrong arguments.
`

/** Runs `rollcall doctor` and returns the exit code. */
export async function doctorCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(argv, [], ['endpoints', 'json'])
  const problems = [...options.problems, ...unexpectedArguments(options)]
  if (options.isHelp) io.stdout.write(help)
  if (options.isHelp) return 0
  if (problems.length > 0) return rejectArguments(io, problems, 'doctor')
  const checks = await runChecks(options.flags.has('endpoints'), io)
  const isOk = checks.every(({ status }) => status !== 'fail')
  io.stdout.write(
    options.flags.has('json') ? `${JSON.stringify({ ok: isOk, checks }, null, 2)}\n` : reportText(checks, io),
  )
  return isOk ? 0 : 1
}

async function runChecks(withEndpoints: boolean, { env }: CommandIo): Promise<Check[]> {
  const checks = [ok('version', `Rollcall ${version} on Node.js ${process.versions.node}`)]
  const { settings, checks: found } = checkSettings(env)
  checks.push(...found)
  if (settings === undefined) return checks
  const file = databaseFile(settings.DATABASE_URL)
  const database = file === undefined ? await checkPostgres(settings) : await checkEmbedded(file, settings)
  checks.push(...database.checks)
  if (withEndpoints && database.isCurrent) checks.push(...(await checkEndpoints(settings)))
  return checks
}

const statusColumns = 6
const marks = { ok: 'ok', warn: 'warn', fail: 'FAIL' } as const

function reportText(checks: readonly Check[], io: CommandIo): string {
  const { green, yellow, red, bold, dim } = createPalette(io)
  const paint = { ok: green, warn: yellow, fail: red }
  const nameColumns = Math.max(...checks.map(({ name }) => name.length)) + 2
  const indent = ' '.repeat(2 + statusColumns + nameColumns)
  const lines = checks.flatMap(({ name, status, message, advice }) => [
    `  ${paint[status](marks[status].padEnd(statusColumns))}${bold(name.padEnd(nameColumns))}${message}`,
    ...(advice === undefined ? [] : [`${indent}${dim(advice)}`]),
  ])
  const countStatus = (wanted: Check['status']) => checks.filter(({ status }) => status === wanted).length
  const summary = `${countOf(countStatus('fail'), 'failure')}, ${countOf(countStatus('warn'), 'warning')}.`
  return `\n${lines.join('\n')}\n\n${summary}\n`
}
