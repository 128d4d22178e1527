import type { Schedule } from '../concurrency/schedule.ts'

const stepPauseMs = 50
const maxFirstMs = 60_000

export interface PruningOptions {
  /** For the log: what is removed. */
  readonly what: string
  /** Removes some that are too old, at most so many; answers how many. */
  readonly remove: (limit: number) => Promise<number>
  /** How many are removed in one step. */
  readonly rowsPerStep: number
  /** How long it rests, about, when nothing too old is left. */
  readonly intervalMs: number
  readonly schedule: Schedule
  readonly log: { error(details: object, message: string): void }
  /** From 0 to 1: processes that start together do not prune together. */
  readonly random: () => number
}

/** Removes what is too old, in small steps. Any number of processes may do so at once. */
export interface Pruning {
  /** Begins within a minute; then as often as it was told to. */
  start(): void
  /** Resolves when the step under way has ended. */
  close(): Promise<void>
}

export function createPruning(options: PruningOptions): Pruning {
  const { what, remove, rowsPerStep, intervalMs, schedule, log, random } = options
  let cancel: (() => void) | undefined
  let running = Promise.resolve()
  let isClosed = false

  function later(delayMs: number): void {
    if (isClosed) return
    cancel = schedule(() => {
      running = step().then(later)
    }, delayMs)
  }

  /** Removes a few; answers when to go on. */
  async function step(): Promise<number> {
    const pauseMs = intervalMs * (0.5 + random())
    try {
      return (await remove(rowsPerStep)) < rowsPerStep ? pauseMs : stepPauseMs
    } catch (error) {
      log.error({ err: error }, `${what} cannot be removed; it is tried again later`)
      return pauseMs
    }
  }

  return {
    start: () => later(maxFirstMs * random()),
    close() {
      isClosed = true
      cancel?.()
      return running
    },
  }
}
