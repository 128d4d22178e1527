import type { SyncProgress, SyncRun, SyncRunBegun, SyncRunRequest } from '../google/google-store.ts'
import { noProgress, syncPhases, syncRunStates, syncTriggers } from '../google/google-store.ts'
import type { Row } from './row.ts'
import { integer, oneOf, optionalInteger, optionalText, text } from './row.ts'

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

/** Decodes a row of `syncRunColumns`. */
export function decodeSyncRun(row: Row): SyncRun {
  return {
    id: text(row, 'id'),
    directoryId: text(row, 'directory_id'),
    state: oneOf(row, 'state', syncRunStates),
    trigger: oneOf(row, 'trigger', syncTriggers),
    startedAt: integer(row, 'started_at'),
    finishedAt: optionalInteger(row, 'finished_at'),
    error: optionalText(row, 'error'),
    phase: oneOf(row, 'phase', syncPhases),
    requests: integer(row, 'requests'),
    pages: integer(row, 'pages'),
    created: integer(row, 'created'),
    updated: integer(row, 'updated'),
    deleted: integer(row, 'deleted'),
    held: integer(row, 'held'),
    skipped: integer(row, 'skipped'),
    membersAdded: integer(row, 'members_added'),
    membersRemoved: integer(row, 'members_removed'),
  }
}

/** The values of a run, in the order of `syncRunColumns`. */
export function syncRunValues(run: SyncRun): (string | number | null)[] {
  const { directoryId, id, state, trigger, startedAt, finishedAt, error } = run
  return [directoryId, id, state, trigger, startedAt, finishedAt ?? null, error ?? null, ...syncProgressValues(run)]
}

/** The values of a run's progress, in the order of `syncProgressColumns`. */
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

/** The unfinished run of a directory, and whether its lease has expired. */
export interface RunningRun {
  readonly run: SyncRun
  readonly isExpired: boolean
}

/** The facts that are read, under the lock of a directory, when a run is requested. */
export interface RunFacts {
  /** False when the directory is deleted. */
  readonly hasDirectory: boolean
  readonly running: RunningRun | undefined
}

/**
 * Decides whether a new run begins.
 *
 * @param lastStartedAt when the directory's last run began
 */
export function decideBegin(
  request: SyncRunRequest,
  { hasDirectory, running }: RunFacts,
  lastStartedAt: number | undefined,
): SyncRunBegun {
  if (!hasDirectory) return { outcome: 'directory-not-found' }
  if (running !== undefined && !running.isExpired) return { outcome: 'running', run: running.run }
  const { unlessSince } = request
  if (unlessSince !== undefined && lastStartedAt !== undefined && lastStartedAt > unlessSince) {
    return { outcome: 'recent' }
  }
  return { outcome: 'begun', run: newRun(request) }
}

/** Decides whether a held run is resumed. */
export function decideResume({ hasDirectory, running }: RunFacts, requested: SyncRun | undefined): SyncRunBegun {
  if (!hasDirectory) return { outcome: 'directory-not-found' }
  if (running !== undefined && !running.isExpired) return { outcome: 'running', run: running.run }
  if (requested?.state !== 'held') return { outcome: 'not-held', run: requested }
  return { outcome: 'begun', run: resumedRun(requested) }
}

function newRun({ id, directoryId, trigger, startedAt }: SyncRunRequest): SyncRun {
  return {
    id,
    directoryId,
    state: 'running',
    trigger,
    startedAt,
    finishedAt: undefined,
    error: undefined,
    ...noProgress,
  }
}

/** Keeps the counts and the start of the held run, and so its position in the list. */
function resumedRun(held: SyncRun): SyncRun {
  return { ...held, state: 'running', phase: 'waiting', held: 0, finishedAt: undefined, error: undefined }
}
