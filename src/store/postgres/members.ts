import type { MemberChanges } from '../../scim/patch/members.ts'
import { decodeGroup, decodeMemberType, groupColumns } from '../groups.ts'
import type { Row } from '../row.ts'
import { integer, text } from '../row.ts'
import { decodeUser, userColumns } from '../users.ts'
import type { LockedDirectory } from '../write/batch.ts'
import type { ChangeToRead, EndedMembership, GroupFacts, PresentMember } from '../write/facts.ts'
import { membershipKey } from '../write/facts.ts'
import type { Statement } from './database.ts'
import { rowBy } from './sql.ts'

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

const named = `
  cross join lateral (${namedMember()}) m`

/** All members of the groups `r`. The planner cannot know the limit. */
const all = `
  cross join lateral (${membersInGroup('r.group_id', '*', '(select 1000000000)')}) m`

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

/** More groups of a name than changes in a batch need not be known: one of them keeps it. */
const maxHolders = 300

const holdersText = `
  select k.name, g.id from unnest((select $2::text[])) as k (name)
  cross join lateral (
    select h.id from groups h where h.directory_id = $1 and h.name_folded between k.name and k.name and h.name_folded >= ''
    order by h.name_folded limit ${maxHolders}
  ) g`

/** The statements that read what changes of groups need to know; `decodeFacts` takes their rows, in the same order. */
export function factStatements(
  { id }: LockedDirectory,
  changes: readonly ChangeToRead[],
  names: readonly string[],
): Statement[] {
  const [wanted, unwanted] = [namedBy(changes, wantedIds), namedBy(changes, unwantedIds)]
  const replaced = changes.flatMap(({ groupId, members }) => (members.kind === 'replace' ? [groupId] : []))
  const pairs = [wanted.groupIds, wanted.memberIds, unwanted.groupIds, unwanted.memberIds]
  const pairsOfBoth = [wanted.groupIds.concat(unwanted.groupIds), wanted.memberIds.concat(unwanted.memberIds)]
  const targets = changes.flatMap(({ groupId, isGroupKnown = false }) => (isGroupKnown ? [] : [groupId]))
  return [
    { text: groupsText, values: [id, [...new Set([...targets, ...wanted.memberIds])]] },
    { text: presentText, values: [id, ...pairsOfBoth, replaced] },
    { text: usersText, values: [id, ...pairs, replaced] },
    ...(names.length > 0 ? [{ text: holdersText, values: [id, names] }] : []),
  ]
}

const removedText = `
  select r.group_id, r.member_id, r.row_position
  from unnest((select $2::text[]), (select $3::text[])) as n (group_id, member_id)
  cross join lateral (
    select * from removed_memberships r
    where r.directory_id = $1 and r.group_id between n.group_id and n.group_id
      and r.member_id between n.member_id and n.member_id
    order by r.group_id, r.member_id limit 1
  ) r`

/** Reads the ended memberships of those who may join. */
export function removedMembershipsRead({ id }: LockedDirectory, changes: readonly ChangeToRead[]): Statement {
  const { groupIds, memberIds } = namedBy(changes, wantedIds)
  return { text: removedText, values: [id, groupIds, memberIds] }
}

/** Decodes the rows of `removedMembershipsRead`, then those of `factStatements`. */
export function decodeFacts(read: readonly (readonly Row[])[]): GroupFacts {
  const [removed = [], groupRows = [], present = [], users = [], holders = []] = read
  const groups = new Map(groupRows.map((row) => [text(row, 'id'), decodeGroup(row)]))
  return {
    groups,
    positions: new Map(groupRows.map((row) => [text(row, 'id'), integer(row, 'sequence')])),
    present: decodePresent(present),
    users: new Map(users.map((row) => [text(row, 'id'), decodeUser(row)])),
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

/** Pairs of columns: the n-th member is named in the n-th group. */
interface MemberPairs {
  readonly groupIds: string[]
  readonly memberIds: string[]
}

function namedBy(changes: readonly ChangeToRead[], idsOf: (members: MemberChanges) => Iterable<string>): MemberPairs {
  const named: MemberPairs = { groupIds: [], memberIds: [] }
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
