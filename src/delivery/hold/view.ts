import { DirectoryError } from '../../directory/errors.ts'
import type { RemovalLimit, RemovalLimitView } from '../../directory/removal-limit.ts'
import { removalLimitView } from '../../directory/removal-limit.ts'
import type { HeldRole, Hold, HoldReason, RemovalCounts, RemovedUser } from './hold-store.ts'
import { versionOf } from './reasons.ts'

/**
 * The hold of a directory as the API returns it; times are ISO 8601, in UTC. The fields besides `held`, `reasons` and `version` are those
 * of one reason: the one that was asked for, or the first.
 */
export interface HoldView {
  readonly held: boolean
  readonly since: string | null
  readonly reason: HoldReason | null
  /** The role that too few users have; null unless that is the reason. */
  readonly role: string | null
  /** How many users had the role after the last change that left too few, and how many must keep it; null unless that is the reason. */
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
  /** Why the directory is held, by their first events. */
  readonly reasons: readonly HoldReasonView[]
  /** For a release or discard of these reasons only; null when nothing is held. */
  readonly version: string | null
}

/** One of the reasons for which a directory is held. */
export interface HoldReasonView {
  readonly reason: HoldReason
  readonly since: string
  /** The sequence of the first event that is held for this reason; null when there is no event yet. */
  readonly first_sequence: number | null
  /** The exceeded limit; null for a reason without one. */
  readonly limit: RemovalLimitView | null
  readonly removals: number
  /** The highest number of active users, or of memberships, within the window; null for a reason without a limit. */
  readonly highest: number | null
  /** The users whose removals count: the first ones, or for the reason that was asked for those of the page. */
  readonly users: readonly RemovedUserView[]
  /** The roles that too few users have. */
  readonly roles: readonly HeldRoleView[]
  readonly version: number
}

export interface HeldRoleView {
  readonly role: string
  readonly users: number
  readonly keep_at_least: number
  readonly since: string
  readonly first_sequence: number
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

/**
 * The answer about a directory.
 *
 * @param ofDirectory the limit of the directory
 * @param reasons by their first events
 * @param asked the reason whose fields come first in the answer; by default, or if the directory is not held for it, the first one
 */
export function holdView(
  ofDirectory: RemovalLimit | null,
  counts: Pick<RemovalCounts, 'removals' | 'highest'>,
  reasons: readonly HoldReasonView[],
  asked: HoldReason | undefined,
): HoldView {
  const shown = reasons.find(({ reason }) => reason === asked) ?? reasons[0]
  const limit = ofDirectory && removalLimitView(ofDirectory)
  const all = { reasons, version: versionOf(reasons) }
  if (shown === undefined) {
    const nothing = { held: false, since: null, reason: null, first_sequence: null, users: [], ...noRole }
    return { ...nothing, limit, removals: counts.removals, active_users: counts.highest, ...all }
  }
  const { reason, since, removals, first_sequence, users, highest, roles } = shown
  const [role] = roles
  const ofRole = role && { role: role.role, role_users: role.users, keep_at_least: role.keep_at_least }
  return {
    ...{ held: true, since, reason, ...(ofRole ?? noRole) },
    limit: shown.limit ?? limit,
    removals,
    active_users: reason === 'users' || reason === 'sync' ? (highest ?? counts.highest) : counts.highest,
    ...{ first_sequence, users, ...all },
  }
}

const noRole = { role: null, role_users: null, keep_at_least: null }

/** The holds for one reason. @param users those of the page */
export function reasonView(holds: readonly [Hold, ...Hold[]], users: readonly RemovedUser[]): HoldReasonView {
  const [first] = holds
  const { reason, removals } = first
  const isCounted = reason === 'users' || reason === 'memberships'
  return {
    ...{ reason, since: isoTime(first.since), first_sequence: first.firstSequence, removals },
    limit: isCounted ? removalLimitView(first.limit) : null,
    highest: isCounted ? first.highest : null,
    users: users.map(userView),
    roles: holds.flatMap(roleView),
    version: Math.max(...holds.map(({ version }) => version)),
  }
}

function roleView({ role, since, firstSequence }: Hold): HeldRoleView[] {
  if (role === undefined) return []
  const { users, minimum } = role
  return [{ role: role.role, users, keep_at_least: minimum, since: isoTime(since), first_sequence: firstSequence }]
}

/** The cause of a hold for a role, as part of a sentence. */
export function shortageText({ role, users, minimum }: HeldRole): string {
  return `a change left ${users} ${users === 1 ? 'user' : 'users'} with the role ${role}, and ${minimum} must keep it`
}

/** The cause of a hold of the first events, as part of a sentence. */
export const adoptionText = 'its first users wait until they are linked to the accounts of the product'

/** What to do about it. */
export const adoptionAdvice =
  'Send the accounts, check the plan and apply it, or release the hold to send the events as they are.'

function userView({ id, email, removedAt, returnedAt }: RemovedUser): RemovedUserView {
  const returned = returnedAt === undefined ? null : isoTime(returnedAt)
  return { id, email, removed_at: isoTime(removedAt), returned_at: returned }
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

export function directoryNotFound(): DirectoryError {
  return new DirectoryError('directory-not-found', 'There is no such directory.')
}
