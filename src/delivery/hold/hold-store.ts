import type { AuditWrite } from '../../directory/audit.ts'
import type { RemovalLimit } from '../../directory/removal-limit.ts'
import { removalKinds } from '../../directory/removal-limit.ts'
import type { Resync, ResyncRequest } from '../resync/resync.ts'

/** Too many users or memberships were removed, or a change left too few users with a role. */
export const holdReasons = [...removalKinds, 'roles'] as const

export type HoldReason = (typeof holdReasons)[number]

/** A role that too few users have. */
export interface HeldRole {
  readonly role: string
  /** How many users must keep it. */
  readonly minimum: number
  /** How many users had it when the hold began. */
  readonly users: number
}

/**
 * The hold of a directory: no event from `firstSequence` on is sent to any target or read in the feed. It begins in the
 * commit of the removal that exceeds the limit, or of the change that leaves too few users with a role. Times are Unix milliseconds.
 */
export interface Hold {
  readonly directoryId: string
  readonly since: number
  readonly reason: HoldReason
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
}

/** The counts of a directory, whether it is held or not. */
export interface RemovalCounts {
  readonly hold: Hold | undefined
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

/** The held directories, for metrics. */
export interface HoldCounts {
  readonly directories: number
  /** Removals whose events are held. */
  readonly removals: number
}

/** The storage of holds. They begin in the commits of `ProvisioningStore`. */
export interface HoldStore {
  /** Undefined when the directory is not held. */
  getHold(directoryId: string): Promise<Hold | undefined>
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
  /** The held directories in the order of their ids, after an id. */
  listHolds(after: string, limit: number): Promise<Hold[]>
  countHolds(): Promise<HoldCounts>
  /** Takes up to `limit` new holds: each hold is returned once, to one process. */
  takeNewHolds(limit: number): Promise<Hold[]>
  /**
   * Ends the hold: its events are sent unchanged, and earlier removals no longer count. False, without a write, when
   * the directory is not held; `discarding` when a discard has removed some of its events.
   */
  releaseHold(directoryId: string, audit?: AuditWrite): Promise<boolean | 'discarding'>
  /**
   * Ends the hold: its events are removed, and a resync begins instead, whose `sync.started` has the sequence number of
   * the first of them. A running resync ends. If this fails halfway, the directory stays held, and the next call
   * completes it. Undefined, without a write, when the directory is not held.
   */
  discardHold(request: ResyncRequest, audit?: AuditWrite): Promise<Resync | undefined>
}
