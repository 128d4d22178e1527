import type { ListedGroup } from '../directory/directory-store.ts'
import type { Group, MemberType } from '../directory/group.ts'
import { abridgedColumns, decodeAbridged, decodeResource, resourceColumns } from './resources.ts'
import type { Row } from './row.ts'
import { oneOf, optionalText, text } from './row.ts'

/** The columns of a group `g`. */
export const groupColumns = `${resourceColumns('g')}, g.name, g.external_id`

/** Decodes a row of `groupColumns`. */
export function decodeGroup(row: Row): Group {
  return { ...decodeResource(row), name: text(row, 'name'), externalId: optionalText(row, 'external_id') }
}

/** The columns of a group `g` in a list; a statement may add its members. */
export const listedGroupColumns = abridgedColumns(`${resourceColumns('g')}, g.name`)

/** Decodes a row of `listedGroupColumns`. */
export function decodeListedGroup(row: Row): ListedGroup {
  return { ...decodeAbridged(row), name: text(row, 'name') }
}

const memberTypes = ['User', 'Group'] as const satisfies readonly MemberType[]

export function decodeMemberType(row: Row): MemberType {
  return oneOf(row, 'member_type', memberTypes)
}
