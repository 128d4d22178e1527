import { DirectoryError } from '../../directory/errors.ts'
import type { RemovalLimit, RemovalLimitView } from '../../directory/removal-limit.ts'
import { removalLimitView } from '../../directory/removal-limit.ts'
import type { Paging } from '../../reads/paging.ts'
import type { HeldRole, HoldReason, RemovalCounts, RemovedUser } from './hold-store.ts'

/** The hold of a directory as the API returns it; times are ISO 8601, in UTC. */
export interface HoldView {
  readonly held: boolean
  readonly since: string | null
  readonly reason: HoldReason | null
  /** The role that too few users have; null unless that is the reason. */
  readonly role: string | null
  /** How many users had the role when the hold began, and how many must keep it; null unless that is the reason. */
  readonly role_users: number | null
  readonly keep_at_least: number | null
  /** The exceeded limit, or that of the directory while nothing is held; null means no limit. */
  readonly limit: RemovalLimitView | null
  /**
   * The number of removals that count, without users who came back: of users, or of memberships if `reason` says so.
   */
  readonly removals: number
  /** The highest number of active users within the window. */
  readonly active_users: number
  /** The sequence of the first held event. */
  readonly first_sequence: number | null
  readonly users: readonly RemovedUserView[]
}

export interface RemovedUserView {
  readonly id: string
  readonly email: string
  readonly removed_at: string
  readonly returned_at: string | null
}

/** A hold with a page of its users, and the token of the next page when more follow. */
export interface HoldPage {
  readonly hold: HoldView
  readonly pageToken: string | undefined
}

/** @param ofDirectory the limit of the directory */
export function holdView(
  ofDirectory: RemovalLimit | null,
  { hold, removals, highest, activeUsers }: RemovalCounts,
  users: readonly RemovedUser[],
): HoldView {
  const limit = hold === undefined || hold.role !== undefined ? ofDirectory : hold.limit
  const base = { limit: limit && removalLimitView(limit), users: users.map(userView) }
  if (hold === undefined) {
    return {
      held: false,
      since: null,
      reason: null,
      ...noRole,
      ...base,
      removals,
      active_users: highest,
      first_sequence: null,
    }
  }
  return {
    held: true,
    since: isoTime(hold.since),
    reason: hold.reason,
    ...(hold.role === undefined ? noRole : roleView(hold.role)),
    ...base,
    removals: hold.removals,
    active_users: hold.reason === 'users' ? hold.highest : Math.max(highest, activeUsers),
    first_sequence: hold.firstSequence,
  }
}

/** The fields of a hold for another reason. */
export const noRole = { role: null, role_users: null, keep_at_least: null }

function roleView({ role, users, minimum }: HeldRole) {
  return { role, role_users: users, keep_at_least: minimum }
}

/** The cause of a hold for a role, as part of a sentence. */
export function shortageText({ role, users, minimum }: HeldRole): string {
  return `a change left ${users} ${users === 1 ? 'user' : 'users'} with the role ${role}, and ${minimum} must keep it`
}

function userView({ id, email, removedAt, returnedAt }: RemovedUser): RemovedUserView {
  const returned = returnedAt === undefined ? null : isoTime(returnedAt)
  return { id, email, removed_at: isoTime(removedAt), returned_at: returned }
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

/** The position before the first user. */
export const firstUser = 0

export function isPosition(value: unknown): value is readonly [position: number] {
  return Array.isArray(value) && value.length === 1 && value.every(Number.isSafeInteger)
}

export function isUserToken(value: unknown): value is readonly [id: string] {
  return Array.isArray(value) && value.length === 1 && typeof value[0] === 'string' && !value[0].includes('\0')
}

/** @throws DirectoryError `invalid-input` for an offset, which this list does not support */
export function rejectOffset(paging: Paging): void {
  if (paging === undefined || !('offset' in paging) || paging.offset === 0) return
  const message = 'pageOffset: this list supports pageToken only.'
  throw new DirectoryError('invalid-input', message, [{ field: 'pageOffset', message }])
}

export function directoryNotFound(): DirectoryError {
  return new DirectoryError('directory-not-found', 'There is no such directory.')
}
