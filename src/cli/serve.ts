import { tryItText } from '../../tools/demo/try-it.ts'
import { readSettings, settingTable } from '../app/settings.ts'
import type { RunningServer } from '../app/start.ts'
import { startServer } from '../app/start.ts'
import { createLog } from './log.ts'
import type { CommandIo } from './terminal/io.ts'

/** What `rollcall serve --help` says: every setting. */
function helpText(): string {
  const lines = Object.entries(settingTable).map(([name, { meaning }]) => `  ${name}\n      ${meaning}`)
  return `rollcall serve\n\nRuns the service. Settings, from the environment or a file .env:\n\n${lines.join('\n')}\n`
}

/** Runs the service until it is told to stop; answers the exit code. */
export async function serveCommand(argv: readonly string[], { stdout, env, signal }: CommandIo): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    stdout.write(helpText())
    return 0
  }
  const settings = readSettings(env)
  const log = createLog(settings.LOG_LEVEL)
  const server = await startServer(settings, log)
  stdout.write(`\nRollcall is running. Description of the API: ${server.baseUrl}/docs\n\n${startText(server)}\n`)
  if (settings.ADMIN_ROOT_TOKEN === undefined) stdout.write('The admin API is off: ADMIN_ROOT_TOKEN is not set.\n\n')
  await stopped(signal)
  stdout.write('Stopping: requests and deliveries in flight are finished first.\n')
  await server.close()
  return 0
}

/** What to try, with the key that was made at first start; configured keys are named, not shown. */
function startText({ baseUrl, firstApiKey }: RunningServer): string {
  return tryItText({ baseUrl, apiKey: firstApiKey ?? '<one of API_KEYS>' })
}

/** Resolves when the person at the terminal, or the system, asks to stop. */
export function stopped(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve()
    signal?.addEventListener('abort', () => resolve(), { once: true })
  })
}
