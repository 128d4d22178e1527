import type { Schedule } from '../concurrency/schedule.ts'
import type { DeliveryLogger } from '../delivery/observer.ts'
import type { StepRunner } from '../delivery/step-runner.ts'
import { createStepRunner } from '../delivery/step-runner.ts'
import type { Directory } from '../directory/directory.ts'
import type { DirectoryRecords } from '../directory/directory-store.ts'
import type { AdoptionStore } from './adoption-store.ts'

export interface AdoptionRunnerOptions {
  readonly store: Pick<AdoptionStore, 'listAdoptionWork' | 'stepAdoption'> & Pick<DirectoryRecords, 'getDirectory'>
  /** Called after a step that linked users: the last one may have ended a hold. */
  readonly onStep: (directory: Directory) => void
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  readonly log: DeliveryLogger
}

/** Applies plans, and removes lists that are forgotten, in the background. */
export function createAdoptionRunner({ store, onStep, clock, schedule, log }: AdoptionRunnerOptions): StepRunner {
  return createStepRunner({
    work: { one: 'the adoption of accounts', several: 'adoptions of accounts' },
    read: (after, limit) => store.listAdoptionWork(after, limit, clock()),
    async makeStep(directoryId) {
      const directory = await store.getDirectory(directoryId)
      const made = directory && (await store.stepAdoption(directoryId, clock()))
      if (directory !== undefined && made === 'linked') onStep(directory)
      return made === undefined || made === 'idle' ? 'idle' : 'again'
    },
    ...{ schedule, log },
  })
}
