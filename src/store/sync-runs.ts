import type { ExtdirStore, SyncProgress, SyncRun, SyncRunBegun, SyncRunRequest } from '../google/store.ts'
import { noProgress } from '../google/store.ts'

/** The columns of a run's progress, in the order of `syncProgressValues`. */
export const syncProgressColumns = [
  'phase',
  'requests',
  'pages',
  'created',
  'updated',
  'deleted',
  'held',
  'skipped',
  'members_added',
  'members_removed',
] as const

/** The columns of a run, in the order of `syncRunValues`. */
export const syncRunColumns = [
  'directory_id',
  'id',
  'state',
  'trigger',
  'started_at',
  'finished_at',
  'error',
  ...syncProgressColumns,
] as const

/** A run as both databases keep it. */
export interface SyncRunRow {
  readonly directory_id: string
  readonly id: string
  readonly state: string
  readonly trigger: string
  readonly started_at: number
  readonly finished_at: number | null
  readonly error: string | null
  readonly phase: string
  readonly requests: number
  readonly pages: number
  readonly created: number
  readonly updated: number
  readonly deleted: number
  readonly held: number
  readonly skipped: number
  readonly members_added: number
  readonly members_removed: number
}

/** The run of a row. */
export function syncRunOf(row: SyncRunRow): SyncRun {
  return {
    id: row.id,
    directoryId: row.directory_id,
    state: row.state as SyncRun['state'],
    trigger: row.trigger as SyncRun['trigger'],
    startedAt: row.started_at,
    finishedAt: row.finished_at ?? undefined,
    error: row.error ?? undefined,
    phase: row.phase as SyncRun['phase'],
    requests: row.requests,
    pages: row.pages,
    created: row.created,
    updated: row.updated,
    deleted: row.deleted,
    held: row.held,
    skipped: row.skipped,
    membersAdded: row.members_added,
    membersRemoved: row.members_removed,
  }
}

/** The values of a run, in the order of `syncRunColumns`. */
export function syncRunValues(run: SyncRun): (string | number | null)[] {
  const { directoryId, id, state, trigger, startedAt, finishedAt, error } = run
  return [directoryId, id, state, trigger, startedAt, finishedAt ?? null, error ?? null, ...syncProgressValues(run)]
}

/** The values of a progress, in the order of `syncProgressColumns`. */
export function syncProgressValues(progress: SyncProgress): (string | number)[] {
  return [
    progress.phase,
    progress.requests,
    progress.pages,
    progress.created,
    progress.updated,
    progress.deleted,
    progress.held,
    progress.skipped,
    progress.membersAdded,
    progress.membersRemoved,
  ]
}

/** How many runs of a directory are kept, beside one that is held. */
export const keptRuns = 200

/** How many runs too many are removed at once. */
export const runsPerPruning = 20

/** Why a run failed that nobody has ended. */
export const stoppedError = 'The process that ran it stopped before its end.'

/** What a directory has when a run of it is asked for. */
export interface RunsBefore {
  /** The run that has the directory, and whether its process was silent for its time. */
  readonly running: { readonly run: SyncRun; readonly isSilent: boolean } | undefined
  /** When the last run began. */
  readonly lastStartedAt: number | undefined
}

/** How a request for a new run is answered. */
export function decideBegin(request: SyncRunRequest, { running, lastStartedAt }: RunsBefore): SyncRunBegun {
  if (running !== undefined && !running.isSilent) return { outcome: 'running', run: running.run }
  const { unlessSince } = request
  if (unlessSince !== undefined && lastStartedAt !== undefined && lastStartedAt > unlessSince) {
    return { outcome: 'recent' }
  }
  return { outcome: 'begun', run: newRun(request) }
}

/** How a request to go on with a held run is answered. */
export function decideResume(running: RunsBefore['running'], asked: SyncRun | undefined): SyncRunBegun {
  if (running !== undefined && !running.isSilent) return { outcome: 'running', run: running.run }
  if (asked?.state !== 'held') return { outcome: 'not-held', run: asked }
  return { outcome: 'begun', run: resumedRun(asked) }
}

function newRun({ id, directoryId, trigger, startedAt }: SyncRunRequest): SyncRun {
  const open = { finishedAt: undefined, error: undefined }
  return { id, directoryId, state: 'running', trigger, startedAt, ...open, ...noProgress }
}

/** The run goes on counting where it was held; it keeps its place in the list. */
function resumedRun(held: SyncRun): SyncRun {
  return { ...held, state: 'running', phase: 'waiting', held: 0, finishedAt: undefined, error: undefined }
}

/** The part of a store that keeps sync runs. */
export type SyncRunStore = Pick<
  ExtdirStore,
  | 'beginSyncRun'
  | 'resumeHeldRun'
  | 'renewSyncRuns'
  | 'recordSyncRun'
  | 'finishSyncRun'
  | 'getSyncRun'
  | 'listSyncRuns'
  | 'heldRun'
  | 'directoriesToSync'
>
