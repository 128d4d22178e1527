import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

export interface PolisOptions {
  /** `postgres://…`, `cockroachdb://…`, `mysql://…`, `mariadb://…` or `mongodb://…`; its tables are created if missing. */
  readonly databaseUrl: string
  /** Records are stored in plain text without it. */
  readonly encryptionKey?: string | undefined
  /** The base of SCIM endpoints and setup links; by default the address that it listens on. */
  readonly externalUrl?: string | undefined
  /** Events wait in the queue instead of being sent at once. */
  readonly webhookBatchSize?: number | undefined
  /** The maximum of every page, 50 by default as in Polis. */
  readonly pageLimit?: number | undefined
  /** A free port by default. */
  readonly port?: number | undefined
  /** The address of the library's module, where it is not installed beside Rollcall. */
  readonly library?: string | undefined
}

/** A Polis that answers SCIM requests and its directory sync API. */
export interface RunningPolis extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  readonly apiKey: string
}

/** The messages of the thread: it is ready, or cannot start, or has closed its connections. */
export type PolisMessage = { readonly url: string; readonly apiKey: string } | { readonly problem: string } | 'closed'

/**
 * Starts Polis' published library behind plain HTTP, with the routes that Polis gives it. It runs in a thread, as it keeps
 * its database in a global variable, and timers that it never stops.
 *
 * @throws Error that says what to install, when the library is missing
 */
export async function startPolis(options: PolisOptions): Promise<RunningPolis> {
  const path = new URL(`./worker${extname(import.meta.url)}`, import.meta.url)
  const worker = new Worker(path, { workerData: options, stdout: true })
  worker.stdout.resume()
  const [message]: PolisMessage[] = await once(worker, 'message')
  if (typeof message === 'object' && 'url' in message) {
    return {
      ...message,
      async [Symbol.asyncDispose]() {
        const closed = once(worker, 'message')
        worker.postMessage('close')
        await closed
        await worker.terminate()
      },
    }
  }
  await worker.terminate()
  throw new Error(typeof message === 'object' ? message.problem : 'Polis does not start.')
}
