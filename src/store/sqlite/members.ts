import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { countOfList } from '../reads/lists.ts'
import { integer } from '../row.ts'
import { maxLeaving } from '../write/facts.ts'
import { sqliteText } from './sql-database.ts'

/** The members of groups. Everything here runs in the transaction of the caller. */
export interface Members {
  /** The number of members of a group. */
  count(directoryId: string, groupId: string): number
  /** The bytes of the users with ids; 0 for those that are no users. */
  userBytes(directoryId: string, ids: Iterable<string>): Map<string, number>
  /** The bytes of the users who are members of a group. */
  bytesOfMembers(directoryId: string, groupId: string): number
  /** The bytes of a group; 0 if there is none. */
  groupBytes(directoryId: string, groupId: string): number
  /** Whether a user or group is in too many groups to be deleted at once. */
  isInMany(directoryId: string, memberId: string): boolean
}

export function createMembers(db: DatabaseSync): Members {
  const count = db.prepare(sqliteText(countOfList('$2')))
  const bytes = db.prepare('select octet_length(raw) as n from users where directory_id = ? and id = ?')
  const bytesOfMembers = db.prepare(`
    select coalesce(sum(octet_length(u.raw)), 0) as n from members m
    cross join users u on u.directory_id = m.directory_id and u.id = m.member_id
    where m.directory_id = ? and m.group_id = ?`)
  const groupBytes = db.prepare('select octet_length(raw) as n from groups where directory_id = ? and id = ?')
  const memberships = db.prepare(`
    select count(*) as n from (
      select 1 from members indexed by members_by_member where directory_id = ? and member_id = ? limit ${maxLeaving + 1})`)
  const numberOf = (statement: StatementSync, directoryId: string, id: string) =>
    integer(statement.get(directoryId, id) ?? { n: 0 }, 'n')
  return {
    count: (directoryId, groupId) => numberOf(count, directoryId, groupId),
    userBytes: (directoryId, ids) => new Map([...ids].map((id) => [id, numberOf(bytes, directoryId, id)])),
    bytesOfMembers: (directoryId, groupId) => numberOf(bytesOfMembers, directoryId, groupId),
    groupBytes: (directoryId, groupId) => numberOf(groupBytes, directoryId, groupId),
    isInMany: (directoryId, memberId) => numberOf(memberships, directoryId, memberId) > maxLeaving,
  }
}
