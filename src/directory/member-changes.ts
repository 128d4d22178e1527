import type { JsonObject } from '../scim/json.ts'
import type { JsonText } from '../scim/json-text.ts'
import { toJsonText } from '../scim/json-text.ts'
import type { MemberChanges } from '../scim/patch/members.ts'
import type { EventDraft } from './event.ts'
import type { Group, MemberType } from './group.ts'
import { groupViewText } from './group.ts'
import { membershipDataOf } from './membership-event.ts'
import type { User } from './user.ts'

/** Facts about the members that a change names; the store reads them inside the transaction. */
export interface MemberFacts {
  /** The present members: all of them for a change that replaces the list, otherwise those that the change names. */
  readonly present: ReadonlyMap<string, MemberType>
  /** The users among the ids that the change adds or removes. */
  readonly users: ReadonlyMap<string, User>
  /** The groups of the directory among these ids. */
  readonly groups: ReadonlySet<string>
}

export interface MemberOutcome {
  readonly added: ReadonlyMap<string, MemberType>
  readonly removed: ReadonlySet<string>
  /** Ids that are neither a user nor a group of the directory. */
  readonly skipped: readonly string[]
  readonly events: readonly EventDraft[]
}

/**
 * Decides which members are added and removed, and the events that report it: one per user, and one `group.updated` for
 * all nested groups, whose users do not become members. Adding a present member or removing an absent one changes
 * nothing.
 */
export function decideMemberChanges(group: Group, changes: MemberChanges, facts: MemberFacts): MemberOutcome {
  const wanted = changes.kind === 'replace' ? changes.members : changes.add
  const added = new Map<string, MemberType>()
  const skipped: string[] = []
  for (const id of wanted.keys()) {
    if (facts.present.has(id)) continue
    if (facts.users.has(id)) added.set(id, 'User')
    else if (facts.groups.has(id) && id !== group.id) added.set(id, 'Group')
    else skipped.push(id)
  }
  const dropped =
    changes.kind === 'replace'
      ? [...facts.present.keys()].filter((id) => !changes.members.has(id))
      : [...changes.remove].filter((id) => facts.present.has(id))
  const removed = new Set(dropped)
  return { added, removed, skipped, events: memberEvents(group, added, removed, facts) }
}

function memberEvents(
  group: Group,
  added: ReadonlyMap<string, MemberType>,
  removed: ReadonlySet<string>,
  { users, present }: MemberFacts,
): EventDraft[] {
  const dataOf = membershipDataOf(group)
  const userEvents = (eventType: EventDraft['eventType'], ids: Iterable<string>): EventDraft[] =>
    [...ids].flatMap((id) => {
      const user = users.get(id)
      return user === undefined ? [] : [{ eventType, data: dataOf(user), groupId: group.id }]
    })
  const joined = [...added].flatMap(([id, memberType]) => (memberType === 'Group' ? [id] : []))
  const left = [...removed].filter((id) => present.get(id) === 'Group')
  return [
    ...nestedGroupsEvent(groupViewText(group), joined, left),
    ...userEvents('group.user_removed', removed),
    ...userEvents('group.user_added', added.keys()),
  ]
}

/** The single event about all nested groups that a change adds and removes; none if there are none. */
export function nestedGroupsEvent(
  group: JsonText<JsonObject>,
  joined: readonly string[],
  left: readonly string[],
): EventDraft[] {
  if (joined.length + left.length === 0) return []
  const values = (ids: readonly string[]) => ids.map((value) => ({ value, type: 'Group' }))
  const changes = toJsonText({ members: { from: values(left), to: values(joined) } })
  return [{ eventType: 'group.updated', data: group, changes }]
}
