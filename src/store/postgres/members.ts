import type { DirectoryRevision } from '../../directory/directory.ts'
import type { Group } from '../../directory/group.ts'
import type { User } from '../../directory/user.ts'
import type { MemberChanges } from '../../scim/patch/members.ts'
import { decodeGroup, decodeMemberType, groupColumns } from '../groups.ts'
import type { PresentMember } from '../large-changes.ts'
import type { Row } from '../row.ts'
import { integer, text } from '../row.ts'
import { decodeUser, userColumns } from '../users.ts'
import type { Statement } from './database.ts'
import { rowBy } from './sql.ts'

/** What is known of the groups that a batch changes, and of the users and groups that it names. */
export interface GroupFacts {
  readonly groups: Map<string, Group>
  /** By group: all members when the batch replaces them, else at least those that it names. */
  readonly present: Map<string, Map<string, PresentMember>>
  readonly users: ReadonlyMap<string, User>
  readonly groupIds: ReadonlySet<string>
}

/** A change of members, as far as it decides what to read. */
export interface NamedChange {
  readonly groupId: string
  readonly members: MemberChanges
}

/** The member `n`, whatever size of the table the planner expects: see `oneRow`. */
export function namedMember(columns = '*'): string {
  return `
    select ${columns} from members m
    where m.directory_id = $1 and m.group_id between n.group_id and n.group_id
      and m.member_id between n.member_id and n.member_id
    order by m.group_id, m.member_id limit 1`
}

const named = `
  cross join lateral (${namedMember()}) m`

/** All members of the groups `r`. The order and a limit that the planner cannot know make it use the index. */
const all = `
  cross join lateral (
    select * from members m where m.directory_id = $1 and m.group_id = r.group_id
    order by m.member_id limit (select 1000000000)
  ) m`

const presentText = `
  select m.group_id, m.member_id, m.member_type, m.sequence
  from unnest((select $2::text[]), (select $3::text[])) as n (group_id, member_id) ${named}
  union all
  select m.group_id, m.member_id, m.member_type, m.sequence
  from unnest((select $4::text[])) as r (group_id) ${all}`

/** The users who may join, as they are named and absent, or leave: named and present, or present and not on the new list. */
const usersText = `
  select ${userColumns} from (
    select n.member_id from unnest((select $2::text[]), (select $3::text[])) as n (group_id, member_id)
    left join lateral (${namedMember()}) m on true
    where m.member_id is null
    union all
    select m.member_id from unnest((select $4::text[]), (select $5::text[])) as n (group_id, member_id) ${named}
    union all
    select m.member_id from unnest((select $6::text[])) as r (group_id) ${all}
    where not exists (
      select from unnest((select $2::text[]), (select $3::text[])) as w (group_id, member_id)
      where w.group_id = m.group_id and w.member_id = m.member_id)
  ) k (id) ${rowBy('users', 'u', 'id', 'k.id')}`

const groupsText = `select ${groupColumns} from unnest((select $2::text[])) as k (id) ${rowBy('groups', 'g', 'id', 'k.id')}`

/** The statements that read what changes of groups need to know; `decodeFacts` takes their rows, in the same order. */
export function factStatements({ id }: DirectoryRevision, changes: readonly NamedChange[]): Statement[] {
  const [wanted, unwanted] = [namedBy(changes, wantedIds), namedBy(changes, unwantedIds)]
  const replaced = changes.flatMap(({ groupId, members }) => (members.kind === 'replace' ? [groupId] : []))
  const pairs = [wanted.groupIds, wanted.memberIds, unwanted.groupIds, unwanted.memberIds]
  const pairsOfBoth = [wanted.groupIds.concat(unwanted.groupIds), wanted.memberIds.concat(unwanted.memberIds)]
  const targets = changes.map(({ groupId }) => groupId)
  return [
    { text: groupsText, values: [id, targets.concat(wanted.memberIds)] },
    { text: presentText, values: [id, ...pairsOfBoth, replaced] },
    { text: usersText, values: [id, ...pairs, replaced] },
  ]
}

/** Decodes the rows of `factStatements`. */
export function decodeFacts([groupRows = [], present = [], users = []]: readonly Row[][]): GroupFacts {
  const groups = new Map(groupRows.map((row) => [text(row, 'id'), decodeGroup(row)]))
  return {
    groups,
    present: decodePresent(present),
    users: new Map(users.map((row) => [text(row, 'id'), decodeUser(row)])),
    groupIds: new Set(groups.keys()),
  }
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

/** Pairs of columns: the n-th member is named in the n-th group. */
interface NamedMembers {
  readonly groupIds: string[]
  readonly memberIds: string[]
}

function namedBy(changes: readonly NamedChange[], idsOf: (members: MemberChanges) => Iterable<string>): NamedMembers {
  const named: NamedMembers = { groupIds: [], memberIds: [] }
  for (const { groupId, members } of changes) {
    for (const id of idsOf(members)) {
      // No stored id has a NUL character, and PostgreSQL rejects a parameter that has one.
      if (id.includes('\0')) continue
      named.groupIds.push(groupId)
      named.memberIds.push(id)
    }
  }
  return named
}

function wantedIds(members: MemberChanges): Iterable<string> {
  return members.kind === 'replace' ? members.members.keys() : members.add.keys()
}

function unwantedIds(members: MemberChanges): Iterable<string> {
  return members.kind === 'replace' ? [] : members.remove
}
