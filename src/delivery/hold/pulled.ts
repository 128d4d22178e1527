import type { Caller } from '../../directory/audit.ts'
import type { HoldView } from './view.ts'
import { noRole } from './view.ts'

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

/** Shows a held run as a hold. Nothing was committed, so it has no first event, and all removals count. */
export function pulledHoldView(
  { since, deletions, percent }: PulledHold,
  activeUsers: number,
  users: readonly { id: string; email: string }[],
): HoldView {
  const removed_at = new Date(since).toISOString()
  return {
    held: true,
    since: removed_at,
    reason: users.length > 0 ? 'users' : 'memberships',
    ...noRole,
    limit: { percent, minimum: 20, window_seconds: 0 },
    removals: deletions,
    active_users: activeUsers,
    first_sequence: null,
    users: users.map(({ id, email }) => ({ id, email, removed_at, returned_at: null })),
  }
}
