import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { builtFile } from './built.ts'
import { findDatabaseCpu } from './database-cpu.ts'
import type { Usage } from './messages.ts'
import { parseMessage } from './messages.ts'

/** A server in a separate process, so that its resource usage can be measured. */
export interface Server extends AsyncDisposable {
  readonly port: number
  usage(): Promise<ServerUsage>
}

/** The resources used since the process started. */
export interface ServerUsage extends Usage {
  /** The CPU time of the PostgreSQL server that it uses, all databases together; 0 on SQLite. */
  readonly databaseMs: number
}

/** A module of this folder, or of `bare/`, or the JavaScript of `service.ts` in another version. */
export type ServerModule =
  | './service.ts'
  | './endpoint.ts'
  | './fake-google.ts'
  | './polis.ts'
  | './receiver.ts'
  | '../bare/main.ts'
  | { readonly file: string }

/**
 * Starts a server and waits until it listens. Its log is shown if BENCH_LOG is set.
 *
 * @param nodeOptions options of Node.js, for example for profiling
 * @throws Error if the process exits
 */
export async function startServerProcess(
  module: ServerModule,
  env: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
): Promise<Server> {
  const file = typeof module === 'object' ? module.file : builtFile(join('bench/servers', module.replace(/ts$/, 'js')))
  const { DATABASE_URL: databaseUrl = '' } = env
  const databaseMs = /^postgres/.test(databaseUrl) ? await findDatabaseCpu(databaseUrl) : () => 0
  const child = fork(file, [], {
    env: {
      ...process.env,
      // Certificates that this machine adds to those of Node.js would take memory.
      NODE_EXTRA_CA_CERTS: undefined,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...env,
    },
    execArgv: ['--max-semi-space-size=8', '--max-old-space-size=512', ...nodeOptions],
    stdio: ['ignore', process.env['BENCH_LOG'] === undefined ? 'ignore' : 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const gone = ended.then(([code, signal]) => {
    throw new Error(`${file} ended with ${code ?? signal}`)
  })
  gone.catch(() => {})

  const listening = Promise.withResolvers<number>()
  let asking: ((usage: Usage) => void) | undefined
  child.on('message', (received) => {
    const message = parseMessage(received)
    if (message.kind === 'listening') listening.resolve(message.port)
    else asking?.(message.usage)
  })
  return {
    port: await Promise.race([listening.promise, gone]),
    async usage() {
      const { promise, resolve } = Promise.withResolvers<Usage>()
      asking = resolve
      child.send('usage')
      const usage = await Promise.race([promise, gone])
      return { ...usage, databaseMs: databaseMs() }
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.connected) child.disconnect()
      await ended
    },
  }
}
