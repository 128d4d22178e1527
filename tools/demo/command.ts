import { PortInUse } from '../../src/app/listen-errors.ts'
import { createLog } from '../../src/app/log.ts'
import type { RunningServer } from '../../src/app/server.ts'
import { startServer } from '../../src/app/server.ts'
import type { Settings } from '../../src/app/settings.ts'
import { readSettings } from '../../src/app/settings.ts'
import { consoleText, firstStepsText } from '../../src/cli/terminal/first-steps.ts'
import type { CommandIo } from '../../src/cli/terminal/io.ts'
import { whenAborted } from '../../src/cli/terminal/io.ts'
import { parseOptions, rejectArguments, unexpectedArguments } from '../../src/cli/terminal/options.ts'
import type { FakeGoogle } from '../fake-google/server.ts'
import { settingsOf, startFakeGoogle } from '../fake-google/server.ts'
import { runAccidentDemo } from './accident.ts'
import { companyDomain } from './google/company.ts'
import { runGoogleDemo } from './google/demo.ts'
import { runPolisDemo } from './polis/demo.ts'
import { movedDatabaseUrl, startMove } from './polis/move.ts'
import { startReceiver } from './receiver.ts'
import type { DemoResult } from './scim-demo.ts'
import { runScimDemo } from './scim-demo.ts'

const help = `rollcall demo [--extdir | --accident | --from-polis] [--once]

Starts the service on an embedded database in ./data/demo, provisions one directory
as Okta does and one as Entra ID does, and shows what a product sees.
With --extdir it syncs a Google Workspace instead, from a local simulation of Google.
With --accident everybody is unassigned by mistake: it shows the hold, the repair and the discard.
With --from-polis the two providers fill an Ory Polis, which is then moved while they go on.
It keeps running until Ctrl-C, or stops at the end with --once.

Example: rollcall demo --extdir --once
`

const databaseUrl = 'sqlite:./data/demo/rollcall.db'

/** What the demo shows instead of the two identity providers. */
const kinds = ['extdir', 'accident', 'from-polis'] as const

/** Runs `rollcall demo` and returns the exit code. */
export async function demoCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(argv, [], [...kinds, 'once'])
  const problems = [...options.problems, ...unexpectedArguments(options)]
  const chosen = kinds.filter((kind) => options.flags.has(kind))
  if (chosen.length > 1) problems.push(`Use either ${chosen.map((kind) => `--${kind}`).join(' or ')}.`)
  if (options.isHelp) io.stdout.write(help)
  if (options.isHelp) return 0
  if (problems.length > 0) return rejectArguments(io, problems, 'demo')
  const [once, isAccident] = [options.flags.has('once'), options.flags.has('accident')]
  if (options.flags.has('from-polis')) return runFromPolis(io, once)
  await using google = options.flags.has('extdir') ? await startFakeGoogle({ domains: [companyDomain] }) : undefined
  const settings = readSettings({ ...demoEnv(io, isAccident), ...(google && settingsOf(google)) })
  const server = await startOnAnyPort(settings, io)
  try {
    return await runDemo(server, settings, google, { io, isAccident, once })
  } finally {
    await server.close()
  }
}

async function runDemo(
  server: RunningServer,
  settings: Settings,
  google: FakeGoogle | undefined,
  { io, isAccident, once }: { readonly io: CommandIo; readonly isAccident: boolean; readonly once: boolean },
): Promise<number> {
  const apiKey = server.firstApiKey ?? settings.API_KEYS[0] ?? ''
  await using receiver = await startReceiver(isAccident ? { keepEvents: 1_000 } : {})
  const options = { ...server, apiKey, receiver, io }
  const run = isAccident ? runAccidentDemo : runScimDemo
  const result = await (google ? runGoogleDemo({ ...options, google }) : run(options))
  return showFirstSteps(server, result, { apiKey, io, once, databaseUrl })
}

/** Shows what can be done with the directories now, and keeps running if it is not run once. */
async function showFirstSteps(
  server: RunningServer,
  { directories, succeeded }: DemoResult,
  { apiKey, io, once, databaseUrl }: { apiKey: string; io: CommandIo; once: boolean; databaseUrl: string },
): Promise<number> {
  io.stdout.write(`\n${firstStepsText({ baseUrl: server.baseUrl, apiKey, directory: directories[0] })}\n`)
  if (once) return succeeded ? 0 : 1
  io.stdout.write(`${consoleText(server, databaseUrl)}\nThe service keeps running. Press Ctrl-C to stop it.\n`)
  await whenAborted(io.signal)
  return 0
}

/** Runs the demo of a move, on a database of its own, which is new each time. */
async function runFromPolis(io: CommandIo, once: boolean): Promise<number> {
  const env = { ...demoEnv(io, false), DATABASE_URL: movedDatabaseUrl }
  await using move = await startMove(env, io)
  const result = await runPolisDemo(move)
  return await showFirstSteps(result.server, result, { apiKey: move.apiKey, io, once, databaseUrl: movedDatabaseUrl })
}

/** Starts the service on the port of the settings or, if that is in use, on a free one. */
async function startOnAnyPort(settings: Settings, { stdout }: CommandIo): Promise<RunningServer> {
  const log = createLog(settings.LOG_LEVEL)
  try {
    return await startServer(settings, log)
  } catch (error) {
    if (!(error instanceof PortInUse)) throw error
    stdout.write(`Port ${settings.PORT} is in use: the demo uses a free one.\n`)
    return startServer({ ...settings, PORT: 0 }, log)
  }
}

/**
 * The environment of the demo, without the settings for the product's own deployment, such as its database and batches.
 */
function demoEnv({ env }: CommandIo, isAccident: boolean) {
  // The log would warn of the hold, which the demo shows itself.
  const { PORT, HOST, API_KEYS, API_KEYS_FILE, LOG_LEVEL = isAccident ? 'error' : 'warn' } = env
  // The simulated identity providers send as fast as they can.
  return { PORT, HOST, API_KEYS, API_KEYS_FILE, LOG_LEVEL, DATABASE_URL: databaseUrl, SCIM_RATE_LIMIT: '0' }
}
