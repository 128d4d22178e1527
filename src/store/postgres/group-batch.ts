import type { StoredEvent } from '../../directory/event.ts'
import type { Group } from '../../directory/group.ts'
import type { MemberFacts } from '../../directory/member-changes.ts'
import type { RemovalRun } from '../../directory/removal-limit.ts'
import type { MembersCommitted } from '../../directory/store.ts'
import { numberEvents } from '../events.ts'
import type { GroupChange, NewMember } from '../group-changes.ts'
import { decideGroupChange } from '../group-changes.ts'
import type { PresentMember } from '../large-changes.ts'
import type { CountedState } from '../removals.ts'
import { memberRemovalRuns } from '../removals.ts'
import { createCountChanges } from './list-counts.ts'
import type { GroupFacts } from './members.ts'

/** A row of `members` to insert or delete. */
export interface Membership extends PresentMember {
  readonly groupId: string
  readonly memberId: string
}

/** The state of a batch: the facts as its changes left them, and what remains to be written. */
export interface GroupBatch extends GroupFacts {
  /** What is counted of the directory, before the batch. */
  readonly state: CountedState
  readonly events: StoredEvent[]
  readonly removals: RemovalRun[]
  /** New groups, with the sequences of their rows. */
  readonly created: Map<string, number>
  /** Stored groups to update. */
  readonly changed: Set<string>
  readonly joined: Map<string, Membership>
  readonly left: Map<string, Membership>
  readonly counts: ReturnType<typeof createCountChanges>
}

export function createGroupBatch(facts: GroupFacts, state: CountedState): GroupBatch {
  return {
    ...facts,
    state,
    events: [],
    removals: [],
    created: new Map(),
    changed: new Set(),
    joined: new Map(),
    left: new Map(),
    counts: createCountChanges(),
  }
}

/** Applies a change to the state that the changes before it left; returns the effect of the change, or its rejection. */
export function applyChange<R extends string>(batch: GroupBatch, change: GroupChange<R>): MembersCommitted | R {
  const { groupId, members, cause, kind } = change
  const started = change.start(batch.groups.get(groupId))
  if (typeof started === 'string') return started
  const lastSequence = batch.state.lastSequence + batch.events.length
  const rowSequence = lastSequence + batch.state.discardedEvents + 1
  const decision = decideGroupChange(started, members, factsOf(batch, groupId), rowSequence - 1)
  const { group, added, removed, skipped } = decision
  const events = numberEvents(decision.events, lastSequence, cause)
  batch.events.push(...events)
  batch.removals.push(...memberRemovalRuns(events, batch.state.memberships + membershipsGained(batch)))
  for (const id of removed) leave(batch, groupId, id)
  for (const member of added) join(batch, groupId, member)
  if (kind === 'create') {
    batch.created.set(groupId, rowSequence)
    batch.counts.count('groups', rowSequence, 1)
  } else if (events.length > 0) batch.changed.add(groupId)
  batch.groups.set(groupId, group)
  return { events, group, skipped }
}

/** How many memberships the directory gains; negative when it loses some. */
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

function leave(batch: GroupBatch, groupId: string, memberId: string): void {
  const members = membersOf(batch, groupId)
  const member = members.get(memberId)
  if (member === undefined) return
  const key = `${groupId}/${memberId}`
  if (!batch.joined.delete(key)) batch.left.set(key, { groupId, memberId, ...member })
  members.delete(memberId)
  batch.counts.count(groupId, member.sequence, -1)
}

function join(batch: GroupBatch, groupId: string, { id: memberId, memberType, sequence }: NewMember): void {
  batch.joined.set(`${groupId}/${memberId}`, { groupId, memberId, memberType, sequence })
  membersOf(batch, groupId).set(memberId, { memberType, sequence })
  batch.counts.count(groupId, sequence, 1)
}
