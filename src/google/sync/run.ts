import type { Directory } from '../../directory/directory.ts'
import type { StoredEvent } from '../../directory/event.ts'
import type { SyncPhase, SyncProgress, SyncRun } from '../google-store.ts'
import { noProgress } from '../google-store.ts'

/** Counts the effects of a run. */
export interface Tally {
  enter(phase: SyncPhase): void
  count(counter: Exclude<keyof SyncProgress, 'phase'>, increment?: number): void
  progress(): SyncProgress
}

/** Counts from zero, or from the progress of a run that is resumed. */
export function createTally(start: SyncProgress = noProgress): Tally {
  let progress = start
  return {
    enter(phase) {
      progress = { ...progress, phase }
    },
    count(counter, increment = 1) {
      progress = { ...progress, [counter]: progress[counter] + increment }
    },
    progress: () => progress,
  }
}

/** The input of one run. */
export interface SyncTask {
  readonly directory: Directory
  readonly run: Pick<SyncRun, 'id' | 'directoryId'>
  /** Whether the deletions that the run holds are approved. */
  readonly isApproved: boolean
  readonly tally: Tally
  /** Aborted with a `SyncStopped` if the run is lost or the service stops. */
  readonly signal: AbortSignal
  /**
   * Reads the directory again, after a write was rejected because it has changed.
   *
   * @throws SyncStopped if the run is lost, or the directory was deleted or deactivated
   */
  refreshed(): Promise<Directory>
  /** Awaited with the events of each commit. */
  onEvents(directory: Directory, events: readonly StoredEvent[]): Promise<void>
}

/** The result of a run that did not fail. */
export interface SyncOutcome {
  readonly state: 'completed' | 'held'
  /** A note on what was left out, in a sentence. */
  readonly note: string | undefined
}

/** Syncs a directory with its Google Workspace. */
export type Pull = (task: SyncTask) => Promise<SyncOutcome>

/** Ends a run early, for a reason other than Google. The message is stored with the run. */
export class SyncStopped extends Error {
  override readonly name = 'SyncStopped'
}
