import type { Member, MemberType } from '../../directory/group.ts'
import type { GroupWithMembers, Listed, MemberId } from '../../directory/store.ts'
import { decodeGroup } from '../groups.ts'
import type { Row } from '../row.ts'
import { optionalText } from '../row.ts'
import { oneRow } from './sql.ts'

/** The display name of the member `m`. */
function displayIn(directoryId: string): string {
  return `
    case m.member_type
      when 'User' then (${oneRow('users', 'u', 'id', 'm.member_id', 'u.display_name', directoryId)})
      else (${oneRow('groups', 'n', 'id', 'm.member_id', 'n.name', directoryId)})
    end`
}

const newline = 'chr(10)'

/**
 * The members `m` of a query, in its order, as one text: a line with their ids, one with their sequence numbers, and one with
 * their types, each separated by commas, which ids do not contain. Null without members. A row for each member would take the
 * server, the driver and the garbage collector half as long again.
 */
export const memberIdsColumn = ['member_id', 'sequence::text', 'member_type']
  .map((column) => `string_agg(m.${column}, ',')`)
  .join(` || ${newline} || `)

/** As `memberIdsColumn`, with their names as a line of JSON: an array, whose elements are null when a member's own row is gone. */
export function membersColumn(directoryId: string): string {
  return `${memberIdsColumn} || ${newline} || json_agg(${displayIn(directoryId)})::text`
}

/** Decodes the column `members` of a row, which is a `memberIdsColumn`. */
export function decodeMemberIds(row: Row | undefined): Listed<MemberId>[] {
  return membersIn(row, (id, memberType) => ({ id, memberType }))
}

/** Decodes the column `members` of a row, which is a `membersColumn`. */
export function decodeMembers(row: Row | undefined): Listed<Member>[] {
  return membersIn(row, (id, memberType, display) => ({ id, memberType, display: display ?? '' }))
}

/** Decodes a row of `groupColumns` and `members`. */
export function decodeGroupWithMembers(row: Row): GroupWithMembers {
  return { group: decodeGroup(row), members: decodeMembers(row) }
}

function membersIn<T>(
  row: Row | undefined,
  memberOf: (id: string, memberType: MemberType, display: string | null | undefined) => T,
): Listed<T>[] {
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
