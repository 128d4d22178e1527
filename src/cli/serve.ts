import { createLog, heldBack, standardOutput } from '../app/log.ts'
import type { RunningServer } from '../app/server.ts'
import { startServer } from '../app/server.ts'
import type { Settings } from '../app/settings.ts'
import { readSettings } from '../app/settings.ts'
import { consoleText, firstStepsText } from './terminal/first-steps.ts'
import type { CommandIo } from './terminal/io.ts'
import { terminated, whenAborted } from './terminal/io.ts'
import { parseOptions, rejectArguments, unexpectedArguments } from './terminal/options.ts'

/** Runs the service until the signal is aborted and returns the exit code. */
export async function serveCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(argv, [])
  const problems = [...options.problems, ...unexpectedArguments(options)]
  if (options.isHelp) {
    const { serveHelp } = await import('./serve-help.ts')
    io.stdout.write(serveHelp())
    return 0
  }
  return problems.length > 0 ? rejectArguments(io, problems, 'serve') : serve(io)
}

async function serve({ stdout, env, signal }: CommandIo): Promise<number> {
  const settings = readSettings(env)
  const reader = new AbortController()
  const output = heldBack(standardOutput(() => reader.abort()))
  const stop = AbortSignal.any([reader.signal, ...(signal === undefined ? [] : [signal])])
  const log = createLog(settings.LOG_LEVEL, output)
  const server = await startServer(settings, log, { signal: stop }).catch((error: unknown) => {
    output.release()
    throw error
  })
  stdout.write(
    `\nRollcall is running. API reference: ${server.baseUrl}/docs\n${consoleText(server)}\n${startText(server)}`,
  )
  stdout.write(hintsText(settings))
  output.release()
  await whenAborted(stop)
  if (stop.reason === terminated && settings.DRAIN_SECONDS > 0) {
    stdout.write(`Stopping in ${settings.DRAIN_SECONDS} s: /readyz answers 503. Press Ctrl-C to stop at once.\n`)
    await server.drain()
  }
  stdout.write('Stopping: finishing the requests and deliveries in flight.\n')
  await server.close()
  return 0
}

/** Hints about features that are off, or addresses that cannot be reached, by default. */
function hintsText({ HOST, ADMIN_ROOT_TOKEN }: Settings): string {
  const hints = [
    ...(HOST === '127.0.0.1' ? ['Only programs on this machine can connect: set HOST=0.0.0.0 for others.'] : []),
    ...(ADMIN_ROOT_TOKEN === undefined ? ['The admin API is off: ADMIN_ROOT_TOKEN is not set.'] : []),
  ]
  return hints.map((hint) => `${hint}\n`).join('') + (hints.length === 0 ? '' : '\n')
}

/** A generated API key with commands to try; a key from `API_KEYS` is never shown. */
function startText({ baseUrl, firstApiKey }: RunningServer): string {
  if (firstApiKey === undefined) return `Base URL: ${baseUrl}\nAPI key: <one of API_KEYS>\n\n`
  return `${firstStepsText({ baseUrl, apiKey: firstApiKey })}\n`
}
