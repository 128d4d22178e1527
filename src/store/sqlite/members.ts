import type { DatabaseSync } from 'node:sqlite'
import type { MemberType } from '../../directory/group.ts'
import type { MemberFacts } from '../../directory/member-changes.ts'
import type { User } from '../../directory/user.ts'
import type { MemberChanges } from '../../scim/patch/members.ts'
import type { NewMember } from '../group-changes.ts'
import { decodeMemberType } from '../groups.ts'
import { integer, text } from '../row.ts'
import { decodeUser, userColumns } from '../users.ts'
import { maxLeaving } from '../write/facts.ts'
import type { ListCounts } from './list-counts.ts'

/** Removes a deleted user or group from every group; these groups get a new version. Returns their number. */
export type LeaveGroups = (directoryId: string, memberId: string, at: number) => number

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
  /** Reads what the decision about a change of members needs to know. */
  facts(directoryId: string, groupId: string, changes: MemberChanges): MemberFacts
  /** Removes and adds members of a group. */
  change(directoryId: string, groupId: string, added: readonly NewMember[], removed: Iterable<string>): void
  /** Whether a user or group is in too many groups to be deleted at once. */
  isInMany(directoryId: string, memberId: string): boolean
  readonly leaveGroups: LeaveGroups
}

/**
 * SQL for whether a member `m` is visible: while a large change is being made, it shows those that leave or, once it is
 * published, those that join.
 */
export const isVisible = `(m.staged is null
  or m.staged = (select c.shown from large_changes c where c.directory_id = m.directory_id))`

export function createMembers(db: DatabaseSync, counts: ListCounts): Members {
  return {
    ...createLookups(db),
    facts: createFacts(db),
    change: createChange(db, counts),
    isInMany: createIsInManyGroups(db),
    leaveGroups: createLeaveGroups(db, counts),
  }
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

function createFacts(db: DatabaseSync): Members['facts'] {
  const present = createPresent(db)
  const user = db.prepare(`select ${userColumns} from users u where u.directory_id = ? and u.id = ?`)
  const group = db.prepare('select 1 from groups where directory_id = ? and id = ?')
  return (directoryId, groupId, changes) => {
    const wanted = changes.kind === 'replace' ? changes.members : changes.add
    const members = present(directoryId, groupId, changes)
    const joining = [...wanted.keys()].filter((id) => !members.has(id))
    const leaving = [...members.keys()].filter((id) => !wanted.has(id))
    const users = new Map<string, User>()
    for (const id of [...joining, ...leaving]) {
      const row = user.get(directoryId, id)
      if (row !== undefined) users.set(id, decodeUser(row))
    }
    const nested = joining.filter((id) => !users.has(id) && group.get(directoryId, id) !== undefined)
    return { present: members, users, groups: new Set(nested) }
  }
}

/** Reads all members when a change replaces them, else those that it names. */
function createPresent(db: DatabaseSync) {
  const one = db.prepare('select member_type from members where directory_id = ? and group_id = ? and member_id = ?')
  const all = db.prepare('select member_id, member_type from members where directory_id = ? and group_id = ?')
  return (directoryId: string, groupId: string, changes: MemberChanges): Map<string, MemberType> => {
    const present = new Map<string, MemberType>()
    if (changes.kind === 'replace') {
      for (const row of all.all(directoryId, groupId)) present.set(text(row, 'member_id'), decodeMemberType(row))
      return present
    }
    for (const id of [...changes.add.keys(), ...changes.remove]) {
      const row = one.get(directoryId, groupId, id)
      if (row !== undefined) present.set(id, decodeMemberType(row))
    }
    return present
  }
}

function createChange(db: DatabaseSync, counts: ListCounts): Members['change'] {
  const insert = db.prepare(
    'insert into members (directory_id, group_id, member_id, member_type, sequence) values (?, ?, ?, ?, ?)',
  )
  const remove = db.prepare(
    'delete from members where directory_id = ? and group_id = ? and member_id = ? returning sequence as sequence',
  )
  return (directoryId, groupId, added, removed) => {
    for (const id of removed) {
      const row = remove.get(directoryId, groupId, id)
      if (row !== undefined) counts.remove(directoryId, groupId, integer(row, 'sequence'))
    }
    for (const { id, memberType, sequence } of added) {
      insert.run(directoryId, groupId, id, memberType, sequence)
      counts.add(directoryId, groupId, sequence)
    }
  }
}

function createLeaveGroups(db: DatabaseSync, counts: ListCounts): LeaveGroups {
  const groups = db.prepare(
    'select group_id from members indexed by members_by_member where directory_id = ? and member_id = ?',
  )
  const leave = createLeaveGroup(db, counts)
  return (directoryId, memberId, at) => {
    const left = groups.all(directoryId, memberId).map((row) => text(row, 'group_id'))
    for (const groupId of left) leave(directoryId, groupId, memberId, at)
    return left.length
  }
}

/** Removes a member from a group, which gets a new version. */
export function createLeaveGroup(db: DatabaseSync, counts: ListCounts) {
  const remove = db.prepare(
    'delete from members where directory_id = ? and group_id = ? and member_id = ? returning sequence as sequence',
  )
  const nextVersion = db.prepare(
    'update groups set version = version + 1, updated_at = ? where directory_id = ? and id = ?',
  )
  return (directoryId: string, groupId: string, memberId: string, at: number): void => {
    const row = remove.get(directoryId, groupId, memberId)
    if (row === undefined) return
    counts.remove(directoryId, groupId, integer(row, 'sequence'))
    nextVersion.run(at, directoryId, groupId)
  }
}

/** The number of groups up to which a member of them is deleted at once: each of them gets a new version. */
const maxGroupsAtOnce = maxLeaving

function createIsInManyGroups(db: DatabaseSync): Members['isInMany'] {
  const count = db.prepare(`
    select count(*) as n from (
      select 1 from members indexed by members_by_member where directory_id = ? and member_id = ? limit ${maxGroupsAtOnce + 1})`)
  return (directoryId, memberId) => integer(count.get(directoryId, memberId) ?? {}, 'n') > maxGroupsAtOnce
}
