import type { DirectoryReads, FoundUser, Listed, UserInGroups, UserInList } from '../directory/directory-store.ts'
import { manyGroups } from '../directory/directory-store.ts'
import type { GroupReference } from '../directory/group.ts'
import type { InList } from '../directory/listed.ts'
import type { StoredResource } from '../directory/resource.ts'
import type { StoredUser, User, UserView } from '../directory/user.ts'
import type { JsonObject } from '../scim/json.ts'
import { fromJsonText } from '../scim/json-text.ts'
import { decodeInList, decodeResource, inList, resourceColumns } from './resources.ts'
import type { Row } from './row.ts'
import { boolean, jsonText, optionalJsonText, optionalText, text } from './row.ts'

/** The columns of a user `u`. */
export const userColumns = `${resourceColumns('u')}, u.user_name, u.external_id, u.display_name, u.email, u.first_name,
  u.last_name, u.active`

/** Decodes a row of `userColumns`. */
export function decodeUser(row: Row): User {
  return {
    ...decodeResource(row),
    ...viewOf(row),
    userName: text(row, 'user_name'),
    externalId: optionalText(row, 'external_id'),
    displayName: text(row, 'display_name'),
  }
}

/** The columns of a user `u` in a list. */
export const listedUserColumns = inList(`${resourceColumns('u')}, u.active`)

/** Decodes a row of `listedUserColumns`. */
export const decodeListedUser = decodeInList(
  (row): StoredUser => ({ ...decodeResource(row), active: boolean(row, 'active') }),
)

/** The columns of a user `u` in a list of the product's API. */
export const userViewColumns = inList('u.id, u.sequence, u.first_name, u.last_name, u.email, u.active, u.raw')

/** Decodes a row of `userViewColumns`. */
export const decodeUserView = decodeInList(viewOf)

/** What the product's API shows of a user, from the columns of those names. */
export function viewOf(row: Row): UserView {
  return {
    id: text(row, 'id'),
    firstName: text(row, 'first_name'),
    lastName: text(row, 'last_name'),
    email: text(row, 'email'),
    active: boolean(row, 'active'),
    raw: jsonText<JsonObject>(row, 'raw'),
  }
}

/** The columns of a user `u` that a SCIM response needs; a statement adds `groups`, see `decodeGroupReferences`. */
export const foundUserColumns = `${resourceColumns('u')}, u.user_name`

/** Decodes a row of `foundUserColumns` and `groups`. */
export function decodeFoundUser(row: Row): FoundUser {
  return { ...decodeResource(row), userName: text(row, 'user_name'), groups: decodeGroupReferences(row) }
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

/** A user in a list with the first `manyGroups` of its groups, if these are all. */
export function withFewGroups(user: InList<StoredResource>, first: readonly GroupReference[]): UserInList {
  return { ...user, groups: first.length < manyGroups ? first : undefined }
}

/** Decodes a row of `foundUserColumns` in a list, and the first `manyGroups` of its `groups`. */
export function decodeUserInLookup(row: Row): UserInList {
  return withFewGroups(decodeListedResource(row), decodeGroupReferences(row))
}

const decodeListedResource = decodeInList(decodeResource)

/** Adds the groups, by user id, to users in a list. */
export function inTheirGroups(
  rows: readonly Listed<InList<StoredUser>>[],
  groups: ReadonlyMap<string, readonly GroupReference[]>,
): Listed<UserInList>[] {
  return rows.map(({ position, item }) => ({ position, item: withFewGroups(item, groups.get(item.id) ?? []) }))
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
  | 'pageOfUsers'
  | 'listUserViews'
  | 'pageOfUserViews'
  | 'listUsersByName'
  | 'findUsers'
  | 'countFoundUsers'
  | 'groupsOfUsers'
  | 'listGroupsOfUser'
>
