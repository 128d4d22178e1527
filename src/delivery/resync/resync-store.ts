import type { AuditWrite } from '../../directory/audit.ts'
import type { DuePage } from '../event-store.ts'
import type { Resync, ResyncRequest } from './resync.ts'

/** The maximum size of one step. */
export interface ResyncStepLimits {
  readonly rows: number
  /** The approximate size of `raw` in bytes; a single row may exceed it. */
  readonly bytes: number
}

/** The storage of resyncs. Each directory keeps its last one. */
export interface ResyncStore {
  /** The last resync of a directory; undefined when there was none, or the directory is deleted. */
  getResync(directoryId: string): Promise<Resync | undefined>
  /**
   * Starts a resync and stores its `sync.started` event and audit entry with it. Returns the running resync, if any.
   */
  beginResync(request: ResyncRequest, audit?: AuditWrite): Promise<Resync | 'directory-not-found'>
  /**
   * Makes the next step of a resync as decided by `nextResyncStep`. Rows, events and progress are one transaction under
   * the directory's lock, so that a snapshot is the state at its sequence. `conflict`: another process made the step,
   * or the directory is deleted.
   */
  stepResync(resync: Resync, limits: ResyncStepLimits, now: number): Promise<Resync | 'conflict'>
  /** The directories with a running resync, ordered by id, after `after`. */
  listRunningResyncs(after: string, limit: number): Promise<DuePage>
}
