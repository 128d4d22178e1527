import { parseArgs } from 'node:util'
import { readSettings } from '../../settings.ts'
import { createLog } from '../log.ts'
import { stopped } from '../serve.ts'
import { startServer } from '../start.ts'
import type { CommandIo } from '../terminal/io.ts'
import { playDemo } from './play.ts'
import { startReceiver } from './receiver.ts'
import { tryItText } from './try-it.ts'

const help = `rollcall demo [--once]

Starts the service on an embedded database in ./data/demo with a receiver of its
events, plays an Okta and an Entra ID directory, and shows what a product sees.
It stays up until Ctrl-C; with --once it ends when everything has been shown.
`

/** Runs the demo; answers the exit code. */
export async function demoCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: { once: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
  })
  if (values.help) {
    io.stdout.write(help)
    return 0
  }
  const { DATABASE_URL: _, LOG_LEVEL = 'warn', ...env } = io.env
  const settings = readSettings({ ...env, LOG_LEVEL, DATABASE_URL: 'sqlite:./data/demo/rollcall.db' })
  const server = await startServer(settings, createLog(settings.LOG_LEVEL))
  const apiKey = server.firstApiKey ?? settings.API_KEYS[0] ?? ''
  try {
    await using receiver = await startReceiver()
    const { directories, succeeded } = await playDemo({ ...server, apiKey, receiver, io })
    io.stdout.write(`\n${tryItText({ baseUrl: server.baseUrl, apiKey, directory: directories[0] })}\n`)
    if (values.once) return succeeded ? 0 : 1
    io.stdout.write('The service stays up: press Ctrl-C to stop it.\n')
    await stopped(io.signal)
    return 0
  } finally {
    await server.close()
  }
}
