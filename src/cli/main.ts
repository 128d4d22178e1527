#!/usr/bin/env node
import { existsSync } from 'node:fs'
import process, { loadEnvFile } from 'node:process'
import type { CommandIo } from './terminal/io.ts'
import { problemText } from './terminal/problem-text.ts'

const help = `rollcall <command>

  serve        run the service (the settings are in the environment or in .env)
  audit        check or export the audit trail
  rotate-keys  encrypt every secret with a new key
  demo         see it work, with two made-up identity providers
  simulate     play an identity provider against a directory
  help         this text

rollcall <command> --help says more.
`

/** Each command loads what it needs, and nothing of the others. */
const commands: Readonly<Record<string, (argv: readonly string[], io: CommandIo) => Promise<number>>> = {
  serve: async (argv, io) => (await import('./serve.ts')).serveCommand(argv, io),
  audit: async (argv, io) => (await import('./audit/command.ts')).auditCommand(argv, io),
  'rotate-keys': async (argv, io) => (await import('./rotate-keys.ts')).rotateKeysCommand(argv, io),
  demo: async (argv, io) => (await import('../../tools/demo/command.ts')).demoCommand(argv, io),
  simulate: async (argv, io) => (await import('../../tools/simulate/command.ts')).simulateCommand(argv, io),
}

/** Runs the command that the arguments name; answers the exit code. */
async function run([name = 'help', ...argv]: readonly string[], io: CommandIo): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command !== undefined) return command(argv, io)
  const isHelp = ['help', '--help', '-h'].includes(name)
  io[isHelp ? 'stdout' : 'stderr'].write(isHelp ? help : `There is no command ${JSON.stringify(name)}.\n\n${help}`)
  return isHelp ? 0 : 2
}

/** Tells what went wrong in the terminal; with its place in the code while somebody looks for it. */
function tell(error: unknown): void {
  process.stderr.write(problemText(error))
  if (process.env['LOG_LEVEL'] === 'debug' && error instanceof Error) process.stderr.write(`${error.stack}\n`)
}

/** Aborts at the first request to stop; a second one ends the process at once. */
function stopSignal(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(130)
      controller.abort()
    })
  }
  return controller.signal
}

if (existsSync('.env')) loadEnvFile('.env')
const io: CommandIo = { stdout: process.stdout, stderr: process.stderr, env: process.env, signal: stopSignal() }
try {
  process.exitCode = await run(process.argv.slice(2), io)
} catch (error) {
  tell(error)
  process.exitCode = 1
}
