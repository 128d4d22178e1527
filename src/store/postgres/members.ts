import type { MemberChanges } from '../../scim/patch/members.ts'
import { decodeGroup, decodeMemberType, groupColumns } from '../groups.ts'
import type { Row } from '../row.ts'
import { integer, text } from '../row.ts'
import { noLimit } from '../sql-database.ts'
import { decodeUser, userColumns } from '../users.ts'
import type { LockedDirectory } from '../write/batch.ts'
import type { ChangeToRead, EndedMembership, GroupFacts, PresentMember } from '../write/facts.ts'
import { membershipKey } from '../write/facts.ts'
import type { Statement } from './database.ts'
import { oneRow } from './sql.ts'
import { statementsOf } from './sql-database.ts'

/** The member `n` of a group, whatever size of the table the planner expects: see `oneRow`. */
function namedMember(columns = '*', groupId = 'n.group_id', memberId = 'n.member_id'): string {
  return `
    select ${columns} from members m
    where m.directory_id = $1 and m.group_id between ${groupId} and ${groupId}
      and m.member_id between ${memberId} and ${memberId}
    order by m.group_id, m.member_id limit 1`
}

/** The members of a group in the order of their ids, from one of them on. As for `namedMember`, the range and the order leave one index. */
export function membersInGroup(groupId: string, columns: string, limit: string, after = "''"): string {
  return `
    select ${columns} from members m
    where m.directory_id = $1 and m.group_id between ${groupId} and ${groupId} and m.member_id > ${after}
    order by m.group_id, m.member_id limit ${limit}`
}

const pair = { group_id: 'text', member_id: 'text' } as const
const presentColumns = 'm.group_id, m.member_id, m.member_type, m.sequence'
const user = (id: string) => oneRow('users', 'u', 'id', id, userColumns)

/** The statements of the facts about groups. What is read of a pair is about a named member of a group. */
const statements = {
  groups: statementsOf({
    shared: 1,
    input: { id: 'text' },
    rowsOf: ({ id }) => oneRow('groups', 'g', 'id', id, groupColumns),
  }),
  presentNamed: statementsOf({
    ...{ shared: 1, input: pair },
    rowsOf: ({ group_id, member_id }) => namedMember(presentColumns, group_id, member_id),
  }),
  /** All members of a group. */
  present: statementsOf({
    ...{ shared: 1, input: { group_id: 'text' } },
    rowsOf: ({ group_id }) => membersInGroup(group_id, presentColumns, noLimit),
  }),
  /** The user who may join. */
  joining: statementsOf({
    ...{ shared: 1, input: pair },
    rowsOf: ({ group_id, member_id }) =>
      `select * from (${user(member_id)}) u where (${namedMember('1', group_id, member_id)}) is null`,
  }),
  /** The user who may leave. */
  leaving: statementsOf({
    ...{ shared: 1, input: pair },
    rowsOf: ({ group_id, member_id }) =>
      `select * from (${user(member_id)}) u where (${namedMember('1', group_id, member_id)}) is not null`,
  }),
  /** The users in a group who are not on its new list: the members `$3` of the groups `$2`, which `not in` makes a hash table of. */
  notListed: statementsOf({
    ...{ shared: 3, input: { group_id: 'text' } },
    rowsOf: ({ group_id }) => `
      select u.* from (
        select m.member_id from (${membersInGroup(group_id, '*', noLimit)}) m
        where (m.group_id, m.member_id) not in (select * from unnest((select $2::text[]), (select $3::text[])))
      ) m cross join lateral (${user('m.member_id')}) u`,
  }),
  /** The end of a membership. */
  removed: statementsOf({
    ...{ shared: 1, input: pair },
    rowsOf: ({ group_id, member_id }) => `
      select r.group_id, r.member_id, r.row_position from removed_memberships r
      where r.directory_id = $1 and r.group_id between ${group_id} and ${group_id}
        and r.member_id between ${member_id} and ${member_id}
      order by r.group_id, r.member_id limit 1`,
  }),
}

/** More groups of a name than changes in a batch need not be known: one of them keeps it. */
const maxHolders = 300

const holdersText = `
  select k.name, g.id from unnest((select $2::text[])) as k (name)
  cross join lateral (
    select h.id from groups h where h.directory_id = $1 and h.name_folded between k.name and k.name and h.name_folded >= ''
    order by h.name_folded limit ${maxHolders}
  ) g`

/** Rows of facts about groups, by the name of their statement. */
type GroupFactRows = { readonly [Name in keyof typeof statements | 'holders']?: readonly Row[] }

/** The statements that read what changes of groups need to know, by name: only those that have something to read. */
export function groupFactReads(
  { id }: LockedDirectory,
  changes: readonly ChangeToRead[],
  names: readonly string[],
): readonly (readonly [keyof GroupFactRows, Statement])[] {
  const [wanted, unwanted] = [namedBy(changes, wantedIds), namedBy(changes, unwantedIds)]
  const replaced = changes.flatMap(({ groupId, members }) =>
    members.kind === 'replace' ? [{ group_id: groupId }] : [],
  )
  const deltas = changes.filter(({ members }) => members.kind === 'delta')
  const targets = changes.flatMap(({ groupId, isGroupKnown = false }) => (isGroupKnown ? [] : [groupId]))
  const groupIds = new Set([...targets, ...wanted.map(({ member_id }) => member_id)])
  const list = [wanted.map(({ group_id }) => group_id), wanted.map(({ member_id }) => member_id)]
  const read = <I>(
    name: keyof typeof statements,
    statementOf: (values: readonly unknown[], inputs: readonly I[]) => Statement,
    inputs: readonly I[],
    ...further: readonly unknown[]
  ) => (inputs.length === 0 ? [] : [[name, statementOf([id, ...further], inputs)] as const])
  return [
    ...read(
      'groups',
      statements.groups,
      [...groupIds].map((one) => ({ id: one })),
    ),
    ...read('presentNamed', statements.presentNamed, [...namedBy(deltas, wantedIds), ...unwanted]),
    ...read('present', statements.present, replaced),
    ...read('joining', statements.joining, wanted),
    ...read('leaving', statements.leaving, unwanted),
    ...read('notListed', statements.notListed, replaced, ...list),
    ...read('removed', statements.removed, wanted),
    ...(names.length > 0 ? [['holders', { text: holdersText, values: [id, names] }] as const] : []),
  ]
}

/** Decodes the rows of `groupFactReads`. */
export function decodeGroupFacts(rows: GroupFactRows): GroupFacts {
  const { groups: groupRows = [], presentNamed = [], present = [], joining = [], leaving = [], notListed = [] } = rows
  const { removed = [], holders = [] } = rows
  const groups = new Map(groupRows.map((row) => [text(row, 'id'), decodeGroup(row)]))
  return {
    groups,
    positions: new Map(groupRows.map((row) => [text(row, 'id'), integer(row, 'sequence')])),
    present: decodePresent([...presentNamed, ...present]),
    users: new Map([...joining, ...leaving, ...notListed].map((row) => [text(row, 'id'), decodeUser(row)])),
    groupIds: new Set(groups.keys()),
    holders: decodeHolders(holders),
    removed: new Map(removed.map(decodeEnded).map((ended) => [membershipKey(ended.groupId, ended.memberId), ended])),
  }
}

function decodeEnded(row: Row): EndedMembership {
  return { groupId: text(row, 'group_id'), memberId: text(row, 'member_id'), position: integer(row, 'row_position') }
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

/** A member that a change names in its group. */
type NamedMember = { readonly group_id: string; readonly member_id: string }

function namedBy(changes: readonly ChangeToRead[], idsOf: (members: MemberChanges) => Iterable<string>): NamedMember[] {
  const named: NamedMember[] = []
  for (const { groupId, members } of changes) {
    // No stored id has a NUL character, and PostgreSQL rejects a parameter that has one.
    for (const id of idsOf(members)) if (!id.includes('\0')) named.push({ group_id: groupId, member_id: id })
  }
  return named
}

function wantedIds(members: MemberChanges): Iterable<string> {
  return members.kind === 'replace' ? members.members.keys() : members.add.keys()
}

function unwantedIds(members: MemberChanges): Iterable<string> {
  return members.kind === 'replace' ? [] : members.remove
}
