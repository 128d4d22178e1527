import type { Hold, RemovedUser } from '../delivery/hold/store.ts'
import type { StoredEvent } from '../directory/event.ts'
import type { RemovalKind, RemovalLimit, RemovalRun, RemovalWindow } from '../directory/removal-limit.ts'
import { countRemovals, removalKinds, unlimited } from '../directory/removal-limit.ts'
import type { IndexedUser } from '../directory/user.ts'
import type { Row } from './row.ts'
import { integer, oneOf, optionalInteger, text } from './row.ts'

/** What every commit of events counts in the row of the directory. */
export interface CountedState {
  /** The sequence number of the last event. */
  readonly lastSequence: number
  /** How many events were discarded: the sequence of a new row is that of its event and this number. */
  readonly discardedEvents: number
  readonly activeUsers: number
  readonly memberships: number
  /** The sequence number of the first held event; undefined unless the directory is held. */
  readonly heldFrom: number | undefined
}

export function decodeCountedState(row: Row): CountedState {
  return {
    lastSequence: integer(row, 'last_sequence'),
    discardedEvents: integer(row, 'discarded_events'),
    activeUsers: integer(row, 'active_users'),
    memberships: integer(row, 'memberships'),
    heldFrom: optionalInteger(row, 'held_from'),
  }
}

/** A user who was removed by the event with a sequence number. */
export interface UserRemoval {
  readonly sequence: number
  readonly user: Pick<IndexedUser, 'id' | 'userName' | 'email'>
}

/** Removals of one kind, in one commit. */
export interface Removals {
  readonly kind: RemovalKind
  readonly runs: readonly RemovalRun[]
  /** The removed users; none for memberships. */
  readonly users: readonly UserRemoval[]
  /** Unix milliseconds. */
  readonly at: number
}

/** Removed users, each by an event of its own; `before` is how many active users there were before the first one. */
export function userRemovals(users: readonly UserRemoval[], before: number, at: number): Removals {
  const runs = users.map(({ sequence }, index) => ({
    sequence,
    removals: 1,
    hasEventEach: true,
    before: before - index,
  }))
  return { kind: 'users', runs, users, at }
}

/** The run of a change of members: those who leave follow each other, each with an event. */
export function memberRemovalRuns(
  events: readonly Pick<StoredEvent, 'sequence' | 'eventType'>[],
  before: number,
): RemovalRun[] {
  const removed = events.filter(({ eventType }) => eventType === 'group.user_removed')
  const [first] = removed
  return first === undefined ? [] : [{ sequence: first.sequence, removals: removed.length, hasEventEach: true, before }]
}

export function membershipRemovals(runs: readonly RemovalRun[], at: number): Removals {
  return { kind: 'memberships', runs, users: [], at }
}

/** What the removals of a commit write besides the removed users. */
export interface RemovalDecision {
  readonly buckets: string
  /** The hold that begins. */
  readonly hold: Omit<Hold, 'directoryId'> | undefined
  /** How many removals a hold in effect has more. */
  readonly heldRemovals: number
  /** Removed users from before this time are not kept; undefined while the directory is held. */
  readonly keepUsersFrom: number | undefined
}

/** Decides what the removals of a commit write; undefined when they are not counted. */
export function decideRemovals(
  { kind, runs, at }: Removals,
  { heldFrom }: Pick<CountedState, 'heldFrom'>,
  limit: RemovalLimit | null,
  stored: RemovalWindow,
): RemovalDecision | undefined {
  const removed = runs.reduce((sum, run) => sum + run.removals, 0)
  if (removed === 0 || (limit === null && heldFrom === undefined)) return undefined
  // A directory without a limit that is held counts on.
  const effective = limit ?? unlimited
  const { window, removals, highest, exceededAt } = countRemovals(stored, runs, effective, at)
  const isHeld = heldFrom !== undefined
  const countedFrom = window[0]?.from ?? at
  const begins = exceededAt !== undefined && !isHeld
  const removalsBefore = removals - heldBy(runs, exceededAt ?? 0)
  const hold = { since: at, reason: kind, limit: effective, removals, removalsBefore, highest, countedFrom }
  return {
    buckets: encodeWindow(window),
    hold: begins ? { ...hold, firstSequence: exceededAt } : undefined,
    heldRemovals: isHeld ? removed : 0,
    keepUsersFrom: isHeld || begins ? undefined : countedFrom,
  }
}

/** How many removals of a commit have events from a sequence number on. */
function heldBy(runs: readonly RemovalRun[], first: number): number {
  const held = runs.map(({ sequence, removals, hasEventEach }) => {
    const sent = hasEventEach ? Math.min(removals, Math.max(0, first - sequence)) : sequence < first ? removals : 0
    return removals - sent
  })
  return held.reduce((sum, count) => sum + count, 0)
}

function encodeWindow(window: RemovalWindow): string {
  return JSON.stringify(window.map(({ from, removals, highest }) => [from, removals, highest]))
}

/** Decodes the column `buckets`, which this module wrote; null when there was no removal. */
export function decodeWindow(row: Row | undefined): RemovalWindow {
  if (row === undefined) return []
  const buckets: [number, number, number][] = JSON.parse(text(row, 'buckets'))
  return buckets.map(([from, removals, highest]) => ({ from, removals, highest }))
}

/** The columns of a hold `h` and the state `s` of its directory. */
export const holdColumns = `h.directory_id, h.since, h.reason, h.percent, h.minimum, h.window_seconds, h.removals,
  h.removals_before, h.highest, h.counted_from, s.held_from`

/** The columns of `holdValues`. */
export const holdValueColumns =
  'directory_id, since, reason, percent, minimum, window_seconds, removals, removals_before, highest, counted_from'

export function holdValues({ directoryId, since, reason, limit, ...counts }: Omit<Hold, 'firstSequence'>) {
  const { percent, minimum, windowSeconds } = limit
  const { removals, removalsBefore, highest, countedFrom } = counts
  return [
    directoryId,
    since,
    reason,
    percent,
    minimum,
    windowSeconds,
    removals,
    removalsBefore,
    highest,
    countedFrom,
  ] as const
}

/** Decodes a row of `holdColumns`. */
export function decodeHold(row: Row): Hold {
  return {
    directoryId: text(row, 'directory_id'),
    since: integer(row, 'since'),
    reason: oneOf(row, 'reason', removalKinds),
    limit: {
      percent: integer(row, 'percent'),
      minimum: integer(row, 'minimum'),
      windowSeconds: integer(row, 'window_seconds'),
    },
    removals: integer(row, 'removals'),
    removalsBefore: integer(row, 'removals_before'),
    highest: integer(row, 'highest'),
    firstSequence: integer(row, 'held_from'),
    countedFrom: integer(row, 'counted_from'),
  }
}

/**
 * The columns of a removed user `r`. It came back when a user with its id or its userName is active now (`u`, `n`).
 */
export const removedUserColumns = `r.removed_at, r.row_position, r.user_id, r.email,
  coalesce(u.updated_at, n.updated_at) as returned_at`

/** Decodes a row of `removedUserColumns`. */
export function decodeRemovedUser(row: Row): RemovedUser {
  const removedAt = integer(row, 'removed_at')
  return {
    position: { at: removedAt, row: integer(row, 'row_position') },
    id: text(row, 'user_id'),
    email: text(row, 'email'),
    removedAt,
    returnedAt: optionalInteger(row, 'returned_at'),
  }
}
