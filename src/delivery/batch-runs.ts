import type { Schedule } from '../concurrency/schedule.ts'
import type { DueDirectory, DuePage } from './event-store.ts'
import type { DeliveryObserver } from './observer.ts'
import type { TurnResult } from './run-queue.ts'

const pageSize = 200

/** Batch mode: events wait for a run, which sends several of them in one request. */
export interface BatchMode {
  /** The maximum number of events per request. */
  readonly size: number
  /** The time between runs in milliseconds; undefined when runs only start on request. */
  readonly intervalMs: number | undefined
}

/** The result of a run. */
export interface ProcessReport {
  /** The number of directories that had events to send. */
  readonly directories: number
  /** Delivered events. */
  readonly delivered: number
  /** Failed attempts. */
  readonly failed: number
  /** Events that are still undelivered. */
  readonly remaining: number
}

export interface BatchRunsOptions {
  /** The next directories with something to send, ordered by id, after `after`. */
  readonly read: (after: string, limit: number) => Promise<DuePage>
  /** Sends a directory's events until none is left or an attempt failed. */
  readonly send: (directory: DueDirectory) => Promise<TurnResult>
  readonly countRemaining: () => Promise<number>
  readonly schedule: Schedule
  /** The time between runs that `start` schedules. */
  readonly intervalMs: number | undefined
  /** Called when a scheduled run failed. */
  readonly onError: (error: unknown) => void
}

/** Sends everything that is due, one run at a time. */
export interface BatchRuns {
  /** Resolves with undefined, and does nothing, while a run is in progress. Rejects when the store fails. */
  run(): Promise<ProcessReport | undefined>
  /** Schedules runs at the interval, if there is one. */
  start(): void
  /** Starts no more runs. Resolves when the one in progress has ended. */
  close(): Promise<void>
  /** Wraps an observer to count deliveries and failures for the reports. */
  count(observer: DeliveryObserver): DeliveryObserver
}

export function createBatchRuns(options: BatchRunsOptions): BatchRuns {
  const { intervalMs, schedule, onError } = options
  const { counts, count } = createCounts()
  const { sendDue, isSending } = createDueSends(options, () => isClosed)
  let inProgress: Promise<ProcessReport> | undefined
  let joining: Promise<unknown> | undefined
  let cancelTimer: (() => void) | undefined
  let isClosed = false

  async function run(): Promise<ProcessReport | undefined> {
    if (inProgress !== undefined || isClosed) return undefined
    inProgress = report().finally(() => {
      inProgress = undefined
    })
    return inProgress
  }

  async function report(): Promise<ProcessReport> {
    const before = { ...counts }
    const results = await sendDue(() => true)
    await Promise.all(results)
    const sent = { delivered: counts.delivered - before.delivered, failed: counts.failed - before.failed }
    return { directories: results.length, ...sent, remaining: await options.countRemaining() }
  }

  /**
   * Starts a run although slow endpoints may keep the last one in progress: the other directories do not wait for it.
   */
  function runScheduled(): Promise<unknown> {
    if (inProgress === undefined) return run()
    joining ??= sendDue((id) => !isSending(id)).finally(() => {
      joining = undefined
    })
    return joining
  }

  function scheduleNext(): void {
    if (intervalMs === undefined || isClosed) return
    cancelTimer = schedule(() => {
      runScheduled().catch(onError)
      scheduleNext()
    }, intervalMs)
  }

  return {
    run,
    start: scheduleNext,
    async close() {
      isClosed = true
      cancelTimer?.()
      await Promise.allSettled([inProgress, joining])
    },
    count,
  }
}

/** Sends what is due, page by page. */
function createDueSends({ read, send }: Pick<BatchRunsOptions, 'read' | 'send'>, isClosed: () => boolean) {
  const sending = new Set<string>()

  function begin(directory: DueDirectory): Promise<TurnResult> {
    sending.add(directory.id)
    return send(directory).finally(() => sending.delete(directory.id))
  }

  return {
    isSending: (id: string): boolean => sending.has(id),
    /** Starts sending what is due; resolves with the pending results. */
    async sendDue(isWanted: (id: string) => boolean): Promise<Promise<TurnResult>[]> {
      const results: Promise<TurnResult>[] = []
      for (let after: string | undefined = ''; after !== undefined && !isClosed(); ) {
        const page: DuePage = await read(after, pageSize)
        results.push(...page.directories.filter(({ id }) => isWanted(id)).map(begin))
        after = page.next
      }
      return results
    },
  }
}

function createCounts() {
  const counts = { delivered: 0, failed: 0 }
  const count = (observer: DeliveryObserver): DeliveryObserver => ({
    ...observer,
    delivered(latencyMs, ageMs) {
      counts.delivered += 1
      observer.delivered(latencyMs, ageMs)
    },
    failed(reason) {
      counts.failed += 1
      observer.failed(reason)
    },
  })
  return { counts, count }
}
