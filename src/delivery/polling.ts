import type { Schedule } from '../concurrency/schedule.ts'
import type { DueDirectory, DuePage } from './event-store.ts'

const pageSize = 200

export interface PollingOptions {
  /** The next directories with pending work, ordered by id, after `after`. */
  readonly read: (after: string, limit: number) => Promise<DuePage>
  /** Returns false when the queue accepts no more directories of this tenant for now. */
  readonly add: (directory: DueDirectory) => boolean
  readonly onError: (error: unknown) => void
  readonly schedule: Schedule
  readonly intervalMs: number
  /** The interval after a failure of the store. */
  readonly retryMs: number
}

/** Finds directories with pending work that nothing else reports: after a start, or when a notice was lost. */
export interface Polling {
  /** Scans all directories now and at every interval. */
  start(): void
  /** Scans again if the last scan left out directories of the tenant. Called when few of them are queued. */
  resume(tenant: string): void
  /** Stops. Resolves when the page that is being read has been processed. */
  close(): Promise<void>
}

/** Creates the polling. A full queue does not stop a scan, so that tenants that come later are queued, too. */
export function createPolling(options: PollingOptions): Polling {
  const { onError, schedule, intervalMs, retryMs } = options
  const leftOut = new Set<string>()
  let scanning: Promise<boolean> | undefined
  let cancelTimer: (() => void) | undefined
  let isClosed = false

  async function poll(): Promise<void> {
    const succeeded = await scan()
    if (!isClosed) cancelTimer = schedule(poll, succeeded ? intervalMs : retryMs)
  }

  /** Returns false when the store failed. Never rejects. */
  function scan(): Promise<boolean> {
    scanning ??= readPages().finally(() => {
      scanning = undefined
    })
    return scanning
  }

  async function readPages(): Promise<boolean> {
    leftOut.clear()
    try {
      for (let after: string | undefined = ''; after !== undefined && !isClosed; ) after = await readPage(after)
      return true
    } catch (error) {
      onError(error)
      return false
    }
  }

  async function readPage(after: string): Promise<string | undefined> {
    const { directories, next } = await options.read(after, pageSize)
    for (const directory of directories) if (!options.add(directory)) leftOut.add(directory.tenant)
    return next
  }

  return {
    start: () => void poll(),
    resume(tenant) {
      if (!isClosed && scanning === undefined && leftOut.has(tenant)) void scan()
    },
    async close() {
      isClosed = true
      cancelTimer?.()
      await scanning
    },
  }
}
