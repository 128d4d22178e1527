import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Group, GroupReference } from '../../directory/group.ts'
import type { DirectoryReads, Listed, ListPart, ListPosition } from '../../directory/store.ts'
import type { ShownUser } from '../../directory/user.ts'
import { groupConditions, userConditions } from '../find-conditions.ts'
import type { ListName } from '../list-buckets.ts'
import type { GroupRow, MemberRow, ShownUserRow, UserRow } from '../resource-rows.ts'
import {
  groupColumns,
  groupOf,
  groupReferences,
  memberOf,
  shownUserColumns,
  shownUserOf,
  userColumns,
  userOf,
} from '../resource-rows.ts'
import type { ListCounts } from './list-counts.ts'
import { createLookUps, placed } from './look-ups.ts'

interface Row {
  readonly id: string
  readonly sequence: number
}

interface UserWithGroupsRow extends ShownUserRow {
  readonly groups: string | null
}

/** Most users are looked at before they are in a group: then nothing is gathered. */
const userGroups = `case when exists (
    select 1 from members m indexed by members_by_member
    where m.directory_id = u.directory_id and m.member_id = u.id)
  then (select json_group_array(json_object('id', g.id, 'name', g.name))
    from members m indexed by members_by_member
    cross join groups g on g.directory_id = m.directory_id and g.id = m.group_id
    where m.directory_id = u.directory_id and m.member_id = u.id) end as groups`

/** Most addresses are their user's userName, and have no row of their own. */
const byEmail = `u.id in (
  select e.user_id from user_emails e where e.directory_id = ?1 and e.email = ?
  union all
  select n.id from users n where n.directory_id = ?1 and n.user_name_folded = ? and n.name_is_email = 1)`

/** What the domain reads, on SQLite. */
export function sqliteReads(db: DatabaseSync, counts: ListCounts): DirectoryReads {
  const userById = db.prepare(`select ${userColumns} from users u where u.directory_id = ? and u.id = ?`)
  const userWithGroups = db.prepare(
    `select ${shownUserColumns}, ${userGroups} from users u where u.directory_id = ? and u.id = ?`,
  )
  const groupById = db.prepare(`select ${groupColumns} from groups g where g.directory_id = ? and g.id = ?`)
  const usersInOrder = db.prepare(`
    select ${userColumns} from users u where u.directory_id = ? and (u.sequence, u.id) > (?, ?)
    order by u.sequence, u.id limit ? offset ?`)
  const groupsInOrder = db.prepare(`
    select ${groupColumns} from groups g where g.directory_id = ? and (g.sequence, g.id) > (?, ?)
    order by g.sequence, g.id limit ? offset ?`)
  const membersInOrder = db.prepare(`
    select m.member_id as id, m.sequence, m.member_type, coalesce(u.display_name, g.name) as display
    from members m
    left join users u on u.directory_id = m.directory_id and u.id = m.member_id
    left join groups g on g.directory_id = m.directory_id and g.id = m.member_id and m.member_type = 'Group'
    where m.directory_id = ? and m.group_id = ? and (m.sequence, m.member_id) > (?, ?)
    order by m.sequence, m.member_id limit ? offset ?`)
  const groupsOfOne = db.prepare(`
    select g.id, g.name from members m indexed by members_by_member
    cross join groups g on g.directory_id = m.directory_id and g.id = m.group_id
    where m.directory_id = ? and m.member_id = ?`)
  const groupsOf = db.prepare(`
    select u.value as userId, json_group_array(json_object('id', g.id, 'name', g.name)) as groups
    from json_each(:userIds) u
    cross join members m indexed by members_by_member on m.directory_id = :directoryId and m.member_id = u.value
    cross join groups g on g.directory_id = m.directory_id and g.id = m.group_id
    group by u.value`)

  const foundUsers = createLookUps<ShownUserRow, ShownUser>(db, {
    table: 'users u',
    columns: shownUserColumns,
    conditionsOf: (equalities) => userConditions(equalities, byEmail),
    itemOf: shownUserOf,
  })
  const foundGroups = createLookUps<GroupRow, Group>(db, {
    table: 'groups g',
    columns: groupColumns,
    conditionsOf: groupConditions,
    itemOf: groupOf,
  })

  /** Turns an offset into a place near it and the rows to skip from there. */
  function start(
    directoryId: string,
    list: ListName,
    from: ListPosition | number,
  ): [number, string, number] | undefined {
    if (typeof from !== 'number') return [from.sequence, from.id, 0]
    const located = counts.locate(directoryId, list, from)
    return located === undefined ? undefined : [located.sequence - 1, '\u{10FFFF}', located.skip]
  }

  function page<R extends Row, T>(
    statement: StatementSync,
    [directoryId, ...more]: [string, ...string[]],
    list: ListName,
    { from, limit }: ListPart,
    itemOf: (row: R) => T,
  ): Listed<T>[] {
    const place = start(directoryId, list, from)
    if (place === undefined) return []
    const [sequence, id, skip] = place
    const rows = statement.all(directoryId, ...more, sequence, id, limit, skip) as unknown as R[]
    return rows.map((row) => placed(row, itemOf))
  }

  return {
    async getUser(directoryId, id) {
      const row = userById.get(directoryId, id)
      return row === undefined ? undefined : userOf(row as unknown as UserRow)
    },
    async getUserWithGroups(directoryId, id) {
      const row = userWithGroups.get(directoryId, id) as unknown as UserWithGroupsRow | undefined
      return row === undefined ? undefined : { user: shownUserOf(row), groups: groupReferences(row.groups) }
    },
    countUsers: async (directoryId) => counts.total(directoryId, 'users'),
    listUsers: async (directoryId, part) =>
      page<UserRow, ReturnType<typeof userOf>>(usersInOrder, [directoryId], 'users', part, userOf),
    findUsers: async (directoryId, equalities, part) => foundUsers.find(directoryId, equalities, part),
    countFoundUsers: async (directoryId, equalities) => foundUsers.count(directoryId, equalities),
    async groupsOfUsers(directoryId, userIds) {
      const [one] = userIds
      if (one !== undefined && userIds.length === 1) {
        const groups = groupsOfOne.all(directoryId, one) as unknown as GroupReference[]
        return new Map(groups.length === 0 ? [] : [[one, groups]])
      }
      const rows = groupsOf.all({ directoryId, userIds: JSON.stringify(userIds) })
      return new Map<string, GroupReference[]>(
        rows.map((row) => [String(row['userId']), groupReferences(String(row['groups']))]),
      )
    },
    async getGroup(directoryId, id) {
      const row = groupById.get(directoryId, id)
      return row === undefined ? undefined : groupOf(row as unknown as GroupRow)
    },
    countGroups: async (directoryId) => counts.total(directoryId, 'groups'),
    listGroups: async (directoryId, part) =>
      page<GroupRow, ReturnType<typeof groupOf>>(groupsInOrder, [directoryId], 'groups', part, groupOf),
    findGroups: async (directoryId, equalities, part) => foundGroups.find(directoryId, equalities, part),
    countFoundGroups: async (directoryId, equalities) => foundGroups.count(directoryId, equalities),
    listMembers: async (directoryId, groupId, part) =>
      page<MemberRow, ReturnType<typeof memberOf>>(membersInOrder, [directoryId, groupId], groupId, part, memberOf),
  }
}
