import type { Schedule } from '../../concurrency/schedule.ts'
import { schedule as nodeSchedule } from '../../concurrency/schedule.ts'
import type { Directory } from '../../directory/directory.ts'
import type { DirectoryRecords } from '../../directory/directory-store.ts'
import type { DeliveryTarget, EventStore } from '../event-store.ts'
import type { DeliveryLogger } from '../observer.ts'
import { silentLogger } from '../observer.ts'
import type { TurnResult } from '../run-queue.ts'
import type { StepRunner } from '../step-runner.ts'
import { createStepRunner, retryDelay } from '../step-runner.ts'
import type { ResyncStepLimits, ResyncStore } from './resync-store.ts'

const defaultLimits: ResyncStepLimits = { rows: 100, bytes: 500_000 }

export type ResyncRunnerStore = ResyncStore & Pick<DirectoryRecords, 'getDirectory'> & Pick<EventStore, 'streamStatus'>

export interface ResyncRunnerOptions {
  readonly store: ResyncRunnerStore
  /** The targets that this service sends events to. */
  readonly targets: readonly DeliveryTarget[]
  /** Called after a step, which usually has stored events of the directory. */
  readonly onStep: (directory: Directory) => void
  /** Unix milliseconds. */
  readonly clock?: () => number
  readonly schedule?: Schedule
  readonly log?: DeliveryLogger
  readonly limits?: ResyncStepLimits
  /** The number of undelivered events of the directory above which a resync waits for a target. */
  readonly maxUndelivered?: number
}

/** Makes the steps of resyncs in the background. */
export function createResyncRunner(options: ResyncRunnerOptions): StepRunner {
  const { store, schedule = nodeSchedule, log = silentLogger } = options
  return createStepRunner({
    work: { one: 'a resync', several: 'resyncs' },
    read: store.listRunningResyncs,
    makeStep: (directoryId) => makeStep(options, directoryId),
    ...{ schedule, log },
  })
}

async function makeStep(options: ResyncRunnerOptions, directoryId: string): Promise<TurnResult> {
  const { store, onStep, clock = Date.now, limits = defaultLimits } = options
  const [directory, before] = await Promise.all([store.getDirectory(directoryId), store.getResync(directoryId)])
  if (directory === undefined || before === undefined || before.completedAt !== undefined) return 'idle'
  if (await hasBacklog(options, directory)) return retryDelay
  const after = await store.stepResync(before, limits, clock())
  if (after === 'conflict') return retryDelay
  onStep(directory)
  return after.completedAt === undefined ? 'again' : 'idle'
}

/** Returns whether a target has too many undelivered events. A directory without an endpoint does not wait for one. */
async function hasBacklog(
  { store, targets, maxUndelivered = 10_000 }: ResyncRunnerOptions,
  { id, endpoint }: Directory,
): Promise<boolean> {
  const present = targets.filter((target) => target !== 'endpoint' || endpoint !== undefined)
  const streams = await Promise.all(present.map((target) => store.streamStatus(id, target)))
  return streams.some(
    (stream) => stream !== undefined && stream.lastSequence - stream.deliveredSequence > maxUndelivered,
  )
}
