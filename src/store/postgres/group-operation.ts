import type { Cause, EventDraft } from '../../directory/event.ts'
import type { Group } from '../../directory/group.ts'
import type { MemberChanges } from '../../scim/patch/members.ts'

/** A change of a group and its members. */
export interface GroupOperation<R extends string> {
  readonly groupId: string
  readonly members: MemberChanges
  readonly cause: Cause
  /** The group whose members are to change, given the stored one if there is one; a text refuses. */
  start(stored: Group | undefined): GroupStart | R
}

export interface GroupStart {
  /** As the events of its members show it. */
  readonly group: Group
  readonly isNew: boolean
  /** What comes before the events of its members. */
  readonly events: readonly EventDraft[]
  /** The group once something has changed. */
  after(at: number): Group
}
