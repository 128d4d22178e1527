import { maxMembershipBytes } from '../directory/membership-event.ts'
import type { MemberChanges } from '../scim/patch/members.ts'
import type { GroupChange } from './group-changes.ts'

/** A change that touches more members than this is made in steps. */
export const maxMembersAtOnce = 1_000

/** A change that touches no more members than this is made at once, however large they are. */
export const fewMembers = 5

/** A change whose users and events have more bytes than this is made in steps: each event has a user and the group. */
const maxBytesAtOnce = 2_000_000

/** The members that a change touches. */
export interface TouchedMembers {
  readonly count: number
  /** The bytes of those that are users. */
  readonly userBytes: number
  /** The bytes of the stored group; 0 without one. */
  readonly groupBytes: number
}

/** Whether a change is made in steps, which depends on the members that it touches. */
export function isLargeChange(
  { written }: Pick<GroupChange<string>, 'written'>,
  { count, userBytes, groupBytes }: TouchedMembers,
): boolean {
  const bytesPerMember = bytesInEvents(written === undefined ? groupBytes : Buffer.byteLength(written.raw))
  return count > maxMembersAtOnce || userBytes + count * bytesPerMember > maxBytesAtOnce
}

/** The most bytes of a group in the event about a member. */
export function bytesInEvents(groupBytes: number): number {
  return Math.min(groupBytes, maxMembershipBytes)
}

/** The number of members that a change names. One that replaces the list also touches all present members. */
export function countNamed(members: MemberChanges): number {
  return members.kind === 'replace' ? members.members.size : members.add.size + members.remove.size
}

/** The ids of the members that a change names. */
export function namedIds(members: MemberChanges): string[] {
  return members.kind === 'replace' ? [...members.members] : [...members.add, ...members.remove]
}
