import type { AuditWrite } from '../../directory/audit.ts'
import type { RemovalLimit } from '../../directory/removal-limit.ts'
import { removalKinds } from '../../directory/removal-limit.ts'
import type { Resync, ResyncRequest } from '../resync/resync.ts'

/**
 * The reasons to hold events: too many users or memberships were removed, a change left too few users with a role, or the first events of
 * users and groups wait until the users are linked to accounts of the product.
 */
export const eventHoldReasons = [...removalKinds, 'roles', 'adoption'] as const

export type EventHoldReason = (typeof eventHoldReasons)[number]

/** `sync`: a sync with Google holds deletions before it makes them. There is no event yet. */
export const holdReasons = [...eventHoldReasons, 'sync'] as const

export type HoldReason = (typeof holdReasons)[number]

/** A role that too few users have. */
export interface HeldRole {
  readonly role: string
  /** How many users must keep it. */
  readonly minimum: number
  /** How many users had it after the last change that left too few. */
  readonly users: number
}

/**
 * One of the holds of a directory: no event from `firstSequence` on is sent to any target or read in the feed. It begins in the
 * commit of the removal that exceeds the limit, of the change that leaves too few users with a role, or of the new directory. A directory
 * has one hold at most for each reason, for `roles` one for each role. They begin and end independently of each other. Times are Unix milliseconds.
 */
export interface Hold {
  readonly directoryId: string
  readonly since: number
  readonly reason: EventHoldReason
  /** The role that too few users have; only of the reason `roles`. */
  readonly role?: HeldRole | undefined
  /** The limit when it was exceeded. */
  readonly limit: RemovalLimit
  /**
   * The removals that count, including those before the hold. The number grows with further removals, and shrinks with
   * users who come back.
   */
  readonly removals: number
  /** The number of removals before the hold: their events are sent. */
  readonly removalsBefore: number
  /** The highest number of active users, or memberships, within the window. */
  readonly highest: number
  readonly firstSequence: number
  /** The position of the first removal that counts. */
  readonly countedFrom: number
  /** The position of the first held event when the hold began: later holds have higher ones. */
  readonly version: number
  /** Whether a discard has removed some of its events, so that they can no longer be released. */
  readonly isDiscarding?: true
}

/** The reasons that a release or a discard accepts, each up to a version. */
export type AcceptedReasons = ReadonlyMap<HoldReason, number>

/** The counts of a directory, whether it is held or not. */
export interface RemovalCounts {
  readonly holds: readonly Hold[]
  /** The number of users who are active now. */
  readonly activeUsers: number
  readonly removals: number
  /** The highest number of active users within the window. */
  readonly highest: number
}

/** A user whose removal counts. */
export interface RemovedUser {
  /** The position in the list of removed users, which is in the order of their removals. */
  readonly position: number
  readonly id: string
  readonly email: string
  readonly removedAt: number
  /** Time at which a user with this id or userName became active during the hold; undefined before. */
  readonly returnedAt: number | undefined
}

/** The held directories, for metrics; those whose first users wait for their accounts are not counted. */
export interface HoldCounts {
  readonly directories: number
  /** Removals whose events are held. */
  readonly removals: number
}

/** The storage of holds. They begin in the commits of `ProvisioningStore`. */
export interface HoldStore {
  /** The holds of a directory, by their first events; none when it is not held. */
  getHolds(directoryId: string): Promise<Hold[]>
  /** The ids of the directory's events between two sequence numbers, inclusive, that are not held. */
  sendableIds(directoryId: string, first: number, last: number): Promise<ReadonlySet<string>>
  /**
   * The current counts; undefined when the directory does not exist.
   *
   * @param limit the limit of the directory
   */
  removalCounts(directoryId: string, limit: RemovalLimit, now: number): Promise<RemovalCounts | undefined>
  /** The users whose removals count for a hold, or did until they came back during it, after a position. */
  removedUsers(hold: Hold, after: number, limit: number): Promise<RemovedUser[]>
  countHolds(): Promise<HoldCounts>
  /** Takes up to `limit` new holds of events: each hold is returned once, to one process. */
  takeNewHolds(limit: number): Promise<Hold[]>
  /**
   * Ends the accepted holds, by default all: their events are sent unchanged up to the first event of another hold, and removals that
   * they count no longer count. False, without a write, when there are none; `discarding` when a discard has removed some of the events.
   */
  releaseHold(directoryId: string, accepted?: AcceptedReasons, audit?: AuditWrite): Promise<boolean | 'discarding'>
  /**
   * Ends the accepted holds, by default all: the events from their first one on are removed, and a resync begins instead, whose
   * `sync.started` has the sequence number of the first of them. Other holds of these events hold the resync. A running resync ends. If
   * this fails halfway, the directory stays held, and the next call completes it. Undefined, without a write, when there are none.
   */
  discardHold(request: ResyncRequest, accepted?: AcceptedReasons, audit?: AuditWrite): Promise<Resync | undefined>
}
