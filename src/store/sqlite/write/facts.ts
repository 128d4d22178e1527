import type { DatabaseSync } from 'node:sqlite'
import type { Group } from '../../../directory/group.ts'
import type { User } from '../../../directory/user.ts'
import { decodeGroup, decodeMemberType, groupColumns } from '../../groups.ts'
import type { Row } from '../../row.ts'
import { integer, text } from '../../row.ts'
import { decodeUser, userColumns } from '../../users.ts'
import type {
  ChangeToRead,
  EndedMembership,
  Facts,
  FactsRequest,
  GroupFacts,
  PresentMember,
} from '../../write/facts.ts'
import { membershipKey, noFacts } from '../../write/facts.ts'
import type { KeyedFacts, KeyedRead } from '../../write/keyed-facts.ts'
import { createKeyedReads, keyedFacts } from '../../write/keyed-facts.ts'
import type { DirectoryState } from '../events.ts'
import type { RunStatement } from '../sql-database.ts'
import { dialect, sqliteText } from '../sql-database.ts'

/** Reads facts in the transaction of the caller. */
export type ReadFacts = (directory: DirectoryState, request: FactsRequest) => Facts

export function createReadFacts(db: DatabaseSync, run: RunStatement): ReadFacts {
  const readKeys = createReadKeys(db)
  const readGroups = createGroupFacts(db)
  return (directory, request) => {
    const rows: Record<string, Row[]> = {}
    for (const name in request.reads) {
      const read = request.reads[name]
      if (read !== undefined) rows[name] = run(read)
    }
    const groups = request.changes && readGroups(directory, request.changes, request.groupNames)
    const facts = { ...noFacts, state: directory, groups, rows }
    for (const keyed of keyedFacts(possiblyLeft(directory, request, rows['windows']))) {
      Object.assign(facts, readKeys(directory.id, keyed))
    }
    return facts
  }
}

/**
 * Without those who cannot be found: nobody was removed in a directory without counted removals, and nobody returns who was deleted long
 * ago. Computing the digests of names takes as long as the rest of a creation.
 */
function possiblyLeft(
  { userDeletedAt = 0 }: DirectoryState,
  { removed = [], returning = [], ...request }: FactsRequest,
  windows: readonly Row[] = [],
): FactsRequest {
  return {
    ...request,
    removed: windows.some(({ kind }) => kind === 'users') ? removed : [],
    returning: returning.filter(({ recognition }) => recognition !== undefined && userDeletedAt >= recognition.since),
  }
}

function createReadKeys(db: DatabaseSync) {
  const prepared = new Map(
    Object.entries(createKeyedReads(dialect)).map(([name, { columns, rowsOf }]: [string, KeyedRead]) => [
      name,
      db.prepare(sqliteText(rowsOf(...columns.map((_, index) => `$${index + 2}`)))),
    ]),
  )
  return (directoryId: string, { read, keys, decode }: KeyedFacts): Partial<Facts> => {
    const statement = prepared.get(read)
    return decode(keys.map((key) => statement?.all(directoryId, ...key) ?? []))
  }
}

/** Reads what changes of groups have to know. Changes that share a batch name different groups or members. */
function createGroupFacts(db: DatabaseSync) {
  const group = db.prepare(`select ${groupColumns} from groups g where g.directory_id = ? and g.id = ?`)
  const user = db.prepare(`select ${userColumns} from users u where u.directory_id = ? and u.id = ?`)
  const member = db.prepare(`
    select member_id, member_type, sequence from members where directory_id = ? and group_id = ? and member_id = ?`)
  const all = db.prepare('select member_id, member_type, sequence from members where directory_id = ? and group_id = ?')
  const holders = db.prepare('select id from groups where directory_id = ? and name_folded = ? limit 2')
  const ended = db.prepare(`
    select row_position from removed_memberships where directory_id = ? and group_id = ? and member_id = ?`)
  return ({ id }: DirectoryState, changes: readonly ChangeToRead[], names: readonly string[] = []): GroupFacts => {
    const facts = {
      ...{ groups: new Map<string, Group>(), positions: new Map<string, number>(), groupIds: new Set<string>() },
      ...{ present: new Map<string, Map<string, PresentMember>>(), users: new Map<string, User>() },
      ...{ holders: new Map<string, Set<string>>(), removed: new Map<string, EndedMembership>() },
    }
    const readGroup = (groupId: string): boolean => {
      const row = facts.groups.has(groupId) ? undefined : group.get(id, groupId)
      if (row !== undefined) {
        facts.groups.set(groupId, decodeGroup(row))
        facts.positions.set(groupId, integer(row, 'sequence'))
        facts.groupIds.add(groupId)
      }
      return facts.groups.has(groupId)
    }
    for (const { groupId, members, isGroupKnown = false } of changes) {
      if (!isGroupKnown) readGroup(groupId)
      const wanted = members.kind === 'replace' ? members.members : members.add
      const named = members.kind === 'replace' ? [] : [...members.add, ...members.remove]
      const rows =
        members.kind === 'replace' ? all.all(id, groupId) : named.flatMap((one) => member.all(id, groupId, one))
      const present = facts.present.get(groupId) ?? new Map<string, PresentMember>()
      for (const row of rows) {
        const found = { memberType: decodeMemberType(row), sequence: integer(row, 'sequence') }
        present.set(text(row, 'member_id'), found)
      }
      facts.present.set(groupId, present)
      const joining = [...wanted].filter((one) => !present.has(one))
      const isLeaving = (one: string) => (members.kind === 'replace' ? !wanted.has(one) : members.remove.has(one))
      const leaving = [...present.keys()].filter(isLeaving)
      for (const one of [...joining, ...leaving]) {
        const row = user.get(id, one)
        if (row !== undefined) facts.users.set(one, decodeUser(row))
      }
      for (const memberId of joining) {
        if (!facts.users.has(memberId)) readGroup(memberId)
        const row = ended.get(id, groupId, memberId)
        const end = row && { groupId, memberId, position: integer(row, 'row_position') }
        if (end !== undefined) facts.removed.set(membershipKey(groupId, memberId), end)
      }
    }
    for (const name of names) facts.holders.set(name, new Set(holders.all(id, name).map((row) => text(row, 'id'))))
    return facts
  }
}
