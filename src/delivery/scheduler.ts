import { randomUUID } from 'node:crypto'
import type { Schedule } from '../concurrency/schedule.ts'
import { schedule as nodeSchedule } from '../concurrency/schedule.ts'
import type { Send } from './attempt.ts'
import type { BatchMode, ProcessReport } from './batch-runs.ts'
import { createBatchRuns } from './batch-runs.ts'
import { createLeases } from './lease.ts'
import type { DeliveryLogger, DeliveryObserver } from './observer.ts'
import { silentLogger, silentObserver } from './observer.ts'
import { createPolling } from './polling.ts'
import type { TurnResult } from './run-queue.ts'
import { createRunQueue } from './run-queue.ts'
import type { DeliveryTarget } from './store.ts'
import type { Stream } from './stream.ts'
import { createStream } from './stream.ts'
import type { StreamContext, StreamStore } from './stream-context.ts'
import { createWakeUps } from './wake-ups.ts'

const pollMs = 4_000
const storeRetryMs = 1_000
const maxQueuedDirectories = 1_000

/** The limits of a turn while other directories wait. */
const maxEventsPerTurn = 200
const maxTurnMs = 2_000

export interface SchedulerOptions {
  readonly store: StreamStore
  readonly target: DeliveryTarget
  readonly send: Send
  /** Without it, each event is sent separately, as soon as possible. */
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
  readonly maxConcurrentDirectories?: number
  /** How long `close` waits for attempts in flight before it aborts them; must exceed the timeout of an attempt. */
  readonly closeGraceMs?: number
}

/** Sends the committed events of all directories to one target. */
export interface Scheduler {
  /** Finds undelivered events, now and every few seconds, and receives the notices of other processes. */
  start(): void
  /** Called after a commit. A backoff in progress stays in effect. */
  wake(directoryId: string): void
  /** Called after a directory was changed: its next attempt is made immediately, without the rest of a backoff. */
  retry(directoryId: string): void
  /** Sends everything that is due. Resolves with undefined while another such run is in progress. */
  processDue(): Promise<ProcessReport | undefined>
  /** Stops sending. Resolves when the attempts in flight have ended and are recorded. Idempotent. */
  close(): Promise<void>
}

/** Creates a scheduler. Before `start` it only sends for directories that are woken. */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { store, target, batch, observer = silentObserver, log = silentLogger, schedule = nodeSchedule } = options
  const { clock = Date.now, now = () => performance.now(), random = Math.random } = options
  const { maxConcurrentDirectories: limit = 128, closeGraceMs = 20_000 } = options
  const holder = randomUUID()
  const streams = new Map<string, Stream>()
  const abandon = new AbortController()
  let closed: Promise<void> | undefined

  const logError = (message: string) => (error: unknown) => log.error({ target, err: error }, message)
  const read = (after: string, pageSize: number) => store.directoriesDue(target, holder, clock(), after, pageSize)

  const leases = createLeases({
    ...{ store, target, holder, schedule, now },
    onError: logError('leases could not be renewed; those not renewed in time end'),
  })
  const runQueue = createRunQueue({ limit, schedule, runTurn, onTurnEnd: () => polling.resume() })
  const polling = createPolling({
    ...{ read, add: runQueue.add, hasCapacity: () => runQueue.countWaiting() < maxQueuedDirectories },
    ...{ schedule, intervalMs: pollMs, retryMs: storeRetryMs },
    onError: logError('undelivered events could not be looked up; it is tried again in a second'),
  })
  const batchRuns = createBatchRuns({
    ...{ read, send: runQueue.runToEnd, countRemaining: () => store.countUndelivered(target) },
    ...{ schedule, intervalMs: batch?.intervalMs },
    onError: logError('a batch run failed; the next one starts as scheduled'),
  })
  const wakeUps = createWakeUps({ store, target, leases, runQueue, isBatched: batch !== undefined, schedule, log })
  const context: StreamContext = {
    ...{ store, target, leases, send: options.send, clock, random, schedule, log },
    ...{ batchSize: batch?.size ?? 1, keepsLeases: batch === undefined },
    observer: batchRuns.count(observer),
    signal: abandon.signal,
    isClosing: () => closed !== undefined,
    isTurnOver: (sent, startedAt) =>
      runQueue.countWaiting() > 0 && (sent >= maxEventsPerTurn || clock() - startedAt >= maxTurnMs),
  }

  async function runTurn(directoryId: string): Promise<TurnResult> {
    const stream = streams.get(directoryId) ?? createStream(context, directoryId)
    streams.set(directoryId, stream)
    const result = await stream.runTurn(wakeUps.takeRequest(directoryId))
    if (result === 'idle') streams.delete(directoryId)
    return result
  }

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
      if (batch === undefined) polling.start()
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
