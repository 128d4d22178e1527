import type { FoundUser, ListedUser, UserInGroups } from '../directory/directory-store.ts'
import { manyGroups } from '../directory/directory-store.ts'
import type { GroupReference } from '../directory/group.ts'
import type { Linked, Returned, ReturnedFrom } from '../directory/resource.ts'
import type { IndexedUser, MappedFields, User, UserView } from '../directory/user.ts'
import { fold } from '../scim/fold.ts'
import type { JsonText } from '../scim/json-text.ts'
import { abridgedColumns, decodeAbridged, decodeResource, resourceColumns } from './resources.ts'
import type { Row } from './row.ts'
import { boolean, integer, optionalInteger, optionalJsonText, optionalText, text } from './row.ts'
import { withoutNul } from './sql-database.ts'
import { table } from './write/tables.ts'

export const users = table('users', ['id'], {
  id: 'text',
  sequence: 'int8',
  version: 'int8',
  created_at: 'int8',
  updated_at: 'int8',
  user_name: 'text',
  user_name_folded: 'text',
  external_id: 'text',
  display_name: 'text',
  email: 'text',
  first_name: 'text',
  last_name: 'text',
  active: 'int4',
  name_is_email: 'int4',
  mapped: 'text',
  domain_allowed: 'int4',
  raw: 'text',
  returned_from: 'text',
  account_id: 'text',
})

export const userEmails = table('user_emails', ['email', 'user_id'], { email: 'text', user_id: 'text' })

/** The columns of a row without an index, but for the version and what effects add. */
export function contentOf(user: IndexedUser) {
  const { updatedAt, displayName, email, firstName, lastName, raw } = user
  return {
    updated_at: updatedAt,
    display_name: displayName,
    email,
    first_name: withoutNul(firstName),
    last_name: withoutNul(lastName),
    name_is_email: Number(user.emails.includes(fold(user.userName))),
    raw,
  }
}

/** The columns of a row with an index. SQLite writes to the index of every column that a statement sets, even to the same value. */
export function indexedOf({ userName, externalId, active }: IndexedUser) {
  const folded = fold(userName)
  return { user_name: userName, user_name_folded: folded, external_id: externalId ?? null, active: Number(active) }
}

/** The columns of a user `u` that the product's API shows beside `raw`. */
export const shownColumns =
  'u.first_name, u.last_name, u.email, u.active, u.returned_from, u.mapped, u.domain_allowed, u.account_id'

/** The columns of a user `u`. */
export const userColumns = `${resourceColumns('u')}, u.user_name, u.external_id, u.display_name, ${shownColumns}`

/** Decodes a row of `userColumns`. */
export function decodeUser(row: Row): User {
  return {
    ...decodeResource(row),
    ...decodeShown(row),
    userName: text(row, 'user_name'),
    externalId: optionalText(row, 'external_id'),
    displayName: text(row, 'display_name'),
  }
}

/** The columns of a user `u` in a list; a statement may add its groups. */
export const listedUserColumns = abridgedColumns(`${resourceColumns('u')}, ${shownColumns}`)

/** Decodes a row of `listedUserColumns`. */
export function decodeListedUser(row: Row): ListedUser {
  return { ...decodeAbridged(row), ...decodeShown(row) }
}

/** Decodes a row of `shownColumns`. */
export function decodeShown(row: Row): Omit<UserView, 'id' | 'raw'> {
  const mapped = optionalJsonText<MappedFields>(row, 'mapped')
  return {
    firstName: text(row, 'first_name'),
    lastName: text(row, 'last_name'),
    email: text(row, 'email'),
    active: boolean(row, 'active'),
    ...decodeReturned(row),
    ...(mapped !== undefined && { mapped }),
    ...decodeMark(row),
    ...decodeLinked(row),
  }
}

/** Decodes the column `domain_allowed`, which most users do not have. */
function decodeMark(row: Row): Pick<User, 'domainAllowed'> {
  return optionalInteger(row, 'domain_allowed') === 0 ? { domainAllowed: false } : {}
}

/** Decodes the column `returned_from`, which most users do not have. */
function decodeReturned(row: Row): Returned {
  const returnedFrom = optionalJsonText<ReturnedFrom>(row, 'returned_from')
  return returnedFrom === undefined ? {} : { returnedFrom }
}

/** Decodes the column `account_id`. */
function decodeLinked(row: Row): Linked {
  const accountId = optionalText(row, 'account_id')
  return accountId === undefined ? {} : { accountId }
}

/** The columns of a user `u` that a SCIM response needs; a statement adds `groups`, see `decodeGroupReferences`. */
export const foundUserColumns = `${resourceColumns('u')}, u.user_name, u.returned_from, u.account_id`

/** Decodes a row of `foundUserColumns` and `groups`. */
export function decodeFoundUser(row: Row): FoundUser {
  const userName = text(row, 'user_name')
  return {
    ...decodeResource(row),
    ...decodeReturned(row),
    ...decodeLinked(row),
    userName,
    groups: decodeGroupReferences(row),
  }
}

/** Decodes a row of `userColumns` and `groups`. */
export function decodeUserInGroups(row: Row): UserInGroups {
  return { ...decodeUser(row), groups: decodeGroupReferences(row) }
}

/** The stored facts about a user that its change is decided on. */
export interface UserState extends Linked {
  readonly version: number
  /** The sequence of its row, which is its position in lists. */
  readonly position: number
  readonly mapped: JsonText<MappedFields> | undefined
  readonly domainAllowed?: false | undefined
  readonly groups: readonly GroupReference[]
}

/** The columns of the state of a user `u`; a statement adds `groups`, which may be null. */
export const userStateColumns = 'u.id, u.version, u.sequence, u.mapped, u.domain_allowed, u.account_id'

/** Decodes a row of `userStateColumns` and `groups`. */
export function decodeUserState(row: Row): UserState {
  return {
    version: integer(row, 'version'),
    position: integer(row, 'sequence'),
    mapped: optionalJsonText<MappedFields>(row, 'mapped'),
    ...decodeMark(row),
    ...decodeLinked(row),
    groups: decodeGroupReferences(row),
  }
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
