import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { run } from '../../src/cli/run.ts'
import type { CommandIo } from '../../src/cli/terminal/io.ts'

/** The setting by which the processes of a run share compiled code. */
const { NODE_COMPILE_CACHE: folder } = process.env
export const codeCache: Readonly<Record<string, string>> = folder === undefined ? {} : { NODE_COMPILE_CACHE: folder }

/** The command that all npm scripts run. */
export const mainFile = fileURLToPath(new URL('../../bin/rollcall.js', import.meta.url))

export interface CommandOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Arguments of Node.js itself. */
  readonly nodeOptions?: readonly string[]
  /** Another Node.js than that of the tests. */
  readonly node?: string
}

/** Starts a command in a process of its own, with no other settings than these environment variables. */
export function startCommand(argv: readonly string[], options: CommandOptions = {}) {
  const { cwd, env = {}, nodeOptions = [], node = process.execPath } = options
  return spawn(node, [...nodeOptions, mainFile, ...argv], {
    cwd,
    env: { ...codeCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Runs a command in a process to its end. */
export async function runCommand(argv: readonly string[], options?: CommandOptions) {
  const child = startCommand(argv, options)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code: Number(code), stdout, stderr }
}

/** What a test passes to a command in its own process. */
export interface HereOptions extends Pick<CommandIo, 'env'> {
  /** The folder that relative paths start from. */
  readonly cwd?: string
}

/** Runs a command to its end like `runCommand`, but in this process: for what does not depend on the process. */
export async function runHere(argv: readonly string[], { cwd = '.', env }: HereOptions) {
  const written = { stdout: '', stderr: '' }
  const output = (name: keyof typeof written) => ({
    // What is no terminal gets the lines of the log, which go to the output of the process.
    isTTY: true,
    write: (text: string) => {
      written[name] += text
    },
  })
  const before = process.cwd()
  process.chdir(cwd)
  try {
    const code = await run(argv, {
      stdout: output('stdout'),
      stderr: output('stderr'),
      stdin: () => process.stdin,
      env,
    })
    return { code, ...written }
  } finally {
    process.chdir(before)
  }
}
