/** What a sync run is doing; `waiting` until it gets its turn among the runs of the process. */
export const syncPhases = ['waiting', 'users', 'groups', 'members', 'managers', 'deletions', 'done'] as const

export type SyncPhase = (typeof syncPhases)[number]

/** `held`: everything is done but the deletions, which wait for an approval. `superseded`: it was held, and a later run has ended. */
export const syncRunStates = ['running', 'completed', 'held', 'failed', 'superseded'] as const

export type SyncRunState = (typeof syncRunStates)[number]

/** Who asked for a run: a call for one directory, the cron route, the interval, or the embedding process. */
export const syncTriggers = ['api', 'cron', 'interval', 'library'] as const

export type SyncTrigger = (typeof syncTriggers)[number]

/** What a run has done until now. */
export interface SyncProgress {
  readonly phase: SyncPhase
  /** Requests to Google, repeated ones too. */
  readonly requests: number
  readonly pages: number
  /** Users and groups. */
  readonly created: number
  readonly updated: number
  readonly deleted: number
  /** Deletions that wait for an approval. */
  readonly held: number
  /** What was left out: users of other domains or with a name that is taken, members that nobody here is, unreadable groups. */
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

/** One pull of a directory. Times are Unix milliseconds. */
export interface SyncRun extends SyncProgress {
  readonly id: string
  readonly directoryId: string
  readonly state: SyncRunState
  readonly trigger: SyncTrigger
  readonly startedAt: number
  readonly finishedAt: number | undefined
  /** A sentence that says why it failed, or what it left out. */
  readonly error: string | undefined
}
