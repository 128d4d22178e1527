import type { Pruning, PruningOptions } from '../concurrency/pruning.ts'
import { createPruning } from '../concurrency/pruning.ts'
import type { Schedule } from '../concurrency/schedule.ts'
import type { DeliveryLogger } from '../delivery/observer.ts'
import type { StepRunner } from '../delivery/step-runner.ts'
import { createStepRunner } from '../delivery/step-runner.ts'
import type { Directory } from '../directory/directory.ts'
import type { AdoptionStore } from './adoption-store.ts'

export interface AdoptionRunnerOptions {
  readonly store: Pick<AdoptionStore, 'listAdoptionWork' | 'stepAdoption'> & {
    getDirectory(id: string): Promise<Directory | undefined>
  }
  /** Called after a step, which may have ended a hold of the directory. */
  readonly onStep: (directory: Directory) => void
  readonly schedule: Schedule
  readonly log: DeliveryLogger
}

/** Applies plans, and removes lists that were forgotten, in the background. */
export function createAdoptionRunner({ store, onStep, ...background }: AdoptionRunnerOptions): StepRunner {
  return createStepRunner({
    work: { one: 'the adoption of accounts', several: 'adoptions of accounts' },
    read: store.listAdoptionWork,
    async makeStep(directoryId) {
      const directory = await store.getDirectory(directoryId)
      if (directory === undefined) return 'idle'
      const made = await store.stepAdoption(directoryId)
      if (made === 'linked') onStep(directory)
      return made === 'idle' ? 'idle' : 'again'
    },
    ...background,
  })
}

const hourMs = 3_600_000
const keptMs = 30 * 24 * hourMs
const listsPerStep = 50

export interface AdoptionPruningOptions extends Pick<PruningOptions, 'schedule' | 'log' | 'random'> {
  readonly store: Pick<AdoptionStore, 'pruneAdoptions'>
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** Forgets lists of accounts after 30 days, and those that were never complete after an hour. */
export function createAdoptionPruning({ store, clock, ...background }: AdoptionPruningOptions): Pruning {
  return createPruning({
    what: 'old lists of accounts',
    remove: (limit) => store.pruneAdoptions(clock() - keptMs, clock() - hourMs, limit),
    rowsPerStep: listsPerStep,
    intervalMs: hourMs,
    ...background,
  })
}
