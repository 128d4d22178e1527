import type { Schedule } from '../concurrency/schedule.ts'

const pageSize = 200

export interface PollingOptions {
  /** The next directories with pending work, ordered by id, after `after`. */
  readonly read: (after: string, limit: number) => Promise<string[]>
  readonly add: (directoryId: string) => void
  /** Whether the run queue accepts more directories. */
  readonly hasCapacity: () => boolean
  readonly onError: (error: unknown) => void
  readonly schedule: Schedule
  readonly intervalMs: number
  /** The interval after a failure of the store. */
  readonly retryMs: number
}

/** Finds directories with pending work that nothing else reports: after a start, or when a notice was lost. */
export interface Polling {
  /** Scans all directories now and then at every interval. */
  start(): void
  /** Continues the current scan as far as the run queue has capacity. Called when a turn ends. */
  resume(): void
  /** Stops. Resolves when the page that is being read has been processed. */
  close(): Promise<void>
}

export function createPolling(options: PollingOptions): Polling {
  const { read, add, onError, schedule, intervalMs, retryMs } = options
  /** The last directory that the scan has read; undefined between scans. */
  let after: string | undefined
  let reading: Promise<boolean> | undefined
  let cancelTimer: (() => void) | undefined
  let isClosed = false

  const canRead = () => !isClosed && options.hasCapacity()

  async function poll(): Promise<void> {
    after ??= ''
    const succeeded = await resume()
    if (!isClosed) cancelTimer = schedule(poll, succeeded ? intervalMs : retryMs)
  }

  /** Returns false when the store failed, which ends the scan. Never rejects. */
  async function resume(): Promise<boolean> {
    if (reading === undefined && (after === undefined || !canRead())) return true
    reading ??= readPages()
    return reading
  }

  async function readPages(): Promise<boolean> {
    try {
      while (after !== undefined && canRead()) after = await readPage(after)
      return true
    } catch (error) {
      after = undefined
      onError(error)
      return false
    } finally {
      reading = undefined
    }
  }

  async function readPage(from: string): Promise<string | undefined> {
    const page = await read(from, pageSize)
    for (const id of page) add(id)
    return page.length < pageSize ? undefined : page.at(-1)
  }

  return {
    start: () => void poll(),
    resume: () => void resume(),
    async close() {
      isClosed = true
      cancelTimer?.()
      await reading
    },
  }
}
