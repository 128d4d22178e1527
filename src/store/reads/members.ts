import type { GroupWithMembers, ListedGroup, MemberId } from '../../directory/directory-store.ts'
import { manyMembers } from '../../directory/directory-store.ts'
import type { Member, MemberType } from '../../directory/group.ts'
import type { ListPart, ListRow } from '../../directory/list.ts'
import { listStart } from '../../directory/list.ts'
import { decodeGroup } from '../groups.ts'
import type { Row } from '../row.ts'
import { optionalText } from '../row.ts'
import type { Dialect, Statement } from '../sql-database.ts'
import { bucketAt } from './lists.ts'

/**
 * Members are read as one text, the column `members`: a line with their ids, one with their sequence numbers, and one with their
 * types, each separated by commas, which ids do not contain; then, where they are wanted, a line with their names as a JSON
 * array, whose elements are null when a member's own row is gone. It is null without members. A row for each member would take
 * the database, its driver and the garbage collector half as long again.
 *
 * The members are the rows `part`, in their order.
 */
const idsColumn = ['member_id', 'sequence', 'member_type']
  .map((column) => `string_agg(cast(part.${column} as text), ',')`)
  .join(` || '\n' || `)

/** The same with names. */
function namesColumn({ oneRow, jsonArray }: Dialect, directoryId: string): string {
  const display = `
    case part.member_type
      when 'User' then (${oneRow('users', 'u', 'id', 'part.member_id', 'u.display_name', directoryId)})
      else (${oneRow('groups', 'n', 'id', 'part.member_id', 'n.name', directoryId)})
    end`
  return `${idsColumn} || '\n' || ${jsonArray(display)}`
}

/** The members of a group in the order of its list. */
function membersOf({ apart, indexed, isVisible }: Dialect, directoryId: string, groupId: string): string {
  return `
    select m.member_id, m.member_type, m.sequence from members m
    where m.directory_id = ${directoryId} and ${apart('m.group_id')} = ${groupId}${indexed('m', 'sequence')}${isVisible}`
}

/** The column `members` of a group `g` with the first of them. */
export function membersUpTo(limit: number, dialect: Dialect): string {
  const members = membersOf(dialect, 'g.directory_id', 'g.id')
  return `
    (select ${namesColumn(dialect, 'g.directory_id')} from (
      ${members} order by m.sequence, m.member_id limit ${limit}
    ) part) as members`
}

/** Makes the statement for a part of the members of a group, which are one row. */
export function memberStatements(dialect: Dialect, kind: 'members' | 'ids') {
  const column = kind === 'ids' ? idsColumn : namesColumn(dialect, '$1')
  const members = membersOf(dialect, '$1', dialect.presentGroup('$2'))
  const after = `
    select ${column} as members from (
      ${members} and (m.sequence, m.member_id) > ($3, $4) order by m.sequence, m.member_id limit $5
    ) part`
  const fromOffset = `
    with bucket as materialized (${bucketAt('$2', '$3')})
    select ${column} as members from (
      ${members} and m.sequence >= (select sequence from bucket)
      order by m.sequence, m.member_id limit $4 offset coalesce((select skipped from bucket), 0)
    ) part`
  return (directoryId: string, groupId: string, { from, limit }: ListPart): Statement => {
    if (typeof from === 'number' && from > 0) return { text: fromOffset, values: [directoryId, groupId, from, limit] }
    const { sequence, id } = typeof from === 'number' ? listStart : from
    return { text: after, values: [directoryId, groupId, sequence, id, limit] }
  }
}

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
