import { createLog, standardOutput } from '../app/log.ts'
import type { RunningServer } from '../app/server.ts'
import { startServer } from '../app/server.ts'
import { readSettings, settingTable } from '../app/settings.ts'
import { consoleText, firstStepsText } from './terminal/first-steps.ts'
import type { CommandIo } from './terminal/io.ts'
import { whenAborted } from './terminal/io.ts'
import { parseOptions, rejectArguments, unexpectedArguments } from './terminal/options.ts'
import { wrapText } from './terminal/wrap.ts'

/** The width of the descriptions in the help. */
const helpColumns = 100

/** Lists every setting. */
function helpText(): string {
  const settings = Object.entries(settingTable).map(([name, { meaning, defaultValue }]) => {
    const hasDefault = defaultValue !== undefined && !Array.isArray(defaultValue)
    const description = wrapText(meaning, helpColumns).map((line) => `      ${line}`)
    return [`  ${name}${hasDefault ? ` (default ${defaultValue})` : ''}`, ...description].join('\n')
  })
  return `Usage: rollcall serve

Runs the service. It reads these settings from the environment or from a file .env, and needs none of them:

${settings.join('\n')}

Example: PORT=8080 EXTERNAL_URL=https://sync.example.com rollcall serve
`
}

/** Runs the service until the signal is aborted and returns the exit code. */
export async function serveCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(argv, [])
  const problems = [...options.problems, ...unexpectedArguments(options)]
  if (options.isHelp) io.stdout.write(helpText())
  if (options.isHelp) return 0
  return problems.length > 0 ? rejectArguments(io, problems, 'serve') : serve(io)
}

async function serve({ stdout, env, signal }: CommandIo): Promise<number> {
  const settings = readSettings(env)
  const reader = new AbortController()
  const log = createLog(
    settings.LOG_LEVEL,
    standardOutput(() => reader.abort()),
  )
  const server = await startServer(settings, log)
  stdout.write(
    `\nRollcall is running. API reference: ${server.baseUrl}/docs\n${consoleText(server)}\n${startText(server)}`,
  )
  if (settings.ADMIN_ROOT_TOKEN === undefined) stdout.write('The admin API is off: ADMIN_ROOT_TOKEN is not set.\n\n')
  await whenAborted(AbortSignal.any([reader.signal, ...(signal === undefined ? [] : [signal])]))
  stdout.write('Stopping: finishing the requests and deliveries in flight.\n')
  await server.close()
  return 0
}

/** A generated API key with commands to try; a key from `API_KEYS` is never shown. */
function startText({ baseUrl, firstApiKey }: RunningServer): string {
  if (firstApiKey === undefined) return `Base URL: ${baseUrl}\nAPI key: <one of API_KEYS>\n\n`
  return `${firstStepsText({ baseUrl, apiKey: firstApiKey })}\n`
}
