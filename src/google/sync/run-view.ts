import type { SyncRun } from '../google-store.ts'

/** A run as the API returns it. */
export interface SyncRunView {
  readonly id: string
  readonly directory_id: string
  readonly state: SyncRun['state']
  readonly phase: SyncRun['phase']
  readonly trigger: SyncRun['trigger']
  /** ISO 8601, in UTC. */
  readonly started_at: string
  readonly finished_at: string | null
  readonly requests: number
  readonly pages: number
  readonly created: number
  readonly updated: number
  readonly deleted: number
  readonly held: number
  readonly skipped: number
  readonly members_added: number
  readonly members_removed: number
  readonly error: string | null
}

export function syncRunView(run: SyncRun): SyncRunView {
  const { requests, pages, created, updated, deleted, held, skipped } = run
  return {
    id: run.id,
    directory_id: run.directoryId,
    state: run.state,
    phase: run.phase,
    trigger: run.trigger,
    started_at: new Date(run.startedAt).toISOString(),
    finished_at: run.finishedAt === undefined ? null : new Date(run.finishedAt).toISOString(),
    ...{ requests, pages, created, updated, deleted, held, skipped },
    members_added: run.membersAdded,
    members_removed: run.membersRemoved,
    error: run.error ?? null,
  }
}
