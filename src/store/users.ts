import type { FoundUser, ListedUser, UserInGroups } from '../directory/directory-store.ts'
import { manyGroups } from '../directory/directory-store.ts'
import type { GroupReference } from '../directory/group.ts'
import type { Returned, ReturnedFrom } from '../directory/resource.ts'
import type { MappedFields, User, UserView } from '../directory/user.ts'
import { abridgedColumns, decodeAbridged, decodeResource, resourceColumns } from './resources.ts'
import type { Row } from './row.ts'
import { boolean, optionalJsonText, optionalText, text } from './row.ts'

/** The columns of a user `u`. */
export const userColumns = `${resourceColumns('u')}, u.user_name, u.external_id, u.display_name, u.email, u.first_name,
  u.last_name, u.active, u.returned_from, u.mapped`

/** Decodes a row of `userColumns`. */
export function decodeUser(row: Row): User {
  return {
    ...decodeResource(row),
    ...shownFields(row),
    userName: text(row, 'user_name'),
    externalId: optionalText(row, 'external_id'),
    displayName: text(row, 'display_name'),
  }
}

/** The columns of a user `u` in a list; a statement may add its groups. */
export const listedUserColumns = abridgedColumns(
  `${resourceColumns('u')}, u.first_name, u.last_name, u.email, u.active, u.returned_from, u.mapped`,
)

/** Decodes a row of `listedUserColumns`. */
export function decodeListedUser(row: Row): ListedUser {
  return { ...decodeAbridged(row), ...shownFields(row) }
}

/** The fields that the product's API shows beside `raw`. */
function shownFields(row: Row): Omit<UserView, 'id' | 'raw'> {
  const mapped = optionalJsonText<MappedFields>(row, 'mapped')
  return {
    firstName: text(row, 'first_name'),
    lastName: text(row, 'last_name'),
    email: text(row, 'email'),
    active: boolean(row, 'active'),
    ...decodeReturned(row),
    ...(mapped !== undefined && { mapped }),
  }
}

/** Decodes the column `returned_from`, which most users do not have. */
export function decodeReturned(row: Row): Returned {
  const returnedFrom = optionalJsonText<ReturnedFrom>(row, 'returned_from')
  return returnedFrom === undefined ? {} : { returnedFrom }
}

/** The columns of a user `u` that a SCIM response needs; a statement adds `groups`, see `decodeGroupReferences`. */
export const foundUserColumns = `${resourceColumns('u')}, u.user_name, u.returned_from`

/** Decodes a row of `foundUserColumns` and `groups`. */
export function decodeFoundUser(row: Row): FoundUser {
  const userName = text(row, 'user_name')
  return { ...decodeResource(row), ...decodeReturned(row), userName, groups: decodeGroupReferences(row) }
}

/** Decodes a row of `userColumns` and `groups`. */
export function decodeUserInGroups(row: Row): UserInGroups {
  return { ...decodeUser(row), groups: decodeGroupReferences(row) }
}

/**
 * Decodes the column `groups`: a JSON array of texts, each with the id of a group, which contains no space, and after a space its
 * name; or null. Objects would take PostgreSQL almost twice the time.
 */
export function decodeGroupReferences(row: Row): GroupReference[] {
  const groups = optionalText(row, 'groups')
  if (groups === undefined || groups === '[]') return []
  const texts: string[] = JSON.parse(groups)
  return texts.map((group) => {
    const end = group.indexOf(' ')
    return { id: group.slice(0, end), name: group.slice(end + 1) }
  })
}

/** Decodes a row of `listedUserColumns` and the first `manyGroups` of its `groups`, which are listed if these are all. */
export function decodeListedUserWithGroups(row: Row): ListedUser {
  const first = decodeGroupReferences(row)
  return { ...decodeListedUser(row), groups: first.length < manyGroups ? first : undefined }
}
