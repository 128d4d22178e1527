import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before } from 'node:test'
import { createLog } from '../../src/app/log.ts'
import { startServer } from '../../src/app/server.ts'
import { readSettings } from '../../src/app/settings.ts'
import type { Client } from './client.ts'
import { openClient } from './client.ts'
import { codeCache, mainFile } from './command.ts'
import type { Engine, TestDatabase } from './database.ts'
import { openTestDatabase } from './database.ts'
import { hangTimeoutMs } from './eventually.ts'

export type { Engine, TestDatabase } from './database.ts'
export { forEachEngine, onEveryEngine, openTestDatabase } from './database.ts'

/** Settings by their environment variables; an empty string unsets one. */
export type TestSettings = Readonly<Record<string, string>>

export const testApiKey = 'test-api-key-of-32-characters-00'

const commonSettings = {
  ...{ HOST: '127.0.0.1', PORT: '0', API_KEYS: testApiKey, LOG_LEVEL: 'debug' },
  // Events are held only where a test sets a limit.
  DSYNC_REMOVAL_LIMIT_PERCENT: '100',
  DRAIN_SECONDS: '0',
  // The tests of a suite share a tenant.
  SCIM_RATE_LIMIT: '0',
}

/** A millisecond per admin token instead of fifty. */
const fastHashing = { cost: 4 }

/** A parsed line of the service's log. */
export type LogLine = Readonly<Record<string, unknown>>

/** The whole service in this process, reached over HTTP. */
export interface TestService extends Client {
  readonly engine: Engine
  readonly database: TestDatabase
  readonly baseUrl: string
  /** `http://127.0.0.1:<port>`, regardless of `EXTERNAL_URL`. */
  readonly origin: string
  /** The key generated at first start. */
  readonly firstApiKey: string | undefined
  /** See `RunningServer`. */
  signInLink(): string | undefined
  /** Every logged line. */
  readonly log: readonly LogLine[]
  /** Waits for a line, which may have been logged already. */
  logged(isIt: (line: LogLine) => boolean, what?: string): Promise<LogLine>
  /** Stops like on SIGTERM; the database is kept. */
  close(): Promise<void>
}

/**
 * Starts the service in this process, on an existing database or on a new one that is deleted at the end. The log is
 * kept in memory.
 *
 * @param options `onLog` is called with each line, also before the service has started
 */
export async function startTestService(
  on: Engine | TestDatabase,
  settings: TestSettings = {},
  { onLog = () => {} }: { readonly onLog?: (line: LogLine) => void } = {},
): Promise<TestService> {
  const database = typeof on === 'string' ? await openTestDatabase(on) : on
  const removeDatabase = async () => {
    if (database !== on) await database[Symbol.asyncDispose]()
  }
  try {
    const values = readSettings({ ...database.env, ...commonSettings, ...settings })
    const { log, write, logged } = openLog(onLog)
    const server = await startServer(values, createLog(values.LOG_LEVEL, { write }), { hashing: fastHashing })
    const origin = listeningAt(log) ?? server.baseUrl.replace('localhost', '127.0.0.1')
    const client = openClient(origin, server.firstApiKey ?? values.API_KEYS[0] ?? '')
    let closed: Promise<void> | undefined
    const close = () => {
      closed ??= server.close()
      return closed
    }
    return {
      ...client,
      engine: database.engine,
      database,
      baseUrl: server.baseUrl,
      origin,
      firstApiKey: server.firstApiKey,
      signInLink: server.signInLink,
      log,
      logged,
      close,
      async [Symbol.asyncDispose]() {
        await client[Symbol.asyncDispose]()
        await close()
        await removeDatabase()
      },
    }
  } catch (error) {
    await removeDatabase()
    throw error
  }
}

/** A log in memory. */
function openLog(onLog: (line: LogLine) => void) {
  const log: LogLine[] = []
  const watchers = new Set([onLog])

  function write(text: string): void {
    const line: LogLine = JSON.parse(text)
    log.push(line)
    for (const watch of watchers) watch(line)
  }
  function logged(isIt: (line: LogLine) => boolean, what = 'a line of the log'): Promise<LogLine> {
    const { promise, resolve, reject } = Promise.withResolvers<LogLine>()
    const watch = (line: LogLine) => {
      if (isIt(line)) resolve(line)
    }
    const timer = setTimeout(() => reject(new Error(`waited ${hangTimeoutMs} ms for ${what}`)), hangTimeoutMs)
    watchers.add(watch)
    log.forEach(watch)
    return promise.finally(() => {
      clearTimeout(timer)
      watchers.delete(watch)
    })
  }
  return { log, write, logged }
}

/** The address that the service logs when it listens; undefined if nothing is logged. */
function listeningAt(log: readonly LogLine[]): string | undefined {
  const texts = log.map(({ msg }) => String(msg))
  return texts.map((text) => /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0]).find((found) => found !== undefined)
}

/** The whole service in a separate process, for tests that kill it. */
export interface ServiceProcess extends Client {
  readonly origin: string
  readonly pid: number
  /** Everything written to stdout and stderr. */
  output(): string
  /** Sends a signal and waits for the process to end; returns the exit code, null if the signal ended it. */
  kill(signal: NodeJS.Signals): Promise<number | null>
}

/**
 * Starts `rollcall serve` on a database and waits until it is ready. It is killed at the end if it is still running.
 *
 * @param command the program and its first arguments
 */
export async function startServiceProcess(
  database: TestDatabase,
  settings: TestSettings = {},
  [program, ...args]: readonly [string, ...string[]] = [process.execPath, mainFile],
): Promise<ServiceProcess> {
  const env = { ...codeCache, ...commonSettings, LOG_LEVEL: 'warn', ...database.env, ...settings }
  const child = spawn(program, [...args, 'serve'], {
    cwd: database.folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null)
  let output = ''
  const found = Promise.withResolvers<string>()
  const timer = setTimeout(() => found.reject(new Error(`the service did not start:\n${output}`)), hangTimeoutMs)
  const readOutput = (text: string) => {
    output += text
    const port =
      /http:\/\/localhost:(\d+)\/docs/.exec(output)?.[1] ?? /"baseUrl":"http:\/\/[^"]*:(\d+)/.exec(output)?.[1]
    if (port !== undefined) found.resolve(`http://127.0.0.1:${port}`)
  }
  child.stdout.setEncoding('utf8').on('data', readOutput)
  child.stderr.setEncoding('utf8').on('data', readOutput)
  exited.then((code) => found.reject(new Error(`the service ended with ${code}:\n${output}`)))
  try {
    const origin = await found.promise.finally(() => clearTimeout(timer))
    const client = openClient(origin, env.API_KEYS)
    const { status } = await client.request('GET', '/readyz')
    if (status !== 200) throw new Error(`the service is not ready: /readyz returned ${status}`)
    const kill = (signal: NodeJS.Signals) => {
      child.kill(signal)
      return exited
    }
    return {
      ...client,
      origin,
      pid: child.pid ?? 0,
      output: () => output,
      kill,
      async [Symbol.asyncDispose]() {
        await client[Symbol.asyncDispose]()
        await kill('SIGKILL')
      },
    }
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

/** One service for all tests of a suite; call the returned function inside the tests. */
export function serviceForSuite(engine: Engine, settings?: TestSettings): () => TestService {
  return forSuite(() => startTestService(engine, settings))
}

/** A resource shared by the tests of a suite: opened before the first, disposed of after the last. */
export function forSuite<T extends AsyncDisposable>(open: () => Promise<T>): () => T {
  let opened: T | undefined
  before(async () => {
    opened = await open()
  })
  after(async () => {
    await opened?.[Symbol.asyncDispose]()
  })
  return () => {
    if (opened === undefined) throw new Error('what the suite shares is there within its tests only')
    return opened
  }
}
