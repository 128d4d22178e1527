import type { Schedule } from '../concurrency/schedule.ts'
import type { DeliveryLogger } from './observer.ts'
import type { PollingOptions } from './polling.ts'
import { createPolling } from './polling.ts'
import type { Delay, TurnResult } from './run-queue.ts'
import { createRunQueue } from './run-queue.ts'

const pollMs = 5_000
const maxConcurrentDirectories = 4

/** The pause after a step that could not be made. */
export const retryDelay: Delay = { delayMs: 1_000 }

export interface StepRunnerOptions {
  /** What the steps are of, for the log: one such work, and several. */
  readonly work: { readonly one: string; readonly several: string }
  /** Finds directories with such work. */
  readonly read: PollingOptions['read']
  readonly makeStep: (directoryId: string) => Promise<TurnResult>
  readonly schedule: Schedule
  readonly log: DeliveryLogger
}

/** Makes the steps of long work in the background: one at a time per directory, between other work; tenants take turns. */
export interface StepRunner {
  /** Finds work that is under way, also what other processes have begun, now and every 5 s. */
  start(): void
  /** Reports that work on the directory was started. */
  wake(directoryId: string, tenant?: string): void
  /** Makes no more steps. Resolves when the current ones are done. Unfinished work continues after the next start. */
  close(): Promise<void>
}

export function createStepRunner({ work, read, makeStep, schedule, log }: StepRunnerOptions): StepRunner {
  const queue = createRunQueue({
    limit: maxConcurrentDirectories,
    schedule,
    runTurn: (directoryId) =>
      makeStep(directoryId).catch((error) => {
        log.error({ directoryId, err: error }, `${work.one} cannot use the database; retrying in a second`)
        return retryDelay
      }),
    now: () => performance.now(),
    onNeedsMore: (tenant) => polling.resume(tenant),
  })
  const polling = createPolling({
    ...{ read, add: queue.addFound, schedule, intervalMs: pollMs, retryMs: pollMs },
    onError: (error) => log.error({ err: error }, `${work.several} could not be looked up; retrying in five seconds`),
  })
  return {
    start: polling.start,
    wake: queue.add,
    async close() {
      await Promise.all([polling.close(), queue.close()])
    },
  }
}
