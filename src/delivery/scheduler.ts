import { randomUUID } from 'node:crypto'
import type { Schedule } from '../concurrency/schedule.ts'
import { schedule as nodeSchedule } from '../concurrency/schedule.ts'
import { createThrottle } from '../concurrency/throttle.ts'
import { createBacklogScan } from './backlog-scan.ts'
import type { ProcessReport } from './batch-runs.ts'
import { createBatchRuns } from './batch-runs.ts'
import type { BatchMode } from './batch-settings.ts'
import { createLeases } from './lease.ts'
import type { DeliveryLogger, DeliveryObserver } from './observer.ts'
import { silentLogger, silentObserver } from './observer.ts'
import type { Next } from './run-queue.ts'
import { createRunQueue } from './run-queue.ts'
import type { Send } from './send.ts'
import type { DeliveryTarget, StreamNotice } from './store.ts'
import type { Stream, StreamContext, StreamStore } from './stream.ts'
import { createStream } from './stream.ts'

const pollMs = 4_000
const storeRetryMs = 1_000
/** After another process was found to have a lease, it is told of new events no more often than so. */
const elsewhereMs = 100
const maxQueued = 1_000

/** While other directories wait, a turn ends after so many events or after that time. */
const maxEventsPerTurn = 200
const maxTurnMs = 2_000

export interface SchedulerOptions {
  readonly store: StreamStore
  readonly target: DeliveryTarget
  readonly send: Send
  /** Events wait until they are called for, and go out so many at a time; one by one, as they come, when it is left out. */
  readonly batch?: BatchMode | undefined
  /** Unix milliseconds. */
  readonly clock?: () => number
  /** Milliseconds that only go forward. */
  readonly now?: () => number
  /** From 0 to 1. */
  readonly random?: () => number
  readonly schedule?: Schedule
  readonly log?: DeliveryLogger
  readonly observer?: DeliveryObserver
  /** How many directories are sent to at once. */
  readonly maxConcurrentDirectories?: number
  /** How long `close` waits for deliveries in flight before it gives them up; longer than the timeout of one. */
  readonly closeGraceMs?: number
}

/** Sends the committed events of every directory to one target (design §7.2). */
export interface Scheduler {
  /** Finds what is undelivered, now and every few seconds, and hears of what other processes commit. */
  start(): void
  /** Says that a directory has new events, or takes events again. A back-off that runs stands. */
  wake(directoryId: string): void
  /** The same for a directory that was changed: its next attempt is made at once, without the rest of a back-off. */
  retry(directoryId: string): void
  /** Sends what is due, of every directory, and says what came of it; undefined while a run is under way. */
  processDue(): Promise<ProcessReport | undefined>
  /** Takes no more events; resolves when the deliveries in flight have ended and are recorded. Safe to repeat. */
  close(): Promise<void>
}

/** A dispatcher; until `start` it sends only for the directories it is woken for. */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { store, target, batch, observer = silentObserver, log = silentLogger, schedule = nodeSchedule } = options
  const { clock = Date.now, now = () => performance.now(), random = Math.random, closeGraceMs = 20_000 } = options
  const holder = randomUUID()
  const streams = new Map<string, Stream>()
  /** Who was woken by this process since its last turn, and who need not wait for the end of a back-off. */
  const [calledHere, hurried] = [new Set<string>(), new Set<string>()]
  const givingUp = new AbortController()
  let closing = false
  let closed: Promise<void> | undefined
  let cancelPoll: (() => void) | undefined
  let stopHearing: (() => void) | undefined

  /** Directories that another process sends for: every commit here would else ask for the lease again. */
  const elsewhere = createThrottle({ intervalMs: elsewhereMs, schedule, run: wake })
  const leases = createLeases({
    ...{ store, target, holder, schedule, now },
    onError: (error) => log.error({ target, err: error }, 'leases cannot be renewed; what is not renewed ends'),
  })
  const processing = createBatchRuns({
    read: (after, limit) => store.directoriesDue(target, holder, clock(), after, limit),
    run: (directoryId) => turns.run(directoryId),
    remaining: () => store.countUndelivered(target),
  })
  const context: StreamContext = {
    ...{ store, target, leases, send: options.send, clock, random, schedule, log },
    parcelSize: batch?.size ?? 1,
    keepsLeases: batch === undefined,
    observer: processing.watch(observer),
    signal: givingUp.signal,
    isClosing: () => closing,
    isTurnOver: (sent, startedAt) =>
      turns.countWaiting() > 0 && (sent >= maxEventsPerTurn || clock() - startedAt >= maxTurnMs),
  }

  const limit = options.maxConcurrentDirectories ?? 128
  const turns = createRunQueue({ limit, schedule, takeTurn, onTurnEnd: () => catchUp.goOn() })
  const catchUp = createBacklogScan({
    read: (after, limit) => store.directoriesDue(target, holder, clock(), after, limit),
    ask: turns.ask,
    hasRoom: () => !closing && turns.countWaiting() < maxQueued,
    onError: (error) => log.error({ target, err: error }, 'cannot find undelivered events; it tries again in a second'),
  })

  async function takeTurn(directoryId: string): Promise<Next> {
    const stream = streams.get(directoryId) ?? createStream(context, directoryId)
    streams.set(directoryId, stream)
    const isCalledHere = calledHere.delete(directoryId)
    const next = await stream.takeTurn({
      isHurried: hurried.delete(directoryId),
      onHeldElsewhere() {
        elsewhere.start(directoryId)
        if (isCalledHere) call(directoryId, false)
      },
    })
    if (next === 'idle') streams.delete(directoryId)
    return next
  }

  /** Tells who has the lease: that process is not woken by commits in this one. */
  function call(directoryId: string, isHurried: boolean): void {
    store.publishNotice({ directoryId, target, isUrgent: isHurried }).catch((error) => {
      log.warn({ target, directoryId, err: error }, 'other processes cannot be told; they find events by polling')
    })
  }

  function wake(directoryId: string): void {
    if (batch !== undefined || elsewhere.defers(directoryId)) return
    calledHere.add(directoryId)
    turns.ask(directoryId)
  }

  /** The stream was changed from outside of its deliveries. */
  function hurry(directoryId: string): void {
    leases.doubt(directoryId)
    hurried.add(directoryId)
    if (batch === undefined) turns.askNow(directoryId)
    else turns.endPause(directoryId)
  }

  function hear(heard: StreamNotice): void {
    if (heard.target !== target) return
    if (heard.isUrgent) hurry(heard.directoryId)
    else if (batch === undefined) turns.ask(heard.directoryId)
  }

  function start(): void {
    stopHearing = store.onNotice(hear)
    if (batch === undefined) void poll()
    else runBatches()
  }

  async function poll(): Promise<void> {
    const found = await catchUp.begin()
    if (!closing) cancelPoll = schedule(poll, found ? pollMs : storeRetryMs)
  }

  function runBatches(): void {
    const { intervalMs } = batch ?? {}
    if (intervalMs === undefined || closing) return
    cancelPoll = schedule(() => {
      processing
        .begin()
        .catch((error) => log.error({ target, err: error }, 'a batch run failed; the next one comes as usual'))
        .finally(runBatches)
    }, intervalMs)
  }

  async function finish(): Promise<void> {
    closing = true
    cancelPoll?.()
    stopHearing?.()
    elsewhere.close()
    const cancelGrace = schedule(() => givingUp.abort(), closeGraceMs)
    await Promise.all([turns.close(), catchUp.goOn(), processing.close()])
    cancelGrace()
    await leases.close()
  }

  function close(): Promise<void> {
    closed ??= finish()
    return closed
  }

  return {
    start,
    wake,
    retry(directoryId) {
      hurry(directoryId)
      call(directoryId, true)
    },
    processDue: processing.begin,
    close,
  }
}
