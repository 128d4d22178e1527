import type { AuditWrite } from '../directory/audit.ts'
import type { SyncProgress, SyncRun, SyncTrigger } from './sync/run.ts'

export type { SyncProgress, SyncRun } from './sync/run.ts'
export { noProgress, syncPhases, syncRunStates, syncTriggers } from './sync/run.ts'

/** Who runs a sync, and since when: names the process among all. Times are Unix milliseconds. */
export interface SyncRunRequest {
  readonly id: string
  readonly directoryId: string
  readonly trigger: SyncTrigger
  readonly startedAt: number
  readonly holder: string
  /** How long the process may be silent before another may take over, by the clock of the database. */
  readonly ttlMs: number
  /** No run is begun when the last one began after this time; any last run is fine when left out. */
  readonly unlessSince?: number | undefined
}

/** How a request for a run is answered. */
export type SyncRunBegun =
  | { readonly outcome: 'begun'; readonly run: SyncRun }
  /** Another run has the directory. */
  | { readonly outcome: 'running'; readonly run: SyncRun }
  /** The last run began after `unlessSince`. */
  | { readonly outcome: 'recent' }
  | { readonly outcome: 'directory-not-found' }
  /** To be approved, the run must be held. */
  | { readonly outcome: 'not-held'; readonly run: SyncRun | undefined }

export type HeldKind = 'user' | 'group'

/** How a run ends. */
export interface SyncRunEnd {
  readonly state: 'completed' | 'held' | 'failed'
  readonly finishedAt: number
  readonly error: string | undefined
}

/** A place in the list of a directory's runs, newest first. */
export interface SyncRunPosition {
  readonly startedAt: number
  readonly id: string
}

/** What pulled directories ask of a store. */
export interface ExtdirStore {
  /**
   * Begins a run. It is the only one of its directory: a run whose process was silent for its time is failed. The
   * directory's revision grows by one in the same commit, so that a process that had the run before can write no more. So is
   * the entry of the audit trail, when a run is begun.
   */
  beginSyncRun(request: SyncRunRequest, audit?: AuditWrite): Promise<SyncRunBegun>
  /** Begins a held run anew, with the deletions that it holds approved; see `beginSyncRun`. */
  resumeHeldRun(request: SyncRunRequest, audit?: AuditWrite): Promise<SyncRunBegun>
  /** Renews the leases of all runs of a holder; answers the ids of those that it still has. */
  renewSyncRuns(holder: string, ttlMs: number): Promise<string[]>
  /** Notes how a run gets on. `lost`: the run has ended or is another's, and nothing is noted. */
  recordSyncRun(
    run: Pick<SyncRun, 'directoryId' | 'id'>,
    holder: string,
    progress: SyncProgress,
  ): Promise<'recorded' | 'lost'>
  /** Ends a run. When it is completed or held, earlier held runs of the directory are superseded. */
  finishSyncRun(
    run: Pick<SyncRun, 'directoryId' | 'id'>,
    holder: string,
    progress: SyncProgress,
    end: SyncRunEnd,
  ): Promise<'finished' | 'lost'>
  getSyncRun(directoryId: string, id: string): Promise<SyncRun | undefined>
  /** The runs of a directory, newest first, behind a place. */
  listSyncRuns(directoryId: string, after: SyncRunPosition | undefined, limit: number): Promise<SyncRun[]>
  /** The run that waits for an approval; there is at most one. */
  heldRun(directoryId: string): Promise<string | undefined>
  /** The active directories that are pulled, by id and behind `after`. */
  directoriesToSync(after: string, limit: number): Promise<string[]>

  /** Keeps what a run would delete, once each; at most 1,000 ids at a time. */
  holdDeletions(directoryId: string, runId: string, kind: HeldKind, ids: readonly string[]): Promise<void>
  /** Which of these ids a run holds; at most 1,000 at a time. */
  heldAmong(directoryId: string, runId: string, kind: HeldKind, ids: readonly string[]): Promise<Set<string>>
  /** What a run holds of a kind, by id and behind `after`. */
  listHeld(directoryId: string, runId: string, kind: HeldKind, after: string, limit: number): Promise<string[]>
  /** Forgets what a run holds, in small steps. */
  releaseHeld(directoryId: string, runId: string): Promise<void>

  /** Marks a state of an authorization as used; false when it was used before. Those that have expired are forgotten. */
  spendAuthorization(id: string, expiresAt: number, now: number): Promise<boolean>
  /** Keeps the authorization that was begun last for a directory; it is kept sealed. */
  keepAuthorization(directoryId: string, text: string, expiresAt: number): Promise<void>
  /** The authorization that was begun last and has not expired, which is forgotten with this. */
  takeAuthorization(directoryId: string, now: number): Promise<string | undefined>
  /** A secret that the service made for itself: `candidate` when there was none, which is then kept (encrypted). */
  getOrCreateSecret(name: 'authorization-state', candidate: string): Promise<string>
}
