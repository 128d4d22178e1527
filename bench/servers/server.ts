import { fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Usage } from './messages.ts'
import { parseMessage } from './messages.ts'
import { startCommand } from './start-command.ts'

/** A server in a process of its own, so that what it uses is its alone. */
export interface Server extends AsyncDisposable {
  readonly port: number
  /** What the process has used since it started. */
  usage(): Promise<Usage>
}

/** The modules of the benchmark that start a server are compiled like the service: kept, as `bin/rollcall.js` does it. */
const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') }

/** Which server: a module of this folder, or of `bare/`. */
export type ServerModule = './service.ts' | './endpoint.ts' | './fake-google.ts' | './receiver.ts' | '../bare/main.ts'

/**
 * Starts a server; it listens when this resolves. Its log is shown when BENCH_LOG is set.
 *
 * @param nodeOptions options of the process, for example to profile it
 * @throws Error when the process ends instead
 */
export async function startServerProcess(
  module: ServerModule,
  env: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
): Promise<Server> {
  const child = fork(fileURLToPath(new URL(module, import.meta.url)), [], {
    env: { ...process.env, ...compileCache, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn', ...env },
    execArgv: [...startCommand().options, ...nodeOptions],
    stdio: ['ignore', process.env['BENCH_LOG'] === undefined ? 'ignore' : 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const gone = ended.then(([code, signal]) => {
    throw new Error(`${module} ended with ${code ?? signal}`)
  })
  gone.catch(() => {})

  const listening = Promise.withResolvers<number>()
  let asking: ((usage: Usage) => void) | undefined
  child.on('message', (given) => {
    const message = parseMessage(given)
    if (message.kind === 'listening') listening.resolve(message.port)
    else asking?.(message.usage)
  })
  return {
    port: await Promise.race([listening.promise, gone]),
    async usage() {
      const { promise, resolve } = Promise.withResolvers<Usage>()
      asking = resolve
      child.send('usage')
      return Promise.race([promise, gone])
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.connected) child.disconnect()
      await ended
    },
  }
}
