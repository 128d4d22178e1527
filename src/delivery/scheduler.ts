import { randomUUID } from 'node:crypto'
import type { Schedule } from '../concurrency/schedule.ts'
import { schedule as nodeSchedule } from '../concurrency/schedule.ts'
import type { OperatorNotices } from '../directory/operator-notice.ts'
import { noNotices } from '../directory/operator-notice.ts'
import type { Send } from './attempt.ts'
import type { BatchMode, BatchRuns, ProcessReport } from './batch-runs.ts'
import { createBatchRuns } from './batch-runs.ts'
import type { DeliveryTarget } from './event-store.ts'
import { createLeases } from './lease.ts'
import type { DeliveryLogger, DeliveryObserver } from './observer.ts'
import { silentLogger, silentObserver } from './observer.ts'
import { createPolling } from './polling.ts'
import type { RunQueue, TurnResult } from './run-queue.ts'
import { createRunQueue } from './run-queue.ts'
import type { Stream } from './stream.ts'
import { createStream } from './stream.ts'
import type { StreamContext, StreamStore } from './stream-context.ts'
import type { WakeUps } from './wake-ups.ts'
import { createWakeUps } from './wake-ups.ts'

const pollMs = 4_000
const storeRetryMs = 1_000

/** The limits of a turn while other directories wait. */
const maxEventsPerTurn = 200
const maxTurnMs = 2_000

export interface SchedulerOptions {
  readonly store: StreamStore
  readonly target: DeliveryTarget
  readonly send: Send
  /** Holds the leases of the scheduler. */
  readonly holder?: string
  /** Batch mode; without it, each event is sent separately, as soon as possible. */
  readonly batch?: BatchMode | undefined
  /** Unix milliseconds. */
  readonly clock?: () => number
  /** Monotonic milliseconds. */
  readonly now?: () => number
  /** From 0 to 1. */
  readonly random?: () => number
  readonly schedule?: Schedule
  readonly log?: DeliveryLogger
  readonly observer?: DeliveryObserver
  /** Notified when a stream is paused and when an event becomes dead. */
  readonly notices?: OperatorNotices
  readonly maxConcurrentDirectories?: number
  /** Time that `close` waits for attempts in flight before it aborts them, in milliseconds. */
  readonly closeGraceMs?: number
}

/** Longer than the default timeout of an attempt. */
export const defaultCloseGraceMs = 20_000

/** Sends the committed events of all directories to one target. */
export interface Scheduler {
  /** Finds undelivered events, now and every few seconds, and receives the notices of other processes. */
  start(): void
  /** Reports a commit. A backoff in progress stays in effect. */
  wake(directoryId: string, tenant?: string): void
  /** Reports a change of the directory: its next attempt is made immediately, without the rest of a backoff. */
  retry(directoryId: string, tenant?: string): void
  /** Sends everything that is due. Resolves with undefined while another such run is in progress. */
  processDue(): Promise<ProcessReport | undefined>
  /** Stops sending. Resolves when the attempts in flight have ended and are recorded. Idempotent. */
  close(): Promise<void>
}

/** Creates a scheduler. Before `start` it only sends for directories that are woken. */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { schedule = nodeSchedule, closeGraceMs = defaultCloseGraceMs } = options
  const abandon = new AbortController()
  let closed: Promise<void> | undefined
  const parts = createParts(options, abandon.signal, () => closed !== undefined)
  const { wakeUps, runQueue, polling, batchRuns, leases } = parts

  async function finish(): Promise<void> {
    wakeUps.close()
    const cancelGrace = schedule(() => abandon.abort(), closeGraceMs)
    await Promise.all([runQueue.close(), polling.close(), batchRuns.close()])
    cancelGrace()
    await leases.close()
  }

  return {
    start() {
      wakeUps.start()
      if (options.batch === undefined) polling.start()
      else batchRuns.start()
    },
    wake: wakeUps.wake,
    retry: wakeUps.retry,
    processDue: batchRuns.run,
    close() {
      closed ??= finish()
      return closed
    },
  }
}

function createParts(options: SchedulerOptions, signal: AbortSignal, isClosing: () => boolean) {
  const {
    store,
    target,
    holder = randomUUID(),
    batch,
    log = silentLogger,
    observer = silentObserver,
    schedule = nodeSchedule,
  } = options
  const { clock = Date.now, now = () => performance.now(), maxConcurrentDirectories: limit = 128 } = options
  const logError = (message: string) => (error: unknown) => log.error({ target, err: error }, message)
  const read = (after: string, pageSize: number) => store.directoriesDue(target, holder, clock(), after, pageSize)

  const leases = createLeases({
    ...{ store, target, holder, schedule, now },
    onTakeover: observer.leaseTakenOver,
    onError: logError('leases could not be renewed; those that are not renewed in time expire'),
  })
  const runQueue = createRunQueue({
    ...{ limit, schedule, now },
    runTurn: (id, tenant) => runTurn(id, tenant),
    onNeedsMore: (tenant) => polling.resume(tenant),
  })
  const polling = createPolling({
    ...{ read, add: runQueue.addFound, schedule, intervalMs: pollMs, retryMs: storeRetryMs },
    onError: logError('undelivered events could not be looked up; retrying in a second'),
  })
  const batchRuns = createBatchRuns({
    ...{ read, send: ({ id, tenant }) => runQueue.runToEnd(id, tenant), schedule, intervalMs: batch?.intervalMs },
    countRemaining: () => store.countUndelivered(target),
    onError: logError('a batch run failed; the next one starts as scheduled'),
  })
  const wakeUps = createWakeUps({ store, target, leases, runQueue, isBatched: batch !== undefined, schedule, log })
  const context = createContext(options, { leases, runQueue, batchRuns, signal, isClosing })
  const runTurn = createTurns(context, wakeUps)
  return { leases, runQueue, polling, batchRuns, wakeUps }
}

function createContext(
  { store, target, batch, observer = silentObserver, log = silentLogger, ...options }: SchedulerOptions,
  { leases, runQueue, batchRuns, signal, isClosing }: ContextParts,
): StreamContext {
  const { clock = Date.now, random = Math.random, schedule = nodeSchedule, notices = noNotices } = options
  return {
    ...{ store, target, leases, clock, random, schedule, log, notices, signal, isClosing },
    ...{ batchSize: batch?.size ?? 1, keepsLeases: batch === undefined },
    observer: batchRuns.count(observer),
    async send(directory, ...attempt) {
      runQueue.attemptStarted(directory.id)
      try {
        return await options.send(directory, ...attempt)
      } finally {
        runQueue.attemptEnded(directory.id)
      }
    },
    isTurnOver: (sent, startedAt) =>
      runQueue.countWaiting() > 0 && (sent >= maxEventsPerTurn || clock() - startedAt >= maxTurnMs),
  }
}

interface ContextParts extends Pick<StreamContext, 'leases' | 'signal' | 'isClosing'> {
  readonly runQueue: Pick<RunQueue, 'attemptStarted' | 'attemptEnded' | 'countWaiting'>
  readonly batchRuns: Pick<BatchRuns, 'count'>
}

/** Runs the turns of all streams. A stream exists while it has something to send. */
function createTurns(context: StreamContext, wakeUps: Pick<WakeUps, 'takeRequest'>) {
  const streams = new Map<string, Stream>()
  return async function runTurn(directoryId: string, tenant: string): Promise<TurnResult> {
    const stream = streams.get(directoryId) ?? createStream(context, directoryId)
    streams.set(directoryId, stream)
    const result = await stream.runTurn(wakeUps.takeRequest(directoryId, tenant))
    if (result === 'idle') streams.delete(directoryId)
    return result
  }
}
