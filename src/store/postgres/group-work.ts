import type { EventDraft, StoredEvent } from '../../directory/event.ts'
import type { Group } from '../../directory/group.ts'
import type { MemberOutcome } from '../../directory/member-changes.ts'
import { decideMemberChanges } from '../../directory/member-changes.ts'
import type { MembersCommitted } from '../../directory/store.ts'
import { numberEvents } from '../events.ts'
import { memberPlaces } from '../member-places.ts'
import type { GroupOperation } from './group-operation.ts'
import { createCountChanges } from './list-counts.ts'
import type { GroupFacts, PresentMember } from './member-facts.ts'

/** A row of `members` to insert or delete. */
export interface Membership extends PresentMember {
  readonly groupId: string
  readonly memberId: string
}

/** What a batch of changes of groups comes to, to be written at its end. */
export interface GroupWork {
  /** New groups, as they are at the end of the batch, with their places in the list. */
  readonly created: ReadonlyMap<string, number>
  readonly changed: ReadonlySet<string>
  readonly groups: ReadonlyMap<string, Group>
  readonly joined: ReadonlyMap<string, Membership>
  readonly left: ReadonlyMap<string, Membership>
  readonly counts: ReturnType<typeof createCountChanges>
  readonly events: readonly StoredEvent[]
}

/** Does the operations of a batch one after the other, each on the result of the former, in memory. */
export function createGroupWork(facts: GroupFacts, lastSequence: number) {
  const created = new Map<string, number>()
  const changed = new Set<string>()
  const joined = new Map<string, Membership>()
  const left = new Map<string, Membership>()
  const counts = createCountChanges()
  const events: StoredEvent[] = []
  const { groups, present } = facts
  const work: GroupWork = { created, changed, groups, joined, left, counts, events }

  function membersOf(groupId: string): Map<string, PresentMember> {
    const members = present.get(groupId) ?? new Map<string, PresentMember>()
    present.set(groupId, members)
    return members
  }

  function record(drafts: readonly EventDraft[], cause: GroupOperation<string>['cause']): StoredEvent[] {
    const recorded = numberEvents(drafts, lastSequence + events.length, cause)
    events.push(...recorded)
    return recorded
  }

  function leave(groupId: string, memberId: string): void {
    const member = membersOf(groupId).get(memberId)
    if (member === undefined) return
    const key = `${groupId}/${memberId}`
    if (!joined.delete(key)) left.set(key, { groupId, memberId, ...member })
    membersOf(groupId).delete(memberId)
    counts.count(groupId, member.sequence, -1)
  }

  function join(groupId: string, outcome: MemberOutcome, first: number): void {
    for (const { id: memberId, memberType, sequence } of memberPlaces(outcome, first)) {
      joined.set(`${groupId}/${memberId}`, { groupId, memberId, memberType, sequence })
      membersOf(groupId).set(memberId, { memberType, sequence })
      counts.count(groupId, sequence, 1)
    }
  }

  function decide(group: Group, members: GroupOperation<string>['members']): MemberOutcome {
    const types = new Map([...membersOf(group.id)].map(([id, { memberType }]) => [id, memberType]))
    return decideMemberChanges(group, members, { present: types, users: facts.users, groups: facts.groupIds })
  }

  return {
    work,
    /** Does one operation; answers it, or the refusal that its `start` gives. */
    change<R extends string>({ groupId, members, cause, start }: GroupOperation<R>): MembersCommitted | R {
      const started = start(groups.get(groupId))
      if (typeof started === 'string') return started
      const outcome = decide(started.group, members)
      const before = lastSequence + events.length
      const own = record([...started.events, ...outcome.events], cause)
      for (const id of outcome.removed) leave(groupId, id)
      join(groupId, outcome, before + started.events.length + 1)
      if (started.isNew) {
        created.set(groupId, before + 1)
        counts.count('groups', before + 1, 1)
      } else if (own.length > 0) changed.add(groupId)
      const group = own.length > 0 ? started.after(cause.at) : started.group
      groups.set(groupId, group)
      return { events: own, group, skipped: outcome.skipped }
    },
  }
}
