import type { Schedule } from '../../concurrency/schedule.ts'
import { schedule as nodeSchedule } from '../../concurrency/schedule.ts'
import type { Directory } from '../../directory/directory.ts'
import type { DirectoryRecords } from '../../directory/store.ts'
import { createBacklogScan } from '../backlog-scan.ts'
import type { DeliveryLogger } from '../observer.ts'
import { silentLogger } from '../observer.ts'
import type { Next, Pause } from '../run-queue.ts'
import { createRunQueue } from '../run-queue.ts'
import type { DeliveryTarget, EventStore } from '../store.ts'
import type { ResyncStepLimits, ResyncStore } from './store.ts'

const pollMs = 5_000
const pause: Pause = { pauseMs: 1_000 }
const maxQueued = 1_000
const maxConcurrentDirectories = 4

/** What the steps of resyncs read and write. */
export type ResyncRunnerStore = ResyncStore & Pick<DirectoryRecords, 'getDirectory'> & Pick<EventStore, 'streamStatus'>

export interface ResyncRunnerOptions {
  readonly store: ResyncRunnerStore
  /** Who takes the events of directories in this service. */
  readonly targets: readonly DeliveryTarget[]
  /** A step was taken, and has most likely stored events of the directory. */
  readonly onStep: (directory: Directory) => void
  /** Unix milliseconds. */
  readonly clock?: () => number
  readonly schedule?: Schedule
  readonly log?: DeliveryLogger
  readonly limits?: ResyncStepLimits
  /** While a target has so many events of the directory before it, the next step waits. */
  readonly maxUndelivered?: number
}

/** Takes the steps of resyncs in the background: those of one directory one after the other, between other work. */
export interface ResyncRunner {
  /** Finds the resyncs that are not completed, now and every 5 s. */
  start(): void
  /** Says that a resync of the directory has begun. */
  wake(directoryId: string): void
  /** Takes no more steps; resolves when the present ones are done. Another start goes on. */
  close(): Promise<void>
}

export function createResyncRunner({
  store,
  targets,
  onStep,
  clock = Date.now,
  schedule = nodeSchedule,
  log = silentLogger,
  limits = { rows: 100, bytes: 500_000 },
  maxUndelivered = 10_000,
}: ResyncRunnerOptions): ResyncRunner {
  let closing = false
  let cancelPoll: (() => void) | undefined

  const turns = createRunQueue({
    limit: maxConcurrentDirectories,
    schedule,
    takeTurn: (directoryId) => takeStep(directoryId).catch((error) => stepFailed(directoryId, error)),
    onTurnEnd: () => catchUp.goOn(),
  })
  const catchUp = createBacklogScan({
    read: store.listRunningResyncs,
    ask: turns.ask,
    hasRoom: () => !closing && turns.countWaiting() < maxQueued,
    onError: (error) => log.error({ err: error }, 'cannot find the resyncs that run; it tries again in five seconds'),
  })

  async function takeStep(directoryId: string): Promise<Next> {
    const [directory, before] = await Promise.all([store.getDirectory(directoryId), store.getResync(directoryId)])
    if (directory === undefined || before === undefined || before.completedAt !== undefined) return 'idle'
    if (await isFlooded(directory)) return pause
    const after = await store.stepResync(before, limits, clock())
    if (after === 'conflict') return pause
    onStep(directory)
    return after.completedAt === undefined ? 'again' : 'idle'
  }

  /** Whether a target has enough before it; one that a directory does not have waits for nothing. */
  async function isFlooded({ id, endpoint }: Directory): Promise<boolean> {
    const present = targets.filter((target) => target !== 'endpoint' || endpoint !== undefined)
    const streams = await Promise.all(present.map((target) => store.streamStatus(id, target)))
    return streams.some(
      (stream) => stream !== undefined && stream.lastSequence - stream.deliveredSequence > maxUndelivered,
    )
  }

  function stepFailed(directoryId: string, error: unknown): Pause {
    log.error({ directoryId, err: error }, 'a resync cannot use the store; it tries again in a second')
    return pause
  }

  async function poll(): Promise<void> {
    await catchUp.begin()
    if (!closing) cancelPoll = schedule(poll, pollMs)
  }

  async function close(): Promise<void> {
    closing = true
    cancelPoll?.()
    await Promise.all([turns.close(), catchUp.goOn()])
  }

  return { start: poll, wake: turns.ask, close }
}
