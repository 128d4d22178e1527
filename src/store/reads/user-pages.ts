import type { GroupReference } from '../../directory/group.ts'
import type { User } from '../../directory/user.ts'
import type { Row } from '../row.ts'
import { integer, text } from '../row.ts'
import type { Dialect, Statement } from '../sql-database.ts'
import { noLimit, within } from '../sql-database.ts'
import { decodeGroupReferences, decodeUser, userColumns } from '../users.ts'
import { groupsOf } from './users.ts'

/** A whole user, with the sequence of its row and all groups that it is a direct member of. */
export interface PlacedUser {
  readonly user: User
  readonly position: number
  readonly groups: readonly GroupReference[]
}

/** Reads of whole users with their groups, until they have more than so many bytes; one in any case. */
export interface UserPages {
  /** The users after a position, for `decodePlacedUser`. */
  after(directoryId: string, position: number, limit: number, maxBytes: number): Statement
  /** The users with ids, for `decodeNamedUsers`. */
  named(directoryId: string, ids: readonly string[], maxBytes: number): Statement
  /** The first members of a group who are users, for `decodeMemberIds`. */
  members(directoryId: string, groupId: string, limit: number): Statement
}

/** Makes the reads of whole users. */
export function createUserPages(dialect: Dialect): UserPages {
  const { rowBy, elementsOf, equals, indexed, isVisible } = dialect
  const size = 'u.id, u.sequence, octet_length(u.raw) as bytes'
  const sizesAfter = `
    select ${size} from users u
    where u.directory_id = $1${indexed('u', 'sequence')} and u.sequence > $4 order by u.sequence limit $2`
  const sizesNamed = `
    select ${size}, count(*) over () as users from ${elementsOf('$2', 'j')} ${rowBy('users', 'u', 'id', 'j.value ->> 0')}`
  const usersWithin = (sizes: string, columns: string) => `
    select ${columns}, (${groupsOf(dialect, 'u.id', noLimit)}) as groups
    from ${within(sizes, 'k.sequence', '$3')} ${rowBy('users', 'u', 'id', 'k.id')} order by k.sequence`
  const after = usersWithin(sizesAfter, userColumns)
  const named = usersWithin(sizesNamed, `${userColumns}, k.users`)
  const members = `
    select m.member_id from members m
    where m.directory_id = $1 and ${equals('m.group_id', '$2')} and m.member_type = 'User'${isVisible}
    order by m.group_id, m.member_id limit $3`
  return {
    after: (directoryId, position, limit, maxBytes) => ({
      text: after,
      values: [directoryId, limit, maxBytes, position],
    }),
    // Each id is an array: that is how the text of an element is taken on both engines.
    named: (directoryId, ids, maxBytes) => ({
      text: named,
      values: [directoryId, JSON.stringify(ids.map((id) => [id])), maxBytes],
    }),
    members: (directoryId, groupId, limit) => ({ text: members, values: [directoryId, groupId, limit] }),
  }
}

/** Decodes a row of a page. */
export function decodePlacedUser(row: Row): PlacedUser {
  return { user: decodeUser(row), position: integer(row, 'sequence'), groups: decodeGroupReferences(row) }
}

/** Decodes the rows of `UserPages.named`; undefined when they are not all, because the users are too long. */
export function decodeNamedUsers(rows: readonly Row[]): readonly PlacedUser[] | undefined {
  const found = rows[0] === undefined ? 0 : integer(rows[0], 'users')
  return found > rows.length ? undefined : rows.map(decodePlacedUser)
}

/** Decodes the rows of `UserPages.members`. */
export function decodeMemberIds(rows: readonly Row[]): string[] {
  return rows.map((row) => text(row, 'member_id'))
}
