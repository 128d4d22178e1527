import type { Hold, RemovedUser } from '../delivery/hold/hold-store.ts'
import type { StoredEvent } from '../directory/event.ts'
import type { RemovalKind, RemovalLimit, RemovalRun, RemovalWindow } from '../directory/removal-limit.ts'
import { countRemovals, returnRun, unlimited } from '../directory/removal-limit.ts'
import type { IndexedUser } from '../directory/user.ts'
import { fold } from '../scim/fold.ts'
import type { Row } from './row.ts'
import { boolean, integer, optionalInteger, text } from './row.ts'
import type { Statement } from './sql-database.ts'

/** The counters in the row of the directory, which every commit of events updates. */
export interface CountedState {
  /** The sequence number of the last event. */
  readonly lastSequence: number
  /** The number of discarded events: the sequence of a new row is that of its event plus this number. */
  readonly discardedEvents: number
  readonly activeUsers: number
  readonly memberships: number
  /** The sequence number of the first held event; undefined unless the directory is held. */
  readonly heldFrom: number | undefined
  /** Whether the identity provider has changed something. */
  readonly hasChanged: boolean
}

export function decodeCountedState(row: Row): CountedState {
  return {
    lastSequence: integer(row, 'last_sequence'),
    discardedEvents: integer(row, 'discarded_events'),
    activeUsers: integer(row, 'active_users'),
    memberships: integer(row, 'memberships'),
    heldFrom: optionalInteger(row, 'held_from'),
    hasChanged: boolean(row, 'has_changed'),
  }
}

/** A user who was removed by the event with a sequence number. */
export interface UserRemoval {
  readonly sequence: number
  readonly user: Pick<IndexedUser, 'id' | 'userName' | 'email'>
}

/** A membership that was ended by the event with a sequence number. */
export interface MembershipRemoval {
  readonly sequence: number
  readonly groupId: string
  readonly memberId: string
}

/** The users or memberships that a commit removes and brings back. */
export interface Removals {
  readonly kind: RemovalKind
  readonly runs: readonly RemovalRun[]
  /** The removed users; none for memberships. */
  readonly users: readonly UserRemoval[]
  /** The ended memberships, without those of deleted groups, which cannot come back. */
  readonly memberships: readonly MembershipRemoval[]
  /** The positions of the removed users who came back, in rows that are there; none for memberships. */
  readonly returned: readonly number[]
  /** Unix milliseconds. */
  readonly at: number
}

/** The row of a removed user: who it was, and the position of the removal. */
export interface RemovedUserRow {
  readonly userId: string
  readonly userNameFolded: string
  readonly position: number
  /** Whether the user has come back since. */
  readonly hasReturned: boolean
}

/** The columns of `decodeRemovedUserRow`, of a removed user `r`. */
export const removedUserRowColumns = 'r.user_id, r.user_name_folded, r.row_position, r.returned_at'

export function decodeRemovedUserRow(row: Row): RemovedUserRow {
  return {
    userId: text(row, 'user_id'),
    userNameFolded: text(row, 'user_name_folded'),
    position: integer(row, 'row_position'),
    hasReturned: optionalInteger(row, 'returned_at') !== undefined,
  }
}

/** A change by which a user is removed or comes back. */
export interface UserPresence {
  /** The event about it. */
  readonly sequence: number
  readonly user: Pick<IndexedUser, 'id' | 'userName' | 'email'>
  readonly change: 'removed' | 'returned'
  /** Whether the user was active before. */
  readonly wasActive: boolean
}

/**
 * Counts removals and returns of users, in their order. A user who is removed twice, such as deactivated and then deleted,
 * counts once, by the later removal. One who becomes active brings back those removed users who had the same id or userName.
 *
 * @param stored the rows of removed users with the ids and userNames of these users
 * @param activeUsers how many there were before
 */
export function userRemovals(
  changes: readonly UserPresence[],
  stored: readonly RemovedUserRow[],
  activeUsers: number,
  at: number,
): Removals {
  const [users, runs, returned]: [UserRemoval[], RemovalRun[], number[]] = [[], [], []]
  const counted = stored.filter(({ hasReturned }) => !hasReturned)
  let before = activeUsers
  for (const { sequence, user, change, wasActive } of changes) {
    if (change === 'removed') {
      const undone = counted.filter(({ userId }) => userId === user.id).map(({ position }) => position)
      users.push({ sequence, user })
      runs.push({ sequence, removals: 1, hasEventEach: true, before, undone })
    } else {
      const name = fold(user.userName)
      const same = counted.filter(({ userId, userNameFolded }) => userId === user.id || userNameFolded === name)
      const undone = same.map(({ position }) => position)
      if (undone.length > 0) runs.push(returnRun(undone))
      returned.push(...undone)
    }
    before += Number(change === 'returned') - Number(wasActive)
  }
  return { kind: 'users', runs, users, memberships: [], returned, at }
}

/** The run of a change of members: those who leave follow each other, each with an event. */
export function memberRemovalRuns(
  events: readonly Pick<StoredEvent, 'sequence' | 'eventType'>[],
  before: number,
  undone: readonly number[] = [],
): RemovalRun[] {
  const removed = events.filter(({ eventType }) => eventType === 'group.user_removed')
  const [first] = removed
  if (first === undefined) return undone.length === 0 ? [] : [returnRun(undone)]
  return [{ sequence: first.sequence, removals: removed.length, hasEventEach: true, before, undone }]
}

/** The memberships that a change ended, by its events. @param userIds who left, in the order of the events */
export function endedMemberships(
  events: readonly Pick<StoredEvent, 'sequence' | 'eventType'>[],
  groupId: string,
  userIds: readonly string[],
): MembershipRemoval[] {
  const removed = events.filter(({ eventType }) => eventType === 'group.user_removed')
  return userIds.flatMap((memberId, index) => {
    const sequence = removed[index]?.sequence
    return sequence === undefined ? [] : [{ sequence, groupId, memberId }]
  })
}

/** @param memberships the ended memberships that may come back */
export function membershipRemovals(
  runs: readonly RemovalRun[],
  memberships: readonly MembershipRemoval[],
  at: number,
): Removals {
  return { kind: 'memberships', runs, users: [], memberships, returned: [], at }
}

/** The writes for the removals of a commit besides the removed users and memberships. */
export interface RemovalDecision {
  readonly buckets: string
  /** Whether the directory is held because of them, from now on or already. */
  readonly isHeld: boolean
  /** Whether removals count, so that what is removed is kept. */
  readonly isCounted: boolean
  /** The hold that begins. */
  readonly hold: Omit<Hold, 'directoryId'> | undefined
  /** The new counts of the hold in effect because of these removals. */
  readonly held: Pick<Hold, 'removals' | 'removalsBefore'> | undefined
  /** Removals before this position are not kept; undefined while the directory is held because of such removals. */
  readonly keepFrom: number | undefined
}

/**
 * Decides what the removals of a commit write; undefined when nothing is counted. Holds for other reasons do not matter: each kind is
 * counted by itself, at any time.
 */
export function decideRemovals(
  { kind, runs, at }: Pick<Removals, 'kind' | 'runs' | 'at'>,
  { discardedEvents }: Pick<CountedState, 'discardedEvents'>,
  limit: RemovalLimit | null,
  { buckets, isHeld }: StoredWindow,
): RemovalDecision | undefined {
  const isCounted = limit !== null || isHeld
  const counted = isCounted ? runs : runs.map(({ undone = [] }) => returnRun(undone))
  if (counted.every(({ removals, undone = [] }) => removals + undone.length === 0)) return undefined
  // A directory without a limit that is held counts on.
  const effective = limit ?? unlimited
  const after = countRemovals(buckets, counted, effective, at, { discardedEvents, isHeld })
  const { window, removals, highest, exceededAt } = after
  const begins = exceededAt !== undefined && !isHeld
  const countedFrom = window[0]?.position ?? 0
  const counts = { removals, removalsBefore: removals - (window.at(-1)?.removals ?? 0) }
  const hold = { since: at, reason: kind, limit: effective, ...counts, highest, countedFrom }
  return {
    buckets: encodeWindow(window),
    isHeld: isHeld || begins,
    isCounted,
    hold: begins ? { ...hold, firstSequence: exceededAt, version: exceededAt + discardedEvents } : undefined,
    held: isHeld ? counts : undefined,
    keepFrom: isHeld || begins ? undefined : countedFrom,
  }
}

function encodeWindow(window: RemovalWindow): string {
  return JSON.stringify(window.map(({ from, position, removals, highest }) => [from, position, removals, highest]))
}

/** The removals of one kind, as they are stored. */
export interface StoredWindow {
  readonly buckets: RemovalWindow
  /** Whether the directory is held because of them. */
  readonly isHeld: boolean
}

/** The columns of a row for `decodeWindow`. */
const windowColumns = 'kind, buckets, held'

/** Reads the counted removals of a directory, for `windowOf`. */
export function windowsRead(directoryId: string): Statement {
  return { text: `select ${windowColumns} from removal_windows where directory_id = $1`, values: [directoryId] }
}

/** The counted removals of a kind, from the rows of `windowsRead`. */
export function windowOf(kind: RemovalKind, rows: readonly Row[] = []): StoredWindow {
  return decodeWindow(rows.find((row) => row['kind'] === kind))
}

/** Decodes a row of `windowColumns`, which this module wrote; undefined when there was no removal. */
export function decodeWindow(row: Row | undefined): StoredWindow {
  if (row === undefined) return { buckets: [], isHeld: false }
  const buckets: [number, number, number, number][] = JSON.parse(text(row, 'buckets'))
  return {
    buckets: buckets.map(([from, position, removals, highest]) => ({ from, position, removals, highest })),
    isHeld: boolean(row, 'held'),
  }
}

/** The number of removals that no longer count which a commit deletes: more than it adds, so that they become fewer. */
export function deletedPerCommit(removals: number): number {
  return Math.max(200, 2 * removals)
}

/** The columns of a removed user `r`, as the API shows it. */
export const removedUserColumns = 'r.removed_at, r.row_position, r.user_id, r.email, r.returned_at'

/** Decodes a row of `removedUserColumns`. */
export function decodeRemovedUser(row: Row): RemovedUser {
  return {
    position: integer(row, 'row_position'),
    id: text(row, 'user_id'),
    email: text(row, 'email'),
    removedAt: integer(row, 'removed_at'),
    returnedAt: optionalInteger(row, 'returned_at'),
  }
}
