import type { DatabaseSync } from 'node:sqlite'
import type { Group, GroupReference } from '../../directory/group.ts'
import type { DirectoryReads, FoundUser, Listed, ListPosition } from '../../directory/store.ts'
import type { User } from '../../directory/user.ts'
import type { ListName } from '../list-buckets.ts'
import { groupConditions, userConditions } from '../lookup-conditions.ts'
import type { FoundUserRow, GroupRow, UserRow } from '../resource-rows.ts'
import {
  foundUserOf,
  groupColumns,
  groupOf,
  groupReferences,
  memberOf,
  shownUserColumns,
  userColumns,
  userOf,
} from '../resource-rows.ts'
import type { ListCounts } from './list-counts.ts'
import { listByName } from './lists-by-name.ts'
import { createLookUps, placed } from './lookups.ts'
import { rowKeysAfter } from './row-key.ts'

interface Row {
  readonly id: string
  readonly sequence: number
}

interface Start extends ListPosition {
  readonly skip: number
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
  const usersById = db.prepare(`
    select ${userColumns} from json_each(?2) k cross join users u on u.directory_id = ?1 and u.id = k.value`)
  const userWithGroups = db.prepare(
    `select ${shownUserColumns}, ${userGroups} from users u where u.directory_id = ? and u.id = ?`,
  )
  const groupById = db.prepare(`select ${groupColumns} from groups g where g.directory_id = ? and g.id = ?`)
  const groupsById = db.prepare(`
    select ${groupColumns} from json_each(?2) k cross join groups g on g.directory_id = ?1 and g.id = k.value`)
  const usersInOrder = db.prepare(`
    select ${userColumns} from users u where ${rowKeysAfter('u.row_key', '?2')}
    order by u.row_key limit ?3 offset ?4`)
  const groupsInOrder = db.prepare(`
    select ${groupColumns} from groups g where ${rowKeysAfter('g.row_key', '?2')}
    order by g.row_key limit ?3 offset ?4`)
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

  const foundUsers = createLookUps<FoundUserRow, FoundUser>(db, {
    table: 'users u',
    columns: `${shownUserColumns}, ${userGroups}`,
    conditionsOf: userConditions(byEmail),
    itemOf: foundUserOf,
  })
  const foundGroups = createLookUps<GroupRow, Group>(db, {
    table: 'groups g',
    columns: groupColumns,
    conditionsOf: groupConditions(),
    itemOf: groupOf,
  })

  const usersByName = listByName<UserRow, User>(db, {
    table: 'users u',
    columns: userColumns,
    name: 'u.user_name_folded',
    itemOf: userOf,
  })
  const groupsByName = listByName<GroupRow, Group>(db, {
    table: 'groups g',
    columns: groupColumns,
    name: 'g.name_folded',
    itemOf: groupOf,
  })

  /** Turns an offset into a place near it and the rows to skip from there. */
  function start(directoryId: string, list: ListName, from: ListPosition | number): Start | undefined {
    if (typeof from !== 'number') return { ...from, skip: 0 }
    const located = counts.locate(directoryId, list, from)
    return located === undefined ? undefined : { sequence: located.sequence - 1, id: '\u{10FFFF}', skip: located.skip }
  }

  /** Reads the part of a list that begins at a start. */
  function page<R extends Row, T>(start: Start | undefined, read: (start: Start) => unknown[], itemOf: (row: R) => T) {
    if (start === undefined) return []
    return (read(start) as R[]).map((row): Listed<T> => placed(row, itemOf))
  }

  return {
    async getUser(directoryId, id) {
      const row = userById.get(directoryId, id)
      return row === undefined ? undefined : userOf(row as unknown as UserRow)
    },
    async getUsers(directoryId, ids) {
      const rows = usersById.all(directoryId, JSON.stringify(ids)) as unknown as UserRow[]
      return new Map(rows.map((row) => [row.id, userOf(row)]))
    },
    async getUserWithGroups(directoryId, id) {
      const row = userWithGroups.get(directoryId, id) as unknown as FoundUserRow | undefined
      return row === undefined ? undefined : foundUserOf(row)
    },
    countUsers: async (directoryId) => counts.total(directoryId, 'users'),
    listUsers: async (directoryId, { from, limit }) =>
      page(
        start(directoryId, 'users', from),
        ({ sequence, skip }) => usersInOrder.all(directoryId, sequence, limit, skip),
        userOf,
      ),
    listUsersByName: async (directoryId, part) => usersByName(directoryId, part),
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
    async getGroups(directoryId, ids) {
      const rows = groupsById.all(directoryId, JSON.stringify(ids)) as unknown as GroupRow[]
      return new Map(rows.map((row) => [row.id, groupOf(row)]))
    },
    countGroups: async (directoryId) => counts.total(directoryId, 'groups'),
    listGroups: async (directoryId, { from, limit }) =>
      page(
        start(directoryId, 'groups', from),
        ({ sequence, skip }) => groupsInOrder.all(directoryId, sequence, limit, skip),
        groupOf,
      ),
    listGroupsByName: async (directoryId, part) => groupsByName(directoryId, part),
    findGroups: async (directoryId, equalities, part) => foundGroups.find(directoryId, equalities, part),
    countFoundGroups: async (directoryId, equalities) => foundGroups.count(directoryId, equalities),
    listMembers: async (directoryId, groupId, { from, limit }) =>
      page(
        start(directoryId, groupId, from),
        ({ sequence, id, skip }) => membersInOrder.all(directoryId, groupId, sequence, id, limit, skip),
        memberOf,
      ),
  }
}
