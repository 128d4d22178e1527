import type { Directory } from '../../directory/directory.ts'
import type { StoredEvent } from '../../directory/event.ts'
import type { SyncRun } from './run.ts'
import type { Tally } from './tally.ts'

/** A run at work. */
export interface SyncTask {
  readonly directory: Directory
  readonly run: Pick<SyncRun, 'id' | 'directoryId'>
  /** Whether the deletions that the run holds are approved. */
  readonly isApproved: boolean
  readonly tally: Tally
  /** Aborted when the run is lost or the service stops; the reason is a `SyncStopped`. */
  readonly signal: AbortSignal
  /**
   * The directory as it is now, for writes that were refused because it has changed.
   *
   * @throws SyncStopped when the run is another's, or the directory is gone or deactivated
   */
  refreshed(): Promise<Directory>
  /** Told of the events of each commit. */
  onEvents(directory: Directory, events: readonly StoredEvent[]): Promise<void>
}

/** What a run came to. */
export interface SyncOutcome {
  readonly state: 'completed' | 'held'
  /** What was left out, in a sentence. */
  readonly note: string | undefined
}

/** Brings a directory in line with its Google Workspace. */
export type Pull = (task: SyncTask) => Promise<SyncOutcome>
