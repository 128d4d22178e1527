#!/usr/bin/env node
import { existsSync } from 'node:fs'
import process, { loadEnvFile } from 'node:process'
import { SettingsError } from '../settings.ts'
import type { CommandIo } from './terminal/io.ts'

const help = `rollcall <command>

  serve      run the service (the settings are in the environment or in .env)
  demo       see it work, with two made-up identity providers
  simulate   play an identity provider against a directory
  help       this text

rollcall <command> --help says more.
`

/** Each command loads what it needs, and nothing of the others. */
const commands: Readonly<Record<string, (argv: readonly string[], io: CommandIo) => Promise<number>>> = {
  serve: async (argv, io) => (await import('./serve.ts')).serveCommand(argv, io),
  demo: async (argv, io) => (await import('./demo/command.ts')).demoCommand(argv, io),
  simulate: async (argv, io) => (await import('./simulate/command.ts')).simulateCommand(argv, io),
}

/** Runs the command that the arguments name; answers the exit code. */
async function run([name = 'help', ...argv]: readonly string[], io: CommandIo): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command !== undefined) return command(argv, io)
  const isHelp = ['help', '--help', '-h'].includes(name)
  io[isHelp ? 'stdout' : 'stderr'].write(isHelp ? help : `There is no command ${JSON.stringify(name)}.\n\n${help}`)
  return isHelp ? 0 : 2
}

/** Tells what went wrong in the terminal: every problem of the settings, or the error's own sentence. */
function tell(error: unknown): void {
  if (error instanceof SettingsError) {
    const list = error.problems.map((problem) => `  - ${problem}`).join('\n')
    process.stderr.write(`Rollcall cannot start with these settings:\n${list}\n`)
  } else {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    if (process.env['LOG_LEVEL'] === 'debug' && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  }
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
