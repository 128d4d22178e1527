import type { DirectoryReads } from '../directory/directory-store.ts'
import type { Group, GroupView, MemberType } from '../directory/group.ts'
import type { JsonObject } from '../scim/json.ts'
import { decodeInList, decodeResource, inList, resourceColumns } from './resources.ts'
import type { Row } from './row.ts'
import { jsonText, oneOf, optionalText, text } from './row.ts'
import type { UserReads } from './users.ts'

/** The columns of a group `g`. */
export const groupColumns = `${resourceColumns('g')}, g.name, g.external_id`

/** Decodes a row of `groupColumns`. */
export function decodeGroup(row: Row): Group {
  return { ...decodeResource(row), name: text(row, 'name'), externalId: optionalText(row, 'external_id') }
}

/** The columns of a group `g` in a list. */
export const listedGroupColumns = inList(resourceColumns('g'))

/** Decodes a row of `listedGroupColumns`. */
export const decodeListedGroup = decodeInList(decodeResource)

/** The columns of a group `g` in a list of the product's API. */
export const groupViewColumns = inList('g.id, g.sequence, g.name, g.raw')

/** Decodes a row of `groupViewColumns`. */
export const decodeGroupView = decodeInList(
  (row): GroupView => ({ id: text(row, 'id'), name: text(row, 'name'), raw: jsonText<JsonObject>(row, 'raw') }),
)

const memberTypes = ['User', 'Group'] as const satisfies readonly MemberType[]

export function decodeMemberType(row: Row): MemberType {
  return oneOf(row, 'member_type', memberTypes)
}

/** The reads of groups and members in a store. */
export type GroupReads = Omit<DirectoryReads, keyof UserReads | 'listDirectoriesInScope'>
