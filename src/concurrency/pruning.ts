import { createRepetition } from './repetition.ts'
import type { Schedule } from './schedule.ts'

const stepPauseMs = 50
const maxFirstMs = 60_000

export interface PruningOptions {
  /** The name of the rows, for log messages. */
  readonly what: string
  /** Removes at most `limit` expired rows; resolves with their number. */
  readonly remove: (limit: number) => Promise<number>
  readonly rowsPerStep: number
  /** The average pause after all expired rows were removed. */
  readonly intervalMs: number
  readonly schedule: Schedule
  readonly log: { error(details: object, message: string): void }
  /** A number from 0 to 1 that spreads the pruning of processes that start together. */
  readonly random: () => number
}

/** Removes expired rows in small steps. Several processes may prune at the same time. */
export interface Pruning {
  /** Starts within a minute. */
  start(): void
  /** Resolves when the current step has ended. */
  close(): Promise<void>
}

export function createPruning(options: PruningOptions): Pruning {
  const { what, remove, rowsPerStep, intervalMs, schedule, log, random } = options

  /** Removes a few rows; resolves with the delay before the next step. */
  const steps = createRepetition(schedule, async () => {
    const pauseMs = intervalMs * (0.5 + random())
    try {
      return (await remove(rowsPerStep)) < rowsPerStep ? pauseMs : stepPauseMs
    } catch (error) {
      log.error({ err: error }, `could not remove ${what}; will retry`)
      return pauseMs
    }
  })
  return { start: () => steps.start(maxFirstMs * random()), close: steps.close }
}
