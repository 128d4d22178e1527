import type { Cause, EventDraft } from '../directory/event.ts'
import type { Group, MemberType } from '../directory/group.ts'
import type { MemberFacts, MemberOutcome } from '../directory/member-changes.ts'
import { decideMemberChanges } from '../directory/member-changes.ts'
import { fold } from '../scim/fold.ts'
import type { MemberChanges } from '../scim/patch/members.ts'

/** A change of one group and its members. `Rejection` lists the reasons for which it may be rejected. */
export interface GroupChange<Rejection extends string> {
  /** Whether the group's row is inserted, written as a whole, or only gets a new version when its members change. */
  readonly kind: 'create' | 'replace' | 'members'
  readonly groupId: string
  readonly members: MemberChanges
  /** The only version of the stored group to which the change applies; undefined: it applies to any, or creates the group. */
  readonly version?: number | undefined
  readonly cause: Cause
  /** The group that the change creates or writes as a whole. */
  readonly written?: Group
  /**
   * Decides, inside the transaction, what the change does to the stored group; there may be none.
   *
   * @param isNameTaken whether the name that the change gives to the group must not be given to it: see `claimedName`
   */
  start(stored: Group | undefined, isNameTaken: boolean): GroupStart | Rejection
}

/** The folded name that a change gives to a group that does not have it yet. Where names are unique, no other group may have it. */
export function claimedName({ written }: GroupChange<string>, stored: Group | undefined): string | undefined {
  if (written === undefined) return undefined
  const name = fold(written.name)
  return stored !== undefined && fold(stored.name) === name ? undefined : name
}

export interface GroupStart {
  /** The group as the events of its members show it. */
  readonly group: Group
  /** The events that precede those of its members. */
  readonly events: readonly EventDraft[]
  /** The group after the change, when there is an event. */
  readonly changed: Group
}

/** Creates a group that is not visible to anyone else yet. */
export function groupCreation(
  group: Group,
  members: MemberChanges,
  event: EventDraft,
  cause: Cause,
): GroupChange<'group-name-taken'> {
  const start = { group, events: [event], changed: group }
  return {
    kind: 'create',
    groupId: group.id,
    members,
    cause,
    written: group,
    start: (_, isNameTaken) => (isNameTaken ? 'group-name-taken' : start),
  }
}

/** Replaces a group where the stored version is that of `before`. */
export function groupReplacement(
  before: Group,
  after: Group,
  members: MemberChanges,
  event: EventDraft,
  cause: Cause,
): GroupChange<'group-name-taken' | 'version-mismatch'> {
  const start = { group: after, events: [event], changed: after }
  return {
    kind: 'replace',
    groupId: before.id,
    members,
    version: before.version,
    cause,
    written: after,
    start(stored, isNameTaken) {
      if (stored?.version !== before.version) return 'version-mismatch'
      return isNameTaken ? 'group-name-taken' : start
    },
  }
}

/** Changes the members alone; with a `version`, only where the group has it. */
export function memberChange(
  groupId: string,
  members: MemberChanges,
  version: number | undefined,
  cause: Cause,
): GroupChange<'group-not-found' | 'version-mismatch'> {
  return {
    kind: 'members',
    groupId,
    members,
    version,
    cause,
    start(group) {
      if (group === undefined) return 'group-not-found'
      if (version !== undefined && version !== group.version) return 'version-mismatch'
      return { group, events: [], changed: { ...group, version: group.version + 1, updatedAt: cause.at } }
    },
  }
}

/** The writes of a change. */
export interface GroupDecision {
  readonly group: Group
  readonly events: readonly EventDraft[]
  readonly added: readonly NewMember[]
  readonly removed: ReadonlySet<string>
  /** The ids that neither a user nor a group has. */
  readonly skipped: readonly string[]
}

/** A member with its position in the group's list. */
export interface NewMember {
  readonly id: string
  readonly memberType: MemberType
  /** The sequence of its row, from the event about it; all nested groups of one change share the first one. */
  readonly sequence: number
}

/**
 * Decides what a change writes.
 *
 * @param lastRowSequence the sequence of a row that the directory's last event would have created
 */
export function decideGroupChange(
  { group, events, changed }: GroupStart,
  members: MemberChanges,
  facts: MemberFacts,
  lastRowSequence: number,
): GroupDecision {
  const outcome = decideMemberChanges(group, members, facts)
  const all = [...events, ...outcome.events]
  return {
    group: all.length > 0 ? changed : group,
    events: all,
    added: newMembers(outcome, lastRowSequence + events.length + 1),
    removed: outcome.removed,
    skipped: outcome.skipped,
  }
}

/** The added users have the last events, in their order. */
function newMembers({ added, events }: MemberOutcome, firstSequence: number): NewMember[] {
  const users = [...added.values()].filter((memberType) => memberType === 'User').length
  let next = firstSequence + events.length - users
  return [...added].map(([id, memberType]) => ({
    id,
    memberType,
    sequence: memberType === 'Group' ? firstSequence : next++,
  }))
}
