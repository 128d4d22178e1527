import type { MemberOutcome } from '../directory/member-changes.ts'

/** A new member and its place in its group's list. */
export interface MemberPlace {
  readonly id: string
  readonly memberType: 'User' | 'Group'
  /** The sequence number of the event that tells of it; the nested groups of one change share theirs. */
  readonly sequence: number
}

/**
 * The places of the members that a change adds.
 *
 * @param first the sequence number of the change's first event
 */
export function memberPlaces({ added, events }: MemberOutcome, first: number): MemberPlace[] {
  const users = [...added.values()].filter((memberType) => memberType === 'User').length
  let next = first + events.length - users
  return [...added].map(([id, memberType]) => ({ id, memberType, sequence: memberType === 'Group' ? first : next++ }))
}
