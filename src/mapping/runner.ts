import type { Schedule } from '../concurrency/schedule.ts'
import type { DeliveryLogger } from '../delivery/observer.ts'
import { createPolling } from '../delivery/polling.ts'
import type { Delay, TurnResult } from '../delivery/run-queue.ts'
import { createRunQueue } from '../delivery/run-queue.ts'
import type { Directory } from '../directory/directory.ts'
import type { DirectoryRecords } from '../directory/directory-store.ts'
import type { MappingStore, RunLimits } from './mapping-store.ts'

const pollMs = 5_000
const retryDelay: Delay = { delayMs: 1_000 }
const maxConcurrentDirectories = 4
/** Others wait for one step at most. */
const defaultLimits: RunLimits = { users: 50 }

export interface MappingRunnerOptions {
  readonly store: Pick<MappingStore, 'stepMappingRun' | 'listMappingRuns'> & Pick<DirectoryRecords, 'getDirectory'>
  /** Called after a step, which may have stored events of the directory. */
  readonly onStep: (directory: Directory) => void
  /** Receives the numbers of users that a step evaluated, and for how many something changed. */
  readonly onEvaluated: (evaluated: number, changed: number) => void
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  readonly log: DeliveryLogger
  readonly limits?: RunLimits
}

/** Makes the steps of runs in the background: one at a time per directory, between its other writes; tenants take turns. */
export interface MappingRunner {
  /** Finds runs that are under way, also those that other processes have begun, now and every 5 s. */
  start(): void
  /** Reports that a run of the directory was started. */
  wake(directoryId: string, tenant?: string): void
  /** Makes no more steps. Resolves when the current ones are done. Unfinished runs continue after the next start. */
  close(): Promise<void>
}

export function createMappingRunner(options: MappingRunnerOptions): MappingRunner {
  const { store, schedule, log } = options
  const queue = createRunQueue({
    limit: maxConcurrentDirectories,
    schedule,
    runTurn: (directoryId) =>
      makeStep(options, directoryId).catch((error) => {
        log.error({ directoryId, err: error }, 'a run of a mapping cannot use the database; retrying in a second')
        return retryDelay
      }),
    now: () => performance.now(),
    onNeedsMore: (tenant) => polling.resume(tenant),
  })
  const polling = createPolling({
    ...{ read: store.listMappingRuns, add: queue.addFound, schedule, intervalMs: pollMs, retryMs: pollMs },
    onError: (error) => log.error({ err: error }, 'runs of mappings could not be looked up; retrying in five seconds'),
  })
  return {
    start: polling.start,
    wake: queue.add,
    async close() {
      await Promise.all([polling.close(), queue.close()])
    },
  }
}

async function makeStep(options: MappingRunnerOptions, directoryId: string): Promise<TurnResult> {
  const { store, onStep, onEvaluated, clock, limits = defaultLimits } = options
  const directory = await store.getDirectory(directoryId)
  if (directory === undefined) return 'idle'
  const step = await store.stepMappingRun(directory, limits, clock())
  if (step === 'idle') return 'idle'
  if (step === 'directory-changed') return 'again'
  onEvaluated(step.evaluated, step.changed)
  onStep(directory)
  return step.run.completedAt === undefined ? 'again' : 'idle'
}
