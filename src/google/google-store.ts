import type { AuditWrite } from '../directory/audit.ts'
import type { NoticeWrite } from '../directory/operator-notice.ts'

/** The phases of a sync run; `waiting` until the process has capacity for it. */
export const syncPhases = ['waiting', 'users', 'groups', 'members', 'managers', 'deletions', 'done'] as const

export type SyncPhase = (typeof syncPhases)[number]

/** `held`: done except for deletions that wait for approval. `superseded`: was held until a later run ended. */
export const syncRunStates = ['running', 'completed', 'held', 'failed', 'superseded'] as const

export type SyncRunState = (typeof syncRunStates)[number]

/** The causes of a run: a request for one directory, the cron route, the interval, the embedding process, or a consent. */
export const syncTriggers = ['api', 'cron', 'interval', 'library', 'consent'] as const

export type SyncTrigger = (typeof syncTriggers)[number]

/** The progress of a run. */
export interface SyncProgress {
  readonly phase: SyncPhase
  /** Requests to Google, including retries. */
  readonly requests: number
  readonly pages: number
  /** Users and groups. */
  readonly created: number
  readonly updated: number
  readonly deleted: number
  /** Deletions that wait for approval. */
  readonly held: number
  /** Skipped: users of other domains or whose userName is taken, members who are not users here, unreadable groups. */
  readonly skipped: number
  readonly membersAdded: number
  readonly membersRemoved: number
}

export const noProgress: SyncProgress = {
  phase: 'waiting',
  requests: 0,
  pages: 0,
  created: 0,
  updated: 0,
  deleted: 0,
  held: 0,
  skipped: 0,
  membersAdded: 0,
  membersRemoved: 0,
}

/** One sync of a directory. Times are Unix milliseconds. */
export interface SyncRun extends SyncProgress {
  readonly id: string
  readonly directoryId: string
  readonly state: SyncRunState
  readonly trigger: SyncTrigger
  readonly startedAt: number
  readonly finishedAt: number | undefined
  /** The reason of a failure, or a note on what was left out, in a sentence. */
  readonly error: string | undefined
}

/** A request to start a run. Times are Unix milliseconds. */
export interface SyncRunRequest {
  readonly id: string
  readonly directoryId: string
  readonly trigger: SyncTrigger
  readonly startedAt: number
  /** The process that wants to run it, unique among all processes. */
  readonly holder: string
  /** The duration of the lease without renewal, by the database's clock. */
  readonly ttlMs: number
  /** No run is started if the last one started after this time. */
  readonly unlessSince?: number | undefined
}

/** The result of a request to start a run. */
export type SyncRunBegun =
  | { readonly outcome: 'begun'; readonly run: SyncRun }
  /** Another run of the directory is in progress. */
  | { readonly outcome: 'running'; readonly run: SyncRun }
  /** The last run started after `unlessSince`. */
  | { readonly outcome: 'recent' }
  | { readonly outcome: 'directory-not-found' }
  /** Only a held run can be approved. */
  | { readonly outcome: 'not-held'; readonly run: SyncRun | undefined }

export type HeldKind = 'user' | 'group'

/** The end of a run. */
export interface SyncRunEnd {
  readonly state: 'completed' | 'held' | 'failed'
  readonly finishedAt: number
  readonly error: string | undefined
}

/** A position in the list of a directory's runs, newest first. */
export interface SyncRunPosition {
  readonly startedAt: number
  readonly id: string
}

/** A directory that is due to sync. */
export interface SyncDue {
  readonly id: string
  /** Start of its last run, in Unix milliseconds; 0 before the first. */
  readonly syncedAt: number
}

/** The storage that pulled directories use. */
export interface GoogleStore {
  /**
   * Starts a run unless the directory has another one with a valid lease; a run with an expired lease fails. The same
   * commit increments the directory's revision, so that the process of the failed run can no longer write, and adds the
   * audit entry.
   */
  beginSyncRun(request: SyncRunRequest, audit?: AuditWrite): Promise<SyncRunBegun>
  /** Starts a held run again with its deletions approved; see `beginSyncRun`. */
  resumeHeldRun(request: SyncRunRequest, audit?: AuditWrite): Promise<SyncRunBegun>
  /** Renews the leases of all runs of a holder; returns the ids of those that it still holds. */
  renewSyncRuns(holder: string, ttlMs: number): Promise<string[]>
  /** Records the progress of a run. `lost`: the run has ended or another process holds it, and nothing is recorded. */
  recordSyncRun(
    run: Pick<SyncRun, 'directoryId' | 'id'>,
    holder: string,
    progress: SyncProgress,
  ): Promise<'recorded' | 'lost'>
  /**
   * Ends a run and writes the notice. If it is completed or held, earlier held runs of the directory are superseded.
   */
  finishSyncRun(
    run: Pick<SyncRun, 'directoryId' | 'id'>,
    holder: string,
    progress: SyncProgress,
    end: SyncRunEnd,
    notice?: NoticeWrite,
  ): Promise<'finished' | 'lost'>
  getSyncRun(directoryId: string, id: string): Promise<SyncRun | undefined>
  /** The runs of a directory after a position, newest first. */
  listSyncRuns(directoryId: string, after: SyncRunPosition | undefined, limit: number): Promise<SyncRun[]>
  /** The id of the run that waits for approval; there is at most one. */
  heldRun(directoryId: string): Promise<string | undefined>
  /** Supersedes a held run, so that its deletions are dropped. False when it is not held. */
  dropHeldRun(directoryId: string, runId: string, audit?: AuditWrite): Promise<boolean>
  /** The ids of active pulled directories after `after`, in order. */
  directoriesToSync(after: string, limit: number): Promise<string[]>
  /**
   * The active directories that are connected to Google and whose last run began at `until` or earlier, ordered by that
   * time and by id, after a position.
   */
  directoriesDueToSync(until: number, after: SyncDue | undefined, limit: number): Promise<SyncDue[]>

  /** Adds ids, at most 1,000, to the deletions that a run holds; duplicates are ignored. */
  holdDeletions(directoryId: string, runId: string, kind: HeldKind, ids: readonly string[]): Promise<void>
  /** The ids, of at most 1,000, whose deletion a run holds. */
  heldAmong(directoryId: string, runId: string, kind: HeldKind, ids: readonly string[]): Promise<Set<string>>
  /** The ids of one kind whose deletion a run holds, after `after`, in order. */
  listHeld(directoryId: string, runId: string, kind: HeldKind, after: string, limit: number): Promise<string[]>
  /** Removes the held deletions of a run, in small steps. */
  releaseHeld(directoryId: string, runId: string): Promise<void>

  /** Marks an authorization state as used; false if it already was. Removes expired ones. */
  spendAuthorization(id: string, expiresAt: number, now: number): Promise<boolean>
  /** Stores the last authorization that was started for a directory, encrypted. */
  keepAuthorization(directoryId: string, text: string, expiresAt: number): Promise<void>
  /** Returns and removes the last authorization that was started, unless it has expired. */
  takeAuthorization(directoryId: string, now: number): Promise<string | undefined>
}
