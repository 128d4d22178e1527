import type { DirectoryRevision } from '../../directory/directory.ts'
import type { Group, MemberType } from '../../directory/group.ts'
import type { User } from '../../directory/user.ts'
import type { MemberChanges } from '../../scim/patch/members.ts'
import type { GroupRow, UserRow } from '../resource-rows.ts'
import { groupColumns, groupOf, userColumns, userOf } from '../resource-rows.ts'
import type { Row } from '../row.ts'
import type { Statement } from './database.ts'

/** Members that a batch names: who, in which group. */
interface Named {
  readonly groupIds: string[]
  readonly memberIds: string[]
}

/** A member that is there: what it is, and its place in the list. */
export interface PresentMember {
  readonly memberType: MemberType
  readonly sequence: number
}

/** What is known of the groups that a batch changes, and of the users and groups it names. */
export interface GroupFacts {
  readonly groups: Map<string, Group>
  /** By group: all members where the batch replaces the list, else at least those that it names. */
  readonly present: Map<string, Map<string, PresentMember>>
  readonly users: ReadonlyMap<string, User>
  readonly groupIds: ReadonlySet<string>
}

/** The members are looked up one by one, whatever the planner believes of the table's size. */
const named = `
  cross join lateral (
    select * from members m where m.directory_id = $1 and m.group_id = n.group_id and m.member_id = n.member_id limit 1
  ) m`

/** The order and a limit that the planner cannot know lead it to the index, also where most groups are very large. */
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

/** The users who may come, being named and absent, or go, being named and present or not on the new list. */
const usersText = `
  select ${userColumns} from users u
  where u.directory_id = $1 and u.id = any(array(
    select n.member_id from unnest((select $2::text[]), (select $3::text[])) as n (group_id, member_id)
    left join lateral (
      select true as is_present from members m
      where m.directory_id = $1 and m.group_id = n.group_id and m.member_id = n.member_id limit 1
    ) m on true
    where m.is_present is null
    union all
    select m.member_id from unnest((select $4::text[]), (select $5::text[])) as n (group_id, member_id) ${named}
    union all
    select m.member_id from unnest((select $6::text[])) as r (group_id) ${all}
    where not exists (
      select from unnest((select $2::text[]), (select $3::text[])) as w (group_id, member_id)
      where w.group_id = m.group_id and w.member_id = m.member_id)
  ))`

const groupsText = `
  select ${groupColumns} from groups g where g.directory_id = $1 and g.id = any((select $2::text[])::text[])`

/** The statements that read what changes of groups need to know; `groupFacts` takes their rows, in the same order. */
export function factStatements(
  { id }: DirectoryRevision,
  changes: readonly { readonly groupId: string; readonly members: MemberChanges }[],
): Statement[] {
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

/** What the rows of `factStatements` say. */
export function groupFacts([groups = [], present = [], users = []]: readonly Row[][]): GroupFacts {
  const byGroup = new Map<string, Map<string, PresentMember>>()
  for (const row of present as unknown as PresentRow[]) {
    const members = byGroup.get(row.group_id) ?? new Map<string, PresentMember>()
    const memberType: MemberType = row.member_type === 'Group' ? 'Group' : 'User'
    byGroup.set(row.group_id, members.set(row.member_id, { memberType, sequence: row.sequence }))
  }
  return {
    groups: new Map((groups as unknown as GroupRow[]).map((row) => [row.id, groupOf(row)])),
    present: byGroup,
    users: new Map((users as unknown as UserRow[]).map((row) => [row.id, userOf(row)])),
    groupIds: new Set(groups.map(({ id }) => String(id))),
  }
}

interface PresentRow {
  readonly group_id: string
  readonly member_id: string
  readonly member_type: string
  readonly sequence: number
}

function namedBy(
  changes: readonly { readonly groupId: string; readonly members: MemberChanges }[],
  idsOf: (members: MemberChanges) => Iterable<string>,
): Named {
  const named: Named = { groupIds: [], memberIds: [] }
  for (const { groupId, members } of changes) {
    for (const id of idsOf(members)) {
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
