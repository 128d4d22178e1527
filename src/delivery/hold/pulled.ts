import type { Caller } from '../../directory/audit.ts'
import { removalLimitView } from '../../directory/removal-limit.ts'
import type { HoldReasonView } from './view.ts'

/** Deletions that a sync of a pulled directory holds before it makes them. */
export interface PulledHold {
  readonly runId: string
  /** Unix milliseconds. */
  readonly since: number
  /** The number of users and groups that would be deleted. */
  readonly deletions: number
  /** The percentage that a run may delete without approval. */
  readonly percent: number
}

/** The holds of pulled directories: the same operations as for events that are held. */
export interface PulledHolds {
  /** Undefined when no run of the directory is held. */
  find(directoryId: string): Promise<PulledHold | undefined>
  /** The held users in the order of their ids, after an id. */
  users(directoryId: string, runId: string, after: string, limit: number): Promise<{ id: string; email: string }[]>
  /** Reads Google again, and deletes the users and groups that are still missing there. */
  release(directoryId: string, runId: string, caller: Caller): Promise<void>
  /** Drops the deletions: the next run decides anew. False when the run is no longer held. */
  discard(directoryId: string, runId: string, caller: Caller): Promise<boolean>
}

/**
 * Shows a held run as the reason `sync`, after those of events: nothing was committed, so it has no first event, and all removals count.
 * Its version is the time of the run: a later run that is held is another reason.
 */
export function pulledReasonView(
  { since, deletions, percent }: PulledHold,
  activeUsers: number,
  users: readonly { id: string; email: string }[],
): HoldReasonView {
  const removed_at = new Date(since).toISOString()
  return {
    ...{ reason: 'sync', since: removed_at, first_sequence: null, removals: deletions, highest: activeUsers },
    limit: removalLimitView({ percent, minimum: 20, windowSeconds: 0 }),
    users: users.map(({ id, email }) => ({ id, email, removed_at, returned_at: null })),
    roles: [],
    version: since,
  }
}
