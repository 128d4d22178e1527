import { fold } from '../../../scim/fold.ts'
import { countStatements } from '../../holds.ts'
import type { CountedState, RemovalDecision, Removals, UserPresence } from '../../removals.ts'
import {
  decideRemovals,
  deletedPerCommit,
  membershipRemovals,
  userRemovals,
  windowOf,
  windowsRead,
} from '../../removals.ts'
import type { Statement } from '../../sql-database.ts'
import { withoutNul } from '../../sql-database.ts'
import type { FactsRequest } from '../facts.ts'
import { removedMemberships, removedUsers } from '../tables.ts'
import type { WriteCollection } from '../writes.ts'
import type { Effect, EffectContext, UserChange } from './effect.ts'

/** Counts the users who are removed and come back; begins a hold when too many are removed. */
export const countRemovedUsers: Effect = {
  request(changes, { id }) {
    const removed = changes.flatMap(({ before, after }) => {
      const user = after ?? before
      const isConcerned = after === undefined || after.active !== (before?.active ?? false)
      return user !== undefined && isConcerned ? [user] : []
    })
    return removed.length === 0 ? undefined : { removed, ...windowsRequest(id) }
  },
  write(changes, context, writes) {
    const { state, removed } = context.facts
    // A commit that is decided before the directory is locked removes nobody, and nobody was removed before.
    if (state === undefined) return
    const presence = changes.flatMap((change) => presenceOf(change, state))
    if (presence.length === 0) return
    const removals = userRemovals(presence, removed, state.activeUsers, context.at)
    const decision = decide(removals, state, context)
    if (decision === undefined) return
    writes.run(...countStatements(context.directory.id, 'users', decision))
    writeRemovedUsers(removals, state, decision, context, writes)
  },
}

/** Reads what has to be known when memberships end. */
export function windowsRequest(directoryId: string): FactsRequest {
  return { reads: { windows: windowsRead(directoryId) } }
}

/** The memberships that a commit ends and brings back. */
export type MembershipRemovals = Pick<Removals, 'runs' | 'memberships'>

/** Counts memberships that end and come back; begins a hold when too many end. */
export function countRemovedMemberships(
  removals: MembershipRemovals,
  context: EffectContext,
  writes: WriteCollection,
): void {
  const decision = keepRemovedMemberships(removals, context, writes)
  if (decision !== undefined) writes.run(...countStatements(context.directory.id, 'memberships', decision))
}

/**
 * Keeps the memberships that a step of a large change ends, and deletes some of those that no longer count.
 *
 * @param removals the runs of the change so far, which are counted when it is published
 */
export function keepRemovedMemberships(
  { runs, memberships }: MembershipRemovals,
  context: EffectContext,
  writes: WriteCollection,
): RemovalDecision | undefined {
  const { state } = context.facts
  if (state === undefined) return undefined
  const decision = decide(membershipRemovals(runs, memberships, context.at), state, context)
  if (decision === undefined || !decision.isCounted) return decision
  for (const { sequence, groupId, memberId } of memberships) {
    const row_position = sequence + state.discardedEvents
    writes.write('put', removedMemberships, { group_id: groupId, member_id: memberId, row_position })
  }
  writes.run(...forgettingBefore(context.directory.id, 'removed_memberships', decision, memberships.length))
  return decision
}

/** A user who is deactivated and then deleted is removed twice, and counts once. */
function presenceOf(change: UserChange, { lastSequence }: CountedState): UserPresence[] {
  const sequence = lastSequence + change.n
  if (change.after === undefined) {
    return [{ sequence, user: change.before, change: 'removed', wasActive: change.before.active }]
  }
  const wasActive = change.before?.active ?? false
  if (change.after.active === wasActive) return []
  return [{ sequence, user: change.after, change: wasActive ? 'removed' : 'returned', wasActive }]
}

function decide(
  removals: Removals,
  state: CountedState,
  { directory: { removalLimit }, facts: { rows } }: EffectContext,
): RemovalDecision | undefined {
  return decideRemovals(removals, state, removalLimit, windowOf(removals.kind, rows['windows']))
}

/** While the directory is held because of them, its users are listed with the time when they came back. */
function writeRemovedUsers(
  { users, runs, returned, at }: Removals,
  { discardedEvents }: CountedState,
  decision: RemovalDecision,
  { directory: { id }, facts: { removed } }: EffectContext,
  writes: WriteCollection,
): void {
  const { isCounted, keepFrom } = decision
  const undone = new Set(isCounted ? returned : runs.flatMap((run) => run.undone ?? []))
  const leaving = new Set(isCounted ? users.map(({ user }) => user.id) : [])
  for (const { userId: user_id, position } of removed) {
    if (!undone.has(position) || leaving.has(user_id)) continue
    if (isCounted && keepFrom === undefined) writes.update(removedUsers, { user_id }, { returned_at: at })
    else writes.write('remove', removedUsers, { user_id })
  }
  if (!isCounted) return
  for (const { sequence, user } of users) {
    writes.write('put', removedUsers, {
      ...{ user_id: user.id, row_position: sequence + discardedEvents, removed_at: at },
      ...{ user_name_folded: fold(user.userName), email: withoutNul(user.email), returned_at: null },
    })
  }
  writes.run(...forgettingBefore(id, 'removed_users', decision, users.length))
}

const forgetBefore = (table: 'removed_users' | 'removed_memberships') => `
  delete from ${table} where directory_id = $1 and row_position >= 0 and row_position < coalesce((
    select row_position from ${table} where directory_id = $1 and row_position >= 0 and row_position < $2 order by row_position
    limit 1 offset $3), $2)`

/** Deletes some of the removals that do not count any longer. */
function forgettingBefore(
  directoryId: string,
  table: 'removed_users' | 'removed_memberships',
  { keepFrom }: RemovalDecision,
  added: number,
): Statement[] {
  if (keepFrom === undefined || added === 0) return []
  return [{ text: forgetBefore(table), values: [directoryId, keepFrom, deletedPerCommit(added)] }]
}
