import { parseArgs } from 'node:util'
import { createLog } from '../../src/app/log.ts'
import { startServer } from '../../src/app/server.ts'
import { readSettings } from '../../src/app/settings.ts'
import { firstStepsText } from '../../src/cli/terminal/first-steps.ts'
import type { CommandIo } from '../../src/cli/terminal/io.ts'
import { whenAborted } from '../../src/cli/terminal/io.ts'
import { settingsOf, startFakeGoogle } from '../fake-google/server.ts'
import { companyDomain } from './google/company.ts'
import { runGoogleDemo } from './google/demo.ts'
import { startReceiver } from './receiver.ts'
import { runScimDemo } from './scim-demo.ts'

const help = `rollcall demo [--extdir] [--once]

Starts the service on an embedded database in ./data/demo, provisions one directory
as Okta does and one as Entra ID does, and shows what a product gets to see.
With --extdir it syncs a Google Workspace instead, from a local simulation of Google.
It keeps running until Ctrl-C, or stops at the end with --once.
`

/** Runs `rollcall demo` and returns the exit code. */
export async function demoCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      once: { type: 'boolean', default: false },
      extdir: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    io.stdout.write(help)
    return 0
  }
  await using google = values.extdir ? await startFakeGoogle({ domains: [companyDomain] }) : undefined
  const settings = readSettings({ ...demoEnv(io), ...(google && settingsOf(google)) })
  const server = await startServer(settings, createLog(settings.LOG_LEVEL))
  const apiKey = server.firstApiKey ?? settings.API_KEYS[0] ?? ''
  try {
    await using receiver = await startReceiver()
    const options = { ...server, apiKey, receiver, io }
    const { directories, succeeded } = google ? await runGoogleDemo({ ...options, google }) : await runScimDemo(options)
    io.stdout.write(`\n${firstStepsText({ baseUrl: server.baseUrl, apiKey, directory: directories[0] })}\n`)
    if (values.once) return succeeded ? 0 : 1
    io.stdout.write('The service keeps running. Press Ctrl-C to stop it.\n')
    await whenAborted(io.signal)
    return 0
  } finally {
    await server.close()
  }
}

function demoEnv({ env: { DATABASE_URL: _, LOG_LEVEL = 'warn', ...env } }: CommandIo) {
  return { ...env, LOG_LEVEL, DATABASE_URL: 'sqlite:./data/demo/rollcall.db' }
}
