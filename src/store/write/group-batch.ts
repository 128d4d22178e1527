import type { MembersCommitted } from '../../directory/directory-store.ts'
import type { StoredEvent } from '../../directory/event.ts'
import type { Group } from '../../directory/group.ts'
import type { MemberFacts } from '../../directory/member-changes.ts'
import type { RemovalRun } from '../../directory/removal-limit.ts'
import { fold } from '../../scim/fold.ts'
import { numberEvents } from '../events.ts'
import type { GroupChange, GroupStart, NewMember } from '../group-changes.ts'
import { claimedName, decideGroupChange } from '../group-changes.ts'
import type { CountedState, MembershipRemoval } from '../removals.ts'
import { endedMemberships, memberRemovalRuns } from '../removals.ts'
import { ListCounts } from './effects/counts.ts'
import type { ChangedGroup } from './effects/effect.ts'
import type { GroupFacts, PresentMember } from './facts.ts'
import { membershipKey } from './facts.ts'

/** A row of `members` to insert or delete. */
export interface Membership extends PresentMember {
  readonly groupId: string
  readonly memberId: string
}

/** The state of a batch: the facts as its changes left them, and what remains to be written. */
export interface GroupBatch extends Omit<GroupFacts, 'removed'> {
  /** The counters of the directory, before the batch. */
  readonly state: CountedState
  /** Whether the names of groups are unique. */
  readonly isUnique: boolean
  readonly events: StoredEvent[]
  readonly removals: RemovalRun[]
  /** The positions of ended memberships that may come back, by membership, those that the batch ends included. */
  readonly removed: Map<string, number>
  /** The memberships that end and do not come back in the batch, by membership. */
  readonly ended: Map<string, MembershipRemoval>
  /** New groups, with the sequences of their rows. */
  readonly created: Map<string, number>
  /** Stored groups to write as a whole. */
  readonly replaced: Set<string>
  /** The stored groups to write, as they were before the batch. */
  readonly before: Map<string, Group>
  /** Other stored groups whose members change: they get a new version. */
  readonly changed: Set<string>
  readonly joined: Map<string, Membership>
  readonly left: Map<string, Membership>
  readonly counts: ListCounts
  /** The changes that were made. */
  readonly made: ChangedGroup[]
}

/** The start of a batch. */
export interface GroupBatchStart {
  readonly facts: GroupFacts
  readonly state: CountedState
  readonly isUnique: boolean
}

export function createGroupBatch({ facts, state, isUnique }: GroupBatchStart): GroupBatch {
  return {
    ...facts,
    state,
    isUnique,
    events: [],
    removals: [],
    removed: new Map([...facts.removed].map(([key, { position }]) => [key, position])),
    ended: new Map(),
    created: new Map(),
    replaced: new Set(),
    before: new Map(),
    changed: new Set(),
    joined: new Map(),
    left: new Map(),
    counts: new ListCounts(),
    made: [],
  }
}

/** Applies a change to the state that the changes before it left; returns the effect of the change, or its rejection. */
export function applyChange<R extends string>(batch: GroupBatch, change: GroupChange<R>): MembersCommitted | R {
  const { groupId, cause, kind } = change
  const stored = batch.groups.get(groupId)
  const started = startChange(batch, change)
  if (typeof started === 'string') return started
  const rowSequence = batch.state.lastSequence + batch.events.length + batch.state.discardedEvents + 1
  const { events, group, skipped, users } = changeMembers(batch, change, started)
  if (kind === 'create') {
    batch.created.set(groupId, rowSequence)
    batch.counts.count('groups', { stored: rowSequence }, 1)
  } else if (kind === 'replace') {
    if (stored !== undefined && !batch.created.has(groupId) && !batch.replaced.has(groupId))
      batch.before.set(groupId, stored)
    batch.replaced.add(groupId)
    batch.changed.delete(groupId)
  } else if (events.length > 0 && !batch.replaced.has(groupId) && !batch.created.has(groupId))
    batch.changed.add(groupId)
  batch.groups.set(groupId, group)
  batch.made.push({ before: stored, after: group, users, cause })
  return { events, group, skipped }
}

/** Decides what a change does to its group, whose name is taken from then on; returns the rejection of the change if it is rejected. */
export function startChange<R extends string>(batch: GroupBatch, change: GroupChange<R>): GroupStart | R {
  const { groupId } = change
  const stored = batch.groups.get(groupId)
  const claimed = batch.isUnique ? claimedName(change, stored) : undefined
  const started = change.start(stored, claimed !== undefined && isNameTaken(batch, claimed, groupId))
  if (typeof started !== 'string' && claimed !== undefined) rename(batch, groupId, stored, claimed)
  return started
}

/** What a change did to the members of its group. */
interface ChangedMembers extends MembersCommitted {
  /** The ids of the users who left or joined. */
  readonly users: readonly string[]
}

/** Applies the events and the changes of members of a change that has started. */
export function changeMembers(
  batch: GroupBatch,
  { groupId, members, cause }: Pick<GroupChange<string>, 'groupId' | 'members' | 'cause'>,
  started: GroupStart,
): ChangedMembers {
  const lastSequence = batch.state.lastSequence + batch.events.length
  const lastRowSequence = lastSequence + batch.state.discardedEvents
  const decision = decideGroupChange(started, members, factsOf(batch, groupId), lastRowSequence)
  const { group, added, removed, skipped } = decision
  const events = numberEvents(decision.events, lastSequence, cause)
  batch.events.push(...events)
  const undone = added.flatMap(({ id }) => bringBack(batch, groupId, id))
  batch.removals.push(...memberRemovalRuns(events, batch.state.memberships + membershipsGained(batch), undone))
  const leaving = [...removed].filter((id) => batch.users.has(id))
  for (const ended of endedMemberships(events, groupId, leaving)) end(batch, ended)
  for (const id of removed) leave(batch, groupId, id)
  for (const member of added) join(batch, groupId, member)
  const joining = added.flatMap(({ id, memberType }) => (memberType === 'User' ? [id] : []))
  return { events, group, skipped, users: [...leaving, ...joining] }
}

function isNameTaken({ holders }: GroupBatch, name: string, groupId: string): boolean {
  return [...(holders.get(name) ?? [])].some((id) => id !== groupId)
}

/** The changes after this one in the batch find the name taken, and the former one free. */
function rename({ holders }: GroupBatch, groupId: string, stored: Group | undefined, name: string): void {
  if (stored !== undefined) holders.get(fold(stored.name))?.delete(groupId)
  holders.set(name, (holders.get(name) ?? new Set()).add(groupId))
}

/** The number of memberships that the directory gains; negative when it loses some. */
export function membershipsGained({ joined, left }: GroupBatch): number {
  return joined.size - left.size
}

/** The groups with these ids, as the batch leaves them. */
export function groupsOf({ groups }: GroupBatch, ids: Iterable<string>): Group[] {
  return [...ids].flatMap((id) => groups.get(id) ?? [])
}

function factsOf(batch: GroupBatch, groupId: string): MemberFacts {
  const present = new Map([...membersOf(batch, groupId)].map(([id, { memberType }]) => [id, memberType]))
  return { present, users: batch.users, groups: batch.groupIds }
}

function membersOf({ present }: GroupBatch, groupId: string): Map<string, PresentMember> {
  const members = present.get(groupId) ?? new Map<string, PresentMember>()
  present.set(groupId, members)
  return members
}

/** The position of the ended membership that comes back; none when it is new. */
function bringBack({ removed, ended }: GroupBatch, groupId: string, memberId: string): number[] {
  const key = membershipKey(groupId, memberId)
  const position = removed.get(key)
  removed.delete(key)
  ended.delete(key)
  return position === undefined ? [] : [position]
}

function end({ removed, ended, state }: GroupBatch, membership: MembershipRemoval): void {
  const key = membershipKey(membership.groupId, membership.memberId)
  removed.set(key, membership.sequence + state.discardedEvents)
  ended.set(key, membership)
}

function leave(batch: GroupBatch, groupId: string, memberId: string): void {
  const members = membersOf(batch, groupId)
  const member = members.get(memberId)
  if (member === undefined) return
  const key = membershipKey(groupId, memberId)
  if (!batch.joined.delete(key)) batch.left.set(key, { groupId, memberId, ...member })
  members.delete(memberId)
  batch.counts.count(groupId, { stored: member.sequence }, -1)
}

function join(batch: GroupBatch, groupId: string, { id: memberId, memberType, sequence }: NewMember): void {
  batch.joined.set(membershipKey(groupId, memberId), { groupId, memberId, memberType, sequence })
  membersOf(batch, groupId).set(memberId, { memberType, sequence })
  batch.counts.count(groupId, { stored: sequence }, 1)
}
