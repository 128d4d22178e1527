import type { GroupReference } from '../directory/group.ts'
import type { DirectoryReads, FoundUser, UserInGroups } from '../directory/store.ts'
import type { User } from '../directory/user.ts'
import type { JsonObject } from '../scim/json.ts'
import { fromJsonText } from '../scim/json-text.ts'
import type { Row } from './row.ts'
import { boolean, integer, jsonText, optionalJsonText, optionalText, text } from './row.ts'

/** The columns of a user `u`. */
export const userColumns = `u.id, u.sequence, u.version, u.created_at, u.updated_at, u.user_name, u.external_id,
  u.display_name, u.email, u.first_name, u.last_name, u.active, u.raw`

/** Decodes a row of `userColumns`. */
export function decodeUser(row: Row): User {
  return {
    id: text(row, 'id'),
    version: integer(row, 'version'),
    createdAt: integer(row, 'created_at'),
    updatedAt: integer(row, 'updated_at'),
    userName: text(row, 'user_name'),
    externalId: optionalText(row, 'external_id'),
    displayName: text(row, 'display_name'),
    email: text(row, 'email'),
    firstName: text(row, 'first_name'),
    lastName: text(row, 'last_name'),
    active: boolean(row, 'active'),
    raw: jsonText<JsonObject>(row, 'raw'),
  }
}

/** The columns of a user `u` that a SCIM response needs; a statement adds `groups`, see `decodeGroupReferences`. */
export const foundUserColumns = 'u.id, u.sequence, u.version, u.created_at, u.updated_at, u.user_name, u.raw'

/** Decodes a row of `foundUserColumns` and `groups`. */
export function decodeFoundUser(row: Row): FoundUser {
  return {
    id: text(row, 'id'),
    version: integer(row, 'version'),
    createdAt: integer(row, 'created_at'),
    updatedAt: integer(row, 'updated_at'),
    userName: text(row, 'user_name'),
    raw: jsonText<JsonObject>(row, 'raw'),
    groups: decodeGroupReferences(row),
  }
}

/** Decodes a row of `userColumns` and `groups`. */
export function decodeUserInGroups(row: Row): UserInGroups {
  return { ...decodeUser(row), groups: decodeGroupReferences(row) }
}

/** Decodes the column `groups`: a JSON array of `{"id", "name"}`, or null. */
export function decodeGroupReferences(row: Row): GroupReference[] {
  const groups = optionalJsonText<GroupReference[]>(row, 'groups')
  return groups === undefined || groups === '[]' ? [] : fromJsonText(groups)
}

/** The reads of users in a store. */
export type UserReads = Pick<
  DirectoryReads,
  | 'getUser'
  | 'findUserInScope'
  | 'getUsers'
  | 'getUserWithGroups'
  | 'countUsers'
  | 'listUsers'
  | 'listUsersByName'
  | 'findUsers'
  | 'countFoundUsers'
  | 'groupsOfUsers'
>
