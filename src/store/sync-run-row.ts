import type { SyncProgress, SyncRun } from '../google/store.ts'

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
