import { existsSync } from 'node:fs'
import process, { loadEnvFile } from 'node:process'
import { run } from './run.ts'
import type { CommandIo } from './terminal/io.ts'

const controller = new AbortController()

/** Whether the reader of the output has closed its end, as `head` does. The command then ends without an error. */
let isReaderGone = false

function watchReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      isReaderGone = true
      controller.abort()
    })
  }
}

/** Adds the variables of a `.env` file to the environment, which takes precedence; false if it cannot be read. */
function readEnvFile(): boolean {
  try {
    if (existsSync('.env')) loadEnvFile('.env')
    return true
  } catch {
    process.stderr.write('The file .env cannot be read: make it a file that this user can read, or remove it.\n')
    return false
  }
}

/** Aborted by the first SIGINT or SIGTERM, with its name as the reason; a second one ends the process immediately. */
function stopSignal(): AbortSignal {
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(130)
      controller.abort(name)
    })
  }
  return controller.signal
}

watchReader()
const { stdout, stderr, env } = process
const io: CommandIo = { stdout, stderr, env, signal: stopSignal(), stdin: () => process.stdin }
const exitCode = readEnvFile() ? await run(process.argv.slice(2), io) : 1
process.exitCode = isReaderGone ? 0 : exitCode
