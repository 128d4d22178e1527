import type { Group, Member, MemberType } from '../directory/group.ts'
import type { DirectoryReads, GroupWithMembers } from '../directory/store.ts'
import type { JsonObject } from '../scim/json.ts'
import { decodeListed } from './lists.ts'
import type { Row } from './row.ts'
import { integer, jsonText, oneOf, optionalText, text } from './row.ts'
import type { UserReads } from './users.ts'

/** The columns of a group `g`. */
export const groupColumns = 'g.id, g.sequence, g.version, g.created_at, g.updated_at, g.name, g.external_id, g.raw'

/** Decodes a row of `groupColumns`. */
export function decodeGroup(row: Row): Group {
  return {
    id: text(row, 'id'),
    version: integer(row, 'version'),
    createdAt: integer(row, 'created_at'),
    updatedAt: integer(row, 'updated_at'),
    name: text(row, 'name'),
    externalId: optionalText(row, 'external_id'),
    raw: jsonText<JsonObject>(row, 'raw'),
  }
}

const memberTypes = ['User', 'Group'] as const satisfies readonly MemberType[]

export function decodeMemberType(row: Row): MemberType {
  return oneOf(row, 'member_type', memberTypes)
}

/** Decodes a row of `groupColumns` and `members`: JSON text of rows of members, or null. */
export function decodeGroupWithMembers(row: Row): GroupWithMembers {
  const rows = optionalText(row, 'members')
  const members = rows === undefined ? [] : (JSON.parse(rows) as Row[])
  return { group: decodeGroup(row), members: members.map((member) => decodeListed(member, decodeMember)) }
}

/** Decodes a row of `id`, `member_type` and `display`, which is null when the member's own row is gone. */
export function decodeMember(row: Row): Member {
  return { id: text(row, 'id'), memberType: decodeMemberType(row), display: optionalText(row, 'display') ?? '' }
}

/** The reads of groups and members in a store. */
export type GroupReads = Omit<DirectoryReads, keyof UserReads | 'listDirectoriesInScope'>
