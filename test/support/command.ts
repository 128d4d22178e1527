import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

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

/** Runs a command to its end. */
export async function runCommand(argv: readonly string[], options?: CommandOptions) {
  const child = startCommand(argv, options)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code: Number(code), stdout, stderr }
}
