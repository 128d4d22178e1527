import type { Logger } from 'pino'
import { createLog, heldBack, standardOutput } from '../app/log.ts'
import type { RunningServer } from '../app/server.ts'
import { startServer } from '../app/server.ts'
import type { Settings } from '../app/settings.ts'
import { readSettings } from '../app/settings.ts'
import { consoleText, firstStepsText } from './terminal/first-steps.ts'
import type { CommandIo, TextOutput } from './terminal/io.ts'
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
  const output = standardOutput(() => reader.abort())
  const lines = heldBack(output)
  const announce = stdout.isTTY === true ? onTerminal(stdout) : inLog(createLog('info', output))
  if (stdout.isTTY !== true) lines.release()
  const stop = AbortSignal.any([reader.signal, ...(signal === undefined ? [] : [signal])])
  const log = createLog(settings.LOG_LEVEL, lines)
  const server = await startServer(settings, log, { signal: stop }).catch((error: unknown) => {
    lines.release()
    throw error
  })
  announce.started(server, hintsOf(settings))
  lines.release()
  await whenAborted(stop)
  if (stop.reason === terminated && settings.DRAIN_SECONDS > 0) {
    announce.stopping(`Stopping in ${settings.DRAIN_SECONDS} s: /readyz answers 503. Press Ctrl-C to stop at once.`)
    await server.drain()
  }
  announce.stopping('Stopping: finishing the requests and deliveries in flight.')
  await server.close()
  return 0
}

/** The messages of a start and a stop for the person who started the service. */
interface Announcements {
  started(server: RunningServer, hints: readonly string[]): void
  stopping(message: string): void
}

/** For people, with commands to try. */
function onTerminal(stdout: TextOutput): Announcements {
  return {
    started(server, hints) {
      const docs = `Rollcall is running. API reference: ${server.baseUrl}/docs`
      stdout.write(`\n${docs}\n${consoleText(server)}\n${startText(server)}`)
      stdout.write(hints.map((hint) => `${hint}\n`).join('') + (hints.length === 0 ? '' : '\n'))
    },
    stopping: (message) => stdout.write(`${message}\n`),
  }
}

/** For whatever reads the log, whose lines are all JSON. The log is that of every level: the first API key is shown here only. */
function inLog(log: Logger): Announcements {
  return {
    started({ baseUrl, firstApiKey: apiKey, hasConsole, signInLink }, hints) {
      const link = hasConsole ? (signInLink() ?? `${baseUrl}/console`) : undefined
      log.info({ baseUrl, docs: `${baseUrl}/docs`, console: link, apiKey, hints }, 'Rollcall is running')
    },
    stopping: (message) => log.info(message),
  }
}

/** Hints about features that are off, or addresses that cannot be reached, by default. */
function hintsOf({ HOST, ADMIN_ROOT_TOKEN }: Settings): string[] {
  return [
    ...(HOST === '127.0.0.1' ? ['Only programs on this machine can connect: set HOST=0.0.0.0 for others.'] : []),
    ...(ADMIN_ROOT_TOKEN === undefined ? ['The admin API is off: ADMIN_ROOT_TOKEN is not set.'] : []),
  ]
}

/** A generated API key with commands to try; a key from `API_KEYS` is never shown. */
function startText({ baseUrl, firstApiKey }: RunningServer): string {
  if (firstApiKey === undefined) return `Base URL: ${baseUrl}\nAPI key: <one of API_KEYS>\n\n`
  return `${firstStepsText({ baseUrl, apiKey: firstApiKey })}\n`
}
