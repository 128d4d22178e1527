import { memberLines } from '../members.ts'
import { oneRow } from './sql.ts'

/** The display name of the member `m`. */
function displayIn(directoryId: string): string {
  return `
    case m.member_type
      when 'User' then (${oneRow('users', 'u', 'id', 'm.member_id', 'u.display_name', directoryId)})
      else (${oneRow('groups', 'n', 'id', 'm.member_id', 'n.name', directoryId)})
    end`
}

/** The `members` of a query whose rows are `m`, in its order, without names. */
export const memberIdsColumn = memberLines.map((column) => `string_agg(m.${column}::text, ',')`).join(' || chr(10) || ')

/** As `memberIdsColumn`, with names. */
export function membersColumn(directoryId: string): string {
  return `${memberIdsColumn} || chr(10) || json_agg(${displayIn(directoryId)})::text`
}
