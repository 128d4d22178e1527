import type { SyncRun, SyncRunBegun, SyncRunRequest } from '../google/store.ts'
import { noProgress } from '../google/store.ts'

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
