import type { Group, GroupReference, Member, MemberType } from '../directory/group.ts'
import type { StoredResource } from '../directory/resource.ts'
import type { FoundUser } from '../directory/store.ts'
import type { User } from '../directory/user.ts'
import type { JsonObject } from '../scim/json.ts'
import type { JsonText } from '../scim/json-text.ts'
import { fromJsonText } from '../scim/json-text.ts'

/** The columns of a user that reads ask for, in both databases. */
export const userColumns = `u.id, u.sequence, u.version, u.created_at, u.updated_at, u.user_name, u.external_id,
  u.display_name, u.email, u.first_name, u.last_name, u.active, u.raw`

/** A row of `userColumns`. */
export interface UserRow {
  readonly id: string
  readonly sequence: number
  readonly version: number
  readonly created_at: number
  readonly updated_at: number
  readonly user_name: string
  readonly external_id: string | null
  readonly display_name: string
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly active: number
  readonly raw: string
}

/** The user of a row. */
export function userOf(row: UserRow): User {
  return {
    id: row.id,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    userName: row.user_name,
    externalId: row.external_id ?? undefined,
    displayName: row.display_name,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    active: row.active === 1,
    raw: row.raw as JsonText<JsonObject>,
  }
}

/** The columns of what a SCIM answer shows of a user, in both databases. */
export const shownUserColumns = 'u.id, u.sequence, u.version, u.created_at, u.updated_at, u.raw'

/** A row of `shownUserColumns`. */
export type ShownUserRow = Pick<UserRow, 'id' | 'sequence' | 'version' | 'created_at' | 'updated_at' | 'raw'>

/** What a SCIM answer shows of the user of a row. */
export function shownUserOf({ id, version, created_at, updated_at, raw }: ShownUserRow): StoredResource {
  return { id, version, createdAt: created_at, updatedAt: updated_at, raw: raw as JsonText<JsonObject> }
}

/** The columns of a group that reads ask for, in both databases. */
export const groupColumns = 'g.id, g.sequence, g.version, g.created_at, g.updated_at, g.name, g.external_id, g.raw'

/** A row of `groupColumns`. */
export interface GroupRow {
  readonly id: string
  readonly sequence: number
  readonly version: number
  readonly created_at: number
  readonly updated_at: number
  readonly name: string
  readonly external_id: string | null
  readonly raw: string
}

/** The group of a row. */
export function groupOf(row: GroupRow): Group {
  return {
    id: row.id,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    name: row.name,
    externalId: row.external_id ?? undefined,
    raw: row.raw as JsonText<JsonObject>,
  }
}

/** A member as listings read it. */
export interface MemberRow {
  readonly id: string
  readonly sequence: number
  readonly member_type: string
  readonly display: string | null
}

/** The member of a row. */
export function memberOf({ id, member_type, display }: MemberRow): Member {
  const memberType: MemberType = member_type === 'Group' ? 'Group' : 'User'
  return { id, memberType, display: display ?? '' }
}

/** A row of `shownUserColumns` with the user's groups. */
export interface FoundUserRow extends ShownUserRow {
  readonly groups: string | null
}

/** The user of a row, with its groups. */
export function foundUserOf(row: FoundUserRow): FoundUser {
  return { ...shownUserOf(row), groups: groupReferences(row.groups) }
}

/** The groups that a query gathered as a JSON array of `{"id", "name"}`; null when there is none. */
export function groupReferences(json: string | null): GroupReference[] {
  return json === null || json === '[]' ? [] : fromJsonText(json as JsonText<GroupReference[]>)
}
