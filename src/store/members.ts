import type { GroupWithMembers, ListedGroup, MemberId } from '../directory/directory-store.ts'
import { manyMembers } from '../directory/directory-store.ts'
import type { Member, MemberType } from '../directory/group.ts'
import type { ListRow } from '../directory/list.ts'
import { decodeGroup } from './groups.ts'
import type { Row } from './row.ts'
import { optionalText } from './row.ts'

/**
 * Members are read as one text, the column `members`: a line with their ids, one with their sequence numbers, and one with their
 * types, each separated by commas, which ids do not contain; then, where they are wanted, a line with their names as a JSON
 * array, whose elements are null when a member's own row is gone. It is null without members. A row for each member would take
 * the database, its driver and the garbage collector half as long again.
 */
export const memberLines = ['member_id', 'sequence', 'member_type'] as const

/** Decodes `members` without the line of names. */
export function decodeMemberIds(row?: Row): ListRow<MemberId>[] {
  return membersIn(row, (id, memberType) => ({ id, memberType }))
}

/** Decodes `members` with the line of names. */
export function decodeMembers(row?: Row): ListRow<Member>[] {
  return membersIn(row, (id, memberType, display) => ({ id, memberType, display: display ?? '' }))
}

/** Decodes a row of `groupColumns` and `members`. */
export function decodeGroupWithMembers(row: Row): GroupWithMembers {
  return { group: decodeGroup(row), members: decodeMembers(row) }
}

/** A group in a list with the first `manyMembers` of its members, if these are all. */
export function withFewMembers(group: ListedGroup, first: readonly ListRow<Member>[]): ListedGroup {
  return first.length < manyMembers ? { ...group, members: first.map(({ item }) => item) } : group
}

function membersIn<T>(
  row: Row | undefined,
  memberOf: (id: string, memberType: MemberType, display: string | null | undefined) => T,
): ListRow<T>[] {
  const lines = row && optionalText(row, 'members')
  if (lines === undefined) return []
  const [ids = '', sequences = '', types = '', names = '[]'] = lines.split('\n')
  const [sequenceOf, typeOf] = [sequences.split(','), types.split(',')]
  const displays: (string | null)[] = JSON.parse(names)
  return ids.split(',').map((id, index) => ({
    position: { sequence: Number(sequenceOf[index]), id },
    item: memberOf(id, typeOf[index] === 'Group' ? 'Group' : 'User', displays[index]),
  }))
}
