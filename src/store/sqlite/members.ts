import type { DatabaseSync } from 'node:sqlite'
import type { User } from '../../directory/user.ts'
import { integer } from '../row.ts'
import { decodeUser, userColumns } from '../users.ts'
import { maxLeaving } from '../write/facts.ts'

/** The members of groups. Everything here runs in the transaction of the caller. */
export interface Members {
  /** The users among ids. */
  users(directoryId: string, ids: readonly string[]): Map<string, User>
  /** The bytes of the users among ids. */
  userBytes(directoryId: string, ids: Iterable<string>): Map<string, number>
  /** The bytes of the users who are members of a group. */
  bytesOfMembers(directoryId: string, groupId: string): number
  /** The ids that belong to a group of the directory. */
  groupsAmong(directoryId: string, ids: readonly string[]): Set<string>
  /** Whether a user or group is in too many groups to be deleted at once. */
  isInMany(directoryId: string, memberId: string): boolean
}

/**
 * SQL for whether a member `m` is visible: while a large change is being made, it shows those that leave or, once it is
 * published, those that join.
 */
export const isVisible = `(m.staged is null
  or m.staged = (select c.shown from large_changes c where c.directory_id = m.directory_id))`

export function createMembers(db: DatabaseSync): Members {
  return { ...createLookups(db), isInMany: createIsInManyGroups(db) }
}

function createLookups(db: DatabaseSync): Pick<Members, 'users' | 'userBytes' | 'bytesOfMembers' | 'groupsAmong'> {
  const bytes = db.prepare('select octet_length(raw) as n from users where directory_id = ? and id = ?')
  const bytesOfMembers = db.prepare(`
    select coalesce(sum(octet_length(u.raw)), 0) as n from members m
    cross join users u on u.directory_id = m.directory_id and u.id = m.member_id
    where m.directory_id = ? and m.group_id = ?`)
  const user = db.prepare(`select ${userColumns} from users u where u.directory_id = ? and u.id = ?`)
  const group = db.prepare('select 1 from groups where directory_id = ? and id = ?')
  return {
    users(directoryId, ids) {
      const found = new Map<string, User>()
      for (const id of ids) {
        const row = user.get(directoryId, id)
        if (row !== undefined) found.set(id, decodeUser(row))
      }
      return found
    },
    userBytes(directoryId, ids) {
      const found = new Map<string, number>()
      for (const id of ids) {
        const row = bytes.get(directoryId, id)
        if (row !== undefined) found.set(id, integer(row, 'n'))
      }
      return found
    },
    bytesOfMembers: (directoryId, groupId) => integer(bytesOfMembers.get(directoryId, groupId) ?? {}, 'n'),
    groupsAmong: (directoryId, ids) => new Set(ids.filter((id) => group.get(directoryId, id) !== undefined)),
  }
}

function createIsInManyGroups(db: DatabaseSync): Members['isInMany'] {
  const count = db.prepare(`
    select count(*) as n from (
      select 1 from members indexed by members_by_member where directory_id = ? and member_id = ? limit ${maxLeaving + 1})`)
  return (directoryId, memberId) => integer(count.get(directoryId, memberId) ?? {}, 'n') > maxLeaving
}
