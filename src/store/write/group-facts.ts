import type { MemberChanges } from '../../scim/patch/members.ts'
import { decodeGroup, decodeMemberType, groupColumns } from '../groups.ts'
import type { Row } from '../row.ts'
import { integer, text } from '../row.ts'
import type { Dialect } from '../sql-database.ts'
import { noLimit } from '../sql-database.ts'
import { decodeUser, userColumns } from '../users.ts'
import type {
  ChangeToRead,
  EndedMembership,
  GroupFacts,
  KeyedFacts,
  KeyedRead,
  PresentMember,
  ReadOfKeys,
} from './facts.ts'
import { membershipKey } from './facts.ts'

/** The members of a group in the order of their ids, after one of them. On PostgreSQL, the range and the order leave one index. */
export function membersInGroup(
  { equals }: Pick<Dialect, 'equals'>,
  groupId: string,
  columns: string,
  limit: string,
  after = "''",
): string {
  return `
    select ${columns} from members m
    where m.directory_id = $1 and ${equals('m.group_id', groupId)} and m.member_id > ${after}
    order by m.group_id, m.member_id limit ${limit}`
}

/** More groups of a name than changes in a batch need not be known: one of them keeps it. */
const maxHolders = 300

/** The reads of facts about groups. What is read of a pair is about a named member of a group. */
function readsOf(dialect: Dialect) {
  const { equals, indexed, oneRow, rowBy, elementsOf } = dialect
  const pair = ['group_id', 'member_id']
  const presentColumns = 'm.group_id, m.member_id, m.member_type, m.sequence'
  const ofPair = (table: string, columns: string, groupId = '', memberId = '') => `
    select ${columns} from ${table} m
    where m.directory_id = $1 and ${equals('m.group_id', groupId)} and ${equals('m.member_id', memberId)}
    order by m.group_id, m.member_id limit 1`
  const userWhere = (isMember: 'is null' | 'is not null') => (groupId?: string, memberId?: string) =>
    `
    select * from (${oneRow('users', 'u', 'id', memberId ?? '', userColumns)}) u
    where (${ofPair('members', '1', groupId, memberId)}) ${isMember}`
  return {
    groups: { columns: ['id'], rowsOf: (id = '') => oneRow('groups', 'g', 'id', id, groupColumns) },
    present: { columns: pair, rowsOf: (...key) => ofPair('members', presentColumns, ...key) },
    /** All members of a group. */
    allPresent: {
      columns: ['group_id'],
      rowsOf: (groupId = '') => membersInGroup(dialect, groupId, presentColumns, noLimit),
    },
    /** The user who may join. */
    joining: { columns: pair, rowsOf: userWhere('is null') },
    /** The user who may leave. */
    leaving: { columns: pair, rowsOf: userWhere('is not null') },
    /** The users in a group who are not on its new list: `$2` are the groups and members of all lists, which become a hash table. */
    notListed: {
      columns: ['group_id'],
      shared: 2,
      rowsOf: (groupId = '') => `
        select ${userColumns} from (
          select m.member_id from (${membersInGroup(dialect, groupId, 'm.group_id, m.member_id', noLimit)}) m
          where (m.group_id, m.member_id) not in (
            select j.value ->> 0, j.value ->> 1 from ${elementsOf('$2', 'j')})
        ) m ${rowBy('users', 'u', 'id', 'm.member_id', userColumns)}`,
    },
    /** The end of a membership. */
    ended: {
      columns: pair,
      rowsOf: (...key) => ofPair('removed_memberships', 'm.group_id, m.member_id, m.row_position', ...key),
    },
    /** The groups with a name. */
    holders: {
      columns: ['name'],
      rowsOf: (name = '') => `
        select h.id, h.name_folded as name from groups h
        where h.directory_id = $1 and ${equals('h.name_folded', name)}${indexed('h', 'name_folded')}
        order by h.name_folded limit ${maxHolders}`,
    },
  } satisfies Record<string, KeyedRead>
}

type Name = keyof ReturnType<typeof readsOf>

/** Makes the reads of what changes of groups have to know: only those that have something to read. */
export function createGroupFacts<S>(dialect: Dialect, prepare: (read: KeyedRead) => S) {
  const entries = Object.entries(readsOf(dialect)) as [Name, KeyedRead][]
  const statements = new Map(entries.map(([name, read]) => [name, prepare(read)]))
  return (changes: readonly ChangeToRead[], names: readonly string[]): KeyedFacts<S> => {
    const keys = keysOf(changes, names)
    const needed = [...statements].flatMap(([name, statement]) => {
      if (keys[name].length === 0) return []
      const further = name === 'notListed' ? [JSON.stringify(keys.joining)] : []
      const read: ReadOfKeys<S> = { statement, keys: keys[name], further }
      return [[name, read] as const]
    })
    return {
      reads: needed.map(([, read]) => read),
      decode(rows) {
        const found = new Map(needed.map(([name], index) => [name, rows[index]?.flat()]))
        return { groups: decodeGroupFacts((name) => found.get(name) ?? []) }
      },
    }
  }
}

/** The keys of each read. */
function keysOf(changes: readonly ChangeToRead[], names: readonly string[]) {
  const [wanted, unwanted] = [namedBy(changes, wantedIds), namedBy(changes, unwantedIds)]
  const replaced = changes.filter(({ members }) => members.kind === 'replace').map(({ groupId }) => [groupId])
  const deltas = changes.filter(({ members }) => members.kind === 'delta')
  const targets = changes.flatMap(({ groupId, isGroupKnown = false }) => (isGroupKnown ? [] : [groupId]))
  const groupIds = new Set([...targets, ...wanted.map(([, memberId]) => memberId)])
  return {
    groups: [...groupIds].map((id) => [id]),
    present: [...namedBy(deltas, wantedIds), ...unwanted],
    allPresent: replaced,
    joining: wanted,
    leaving: unwanted,
    notListed: replaced,
    ended: wanted,
    holders: names.map((name) => [name]),
  } satisfies Record<Name, ReadOfKeys<unknown>['keys']>
}

/** The groups and members that changes name. */
function namedBy(
  changes: readonly ChangeToRead[],
  idsOf: (members: MemberChanges) => Iterable<string>,
): [groupId: string, memberId: string][] {
  const named: [string, string][] = []
  for (const { groupId, members } of changes) {
    // No stored id has a NUL character, and PostgreSQL rejects a parameter that has one.
    for (const id of idsOf(members)) if (!id.includes('\0')) named.push([groupId, id])
  }
  return named
}

function wantedIds(members: MemberChanges): Iterable<string> {
  return members.kind === 'replace' ? members.members.keys() : members.add.keys()
}

function unwantedIds(members: MemberChanges): Iterable<string> {
  return members.kind === 'replace' ? [] : members.remove
}

function decodeGroupFacts(rowsOf: (name: Name) => readonly Row[]): GroupFacts {
  const groups = new Map(rowsOf('groups').map((row) => [text(row, 'id'), decodeGroup(row)]))
  const users = [...rowsOf('joining'), ...rowsOf('leaving'), ...rowsOf('notListed')]
  return {
    groups,
    positions: new Map(rowsOf('groups').map((row) => [text(row, 'id'), integer(row, 'sequence')])),
    present: decodePresent([...rowsOf('present'), ...rowsOf('allPresent')]),
    users: new Map(users.map((row) => [text(row, 'id'), decodeUser(row)])),
    groupIds: new Set(groups.keys()),
    holders: decodeHolders(rowsOf('holders')),
    removed: new Map(rowsOf('ended').map(decodeEnded)),
  }
}

function decodeEnded(row: Row): [key: string, ended: EndedMembership] {
  const [groupId, memberId] = [text(row, 'group_id'), text(row, 'member_id')]
  return [membershipKey(groupId, memberId), { groupId, memberId, position: integer(row, 'row_position') }]
}

function decodeHolders(rows: readonly Row[]): Map<string, Set<string>> {
  const holders = new Map<string, Set<string>>()
  for (const row of rows) {
    const name = text(row, 'name')
    holders.set(name, (holders.get(name) ?? new Set()).add(text(row, 'id')))
  }
  return holders
}

function decodePresent(rows: readonly Row[]): Map<string, Map<string, PresentMember>> {
  const byGroup = new Map<string, Map<string, PresentMember>>()
  for (const row of rows) {
    const groupId = text(row, 'group_id')
    const members = byGroup.get(groupId) ?? new Map<string, PresentMember>()
    const member = { memberType: decodeMemberType(row), sequence: integer(row, 'sequence') }
    byGroup.set(groupId, members.set(text(row, 'member_id'), member))
  }
  return byGroup
}
