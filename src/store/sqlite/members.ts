import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { countOfList } from '../reads/lists.ts'
import { integer } from '../row.ts'
import { maxLeaving } from '../write/facts.ts'
import { sqliteText } from './sql-database.ts'

/** The members of groups. Everything here runs in the transaction of the caller. */
export interface Members {
  /** The number of members of a group. */
  count(directoryId: string, groupId: string): number
  /** Returns whether a user or group is in too many groups to be deleted at once. */
  isInMany(directoryId: string, memberId: string): boolean
}

export function createMembers(db: DatabaseSync): Members {
  const count = db.prepare(sqliteText(countOfList('$2')))
  const memberships = db.prepare(`
    select count(*) as n from (
      select 1 from members indexed by members_by_member where directory_id = ? and member_id = ? limit ${maxLeaving + 1})`)
  const numberOf = (statement: StatementSync, directoryId: string, id: string) =>
    integer(statement.get(directoryId, id) ?? { n: 0 }, 'n')
  return {
    count: (directoryId, groupId) => numberOf(count, directoryId, groupId),
    isInMany: (directoryId, memberId) => numberOf(memberships, directoryId, memberId) > maxLeaving,
  }
}
