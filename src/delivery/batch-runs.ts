import type { DeliveryObserver } from './observer.ts'
import type { Next } from './run-queue.ts'

const pageSize = 200

/** What came of sending what was due (design §7.3). */
export interface ProcessReport {
  /** How many directories something was sent for. */
  readonly directories: number
  /** Events that were taken. */
  readonly delivered: number
  /** Attempts in vain. */
  readonly failed: number
  /** Events that wait still. */
  readonly remaining: number
}

export interface BatchRunsOptions {
  /** The next directories that have something to send, by id. */
  readonly read: (after: string, limit: number) => Promise<string[]>
  /** Gives a directory turns until it has nothing left, or waits after a failure. */
  readonly run: (directoryId: string) => Promise<Next>
  readonly remaining: () => Promise<number>
}

/** Runs over everything that is due, one at a time. */
export interface BatchRuns {
  /** Undefined while a run is under way, and then nothing is done. Rejects when the store fails. */
  begin(): Promise<ProcessReport | undefined>
  /** Begins nothing more; resolves when the run under way has ended. */
  close(): Promise<void>
  /** The observer, with what a run needs to know of. */
  watch(observer: DeliveryObserver): DeliveryObserver
}

export function createBatchRuns({ read, run, remaining }: BatchRunsOptions): BatchRuns {
  let running: Promise<unknown> | undefined
  let closed = false
  let [delivered, failed] = [0, 0]

  async function runThrough(): Promise<number> {
    let directories = 0
    for (let after: string | undefined = ''; after !== undefined && !closed; ) {
      const page: string[] = await read(after, pageSize)
      await Promise.all(page.map(run))
      directories += page.length
      after = page.length < pageSize ? undefined : page.at(-1)
    }
    return directories
  }

  async function processAll(): Promise<ProcessReport> {
    const before = { delivered, failed }
    try {
      const directories = await runThrough()
      const done = { delivered: delivered - before.delivered, failed: failed - before.failed }
      return { directories, ...done, remaining: await remaining() }
    } finally {
      running = undefined
    }
  }

  return {
    async begin() {
      if (running !== undefined || closed) return undefined
      const run = processAll()
      running = run
      return run
    },
    async close() {
      closed = true
      await running?.catch(() => {})
    },
    watch: (observer) => ({
      ...observer,
      delivered(latencyMs, ageMs) {
        delivered += 1
        observer.delivered(latencyMs, ageMs)
      },
      failed(reason) {
        failed += 1
        observer.failed(reason)
      },
    }),
  }
}
