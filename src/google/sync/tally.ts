import type { SyncPhase, SyncProgress } from './run.ts'
import { noProgress } from './run.ts'

/** Counts what a run does. */
export interface Tally {
  enter(phase: SyncPhase): void
  count(what: Exclude<keyof SyncProgress, 'phase'>, howMany?: number): void
  /** The counts as they are now. */
  progress(): SyncProgress
}

/** Starts to count at nothing, or where a run was left. */
export function createTally(start: SyncProgress = noProgress): Tally {
  let progress = start
  return {
    enter(phase) {
      progress = { ...progress, phase }
    },
    count(what, howMany = 1) {
      progress = { ...progress, [what]: progress[what] + howMany }
    },
    progress: () => progress,
  }
}
