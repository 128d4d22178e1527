import type { AuditWrite } from '../../directory/audit.ts'
import type { Resync, ResyncRequest } from './resync.ts'

/** How much one step may tell. */
export interface ResyncStepLimits {
  readonly rows: number
  /** Of `raw`, about; a single row may have more. */
  readonly bytes: number
}

/** What resyncs ask of a store. Each directory keeps its last one. */
export interface ResyncStore {
  /** The last resync of a directory; undefined when there was none, or the directory is deleted. */
  getResync(directoryId: string): Promise<Resync | undefined>
  /**
   * Begins a resync, its `sync.started` and its entry of the audit trail with it; answers the one that runs already where
   * there is one.
   */
  beginResync(request: ResyncRequest, audit?: AuditWrite): Promise<Resync | 'directory-not-found'>
  /**
   * Takes the next step of a resync, as `resyncStepped` decides: what it reads, what it tells and how far it got are one
   * transaction under the directory's lock, so that a snapshot is the state at its place in the sequence. `moved`: the
   * resync is not where it was, as somebody else took the step, or its directory is deleted.
   */
  stepResync(resync: Resync, limits: ResyncStepLimits, now: number): Promise<Resync | 'conflict'>
  /** The directories whose resync is not completed, by id and behind `after`. */
  listRunningResyncs(after: string, limit: number): Promise<string[]>
}
