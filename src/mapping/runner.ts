import type { Schedule } from '../concurrency/schedule.ts'
import type { DeliveryLogger } from '../delivery/observer.ts'
import type { TurnResult } from '../delivery/run-queue.ts'
import type { StepRunner } from '../delivery/step-runner.ts'
import { createStepRunner } from '../delivery/step-runner.ts'
import type { Directory } from '../directory/directory.ts'
import type { DirectoryRecords } from '../directory/directory-store.ts'
import type { MappingStore, RunLimits } from './mapping-store.ts'

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

/** Makes the steps of runs in the background. */
export function createMappingRunner(options: MappingRunnerOptions): StepRunner {
  const { store, schedule, log } = options
  return createStepRunner({
    work: { one: 'a run of a mapping', several: 'runs of mappings' },
    read: store.listMappingRuns,
    makeStep: (directoryId) => makeStep(options, directoryId),
    ...{ schedule, log },
  })
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
