import type { DatabaseSync } from 'node:sqlite'
import type { ListedUser } from '../../directory/directory-store.ts'
import { firstGroups, manyGroups } from '../../directory/directory-store.ts'
import type { GroupReference } from '../../directory/group.ts'
import type { ListPart, ListRow } from '../../directory/list.ts'
import { decodeListRow } from '../lists.ts'
import { userConditions } from '../lookup-conditions.ts'
import type { Row } from '../row.ts'
import { integer, text } from '../row.ts'
import type { UserReads } from '../users.ts'
import {
  decodeFoundUser,
  decodeGroupReferences,
  decodeListedUser,
  decodeListedUserWithGroups,
  decodeUser,
  decodeUserInGroups,
  foundUserColumns,
  inTheirGroups,
  listedUserColumns,
  userColumns,
} from '../users.ts'
import type { ListCounts } from './list-counts.ts'
import { createList } from './lists.ts'
import { createLookups } from './lookups.ts'
import { isVisible } from './members.ts'
import { sequenceBits } from './row-key.ts'
import { createScopedRead } from './scoped-reads.ts'

/**
 * The first groups of the user `u` as JSON. Most users are looked up before they are in a group: then null, which is
 * cheaper.
 */
export const userGroups = (limit: number): string => `case when exists (
    select 1 from members m indexed by members_by_member
    where m.directory_id = u.directory_id and m.member_id = u.id)
  then (select json_group_array(json_object('id', id, 'name', name)) from (
    select g.id, g.name ${groupsOf('u.directory_id', 'u.id')} order by m.group_id limit ${limit})) end as groups`

/** The groups `g` of a user, in which it is the member `m`. */
function groupsOf(directoryId: string, userId: string): string {
  return `from members m indexed by members_by_member
    cross join groups g on g.directory_id = m.directory_id and g.id = m.group_id
    where m.directory_id = ${directoryId} and m.member_id = ${userId} and ${isVisible}`
}

/** Most addresses are the userName of their user and have no row of their own. */
const byEmail = `u.id in (
  select e.user_id from user_emails e where e.directory_id = ?1 and e.email = ?
  union all
  select n.id from users n where n.directory_id = ?1 and n.user_name_folded = ? and n.name_is_email = 1)`

const byAnyEmail = byEmail.replace('n.name_is_email = 1', '(n.name_is_email = 1 or n.email = n.user_name)')

/** The members of a deleted group may be left for a moment. */
const ofGroup = `u.id in (
  select m.member_id from members m
  where m.directory_id = ?1 and m.group_id = (select g.id from groups g where g.directory_id = ?1 and g.id = ?)
    and ${isVisible})`

/** Reads of users on SQLite. */
export function sqliteUserReads(db: DatabaseSync, counts: ListCounts): UserReads {
  const byId = db.prepare(`select ${userColumns} from users u where u.directory_id = ? and u.id = ?`)
  const byIds = db.prepare(`
    select ${userColumns} from json_each(?2) k cross join users u on u.directory_id = ?1 and u.id = k.value`)
  const withGroups = db.prepare(
    `select ${foundUserColumns}, ${userGroups(firstGroups)} from users u where u.directory_id = ? and u.id = ?`,
  )
  const listed = { table: 'users u', columns: listedUserColumns, decode: decodeListedUser } as const
  const list = createList(db, counts, listed)
  const pageWithGroups = (directoryId: string, part: ListPart): ListRow<ListedUser>[] => {
    const rows = list(directoryId, part)
    const ids = rows.map(({ item }) => item.id)
    return rows.length === 0 ? rows : inTheirGroups(rows, fewGroupsOfUsers(directoryId, ids))
  }
  const inScope = createScopedRead(db, {
    table: 'users u',
    columns: `${userColumns}, ${userGroups(firstGroups)}`,
    decode: decodeUserInGroups,
  })
  const lookups = createLookups(db, {
    table: 'users u',
    columns: `${listedUserColumns}, ${userGroups(manyGroups)}`,
    conditionsOf: userConditions({ byEmail, byAnyEmail, ofGroup }),
    decode: decodeListedUserWithGroups,
  })

  const withRole = db.prepare(`
    select ${listedUserColumns}, ${userGroups(manyGroups)} from user_roles r
    cross join users u on u.row_key = (select s.number << ${sequenceBits} from directory_state s where s.directory_id = ?1) + r.position
    where r.directory_id = ?1 and r.role = ?2 and r.position > ?3 order by r.position limit ?4 offset ?5`)
  const countWithRole = db.prepare('select users from role_counts where directory_id = ? and role = ?')
  const groupsOfUsers = createGroupsOfUsers(db, firstGroups)
  const fewGroupsOfUsers = createGroupsOfUsers(db, manyGroups)
  const groupsAfter = db.prepare(`
    select g.id, g.name ${groupsOf('?1', '?2')} and m.group_id > ?3 order by m.group_id limit ?4`)

  return {
    async getUser(directoryId, id) {
      const row = byId.get(directoryId, id)
      return row && decodeUser(row)
    },
    async getUsers(directoryId, ids) {
      const users = byIds.all(directoryId, JSON.stringify(ids)).map(decodeUser)
      return new Map(users.map((user) => [user.id, user]))
    },
    async getUserWithGroups(directoryId, id) {
      const row = withGroups.get(directoryId, id)
      return row && decodeFoundUser(row)
    },
    findUserInScope: async (scope, id) => inScope(scope, id),
    async countUsers(directoryId, where = []) {
      const [first] = where
      if (first === undefined) return counts.total(directoryId, 'users')
      if (first.attribute !== 'role') return lookups.count(directoryId, where)
      return integer(countWithRole.get(directoryId, first.value) ?? { users: 0 }, 'users')
    },
    async listUsers(directoryId, part) {
      const { where = [], from, limit, withGroups = false } = part
      const [first] = where
      if (first === undefined)
        return withGroups && part.order === undefined ? pageWithGroups(directoryId, part) : list(directoryId, part)
      if (first.attribute !== 'role') return lookups.find(directoryId, where, part)
      const [after, offset] = typeof from === 'number' ? [0, from] : [from.sequence, 0]
      const rows = withRole.all(directoryId, first.value, after, limit, offset)
      return rows.map((row) => decodeListRow(row, decodeListedUserWithGroups))
    },
    async pageOfUsers(directoryId, part, withGroups) {
      const rows = withGroups ? pageWithGroups(directoryId, part) : list(directoryId, part)
      return { rows, total: counts.total(directoryId, 'users') }
    },
    groupsOfUsers: async (directoryId, ids) => groupsOfUsers(directoryId, ids),
    listGroupsOfUser: async (directoryId, userId, after, limit) =>
      groupsAfter.all(directoryId, userId, after, limit).map(decodeGroupReference),
  }
}

function createGroupsOfUsers(db: DatabaseSync, limit: number) {
  const ofOne = db.prepare(`select g.id, g.name ${groupsOf('?1', '?2')} order by m.group_id limit ${limit}`)
  const ofMany = db.prepare(`
    select u.id, ${userGroups(limit)} from (select ?1 as directory_id, k.value as id from json_each(?2) k) u`)
  return (directoryId: string, userIds: readonly string[]): Map<string, GroupReference[]> => {
    const [first, second] = userIds
    if (first !== undefined && second === undefined) {
      const groups = ofOne.all(directoryId, first).map(decodeGroupReference)
      return new Map(groups.length === 0 ? [] : [[first, groups]])
    }
    const rows = ofMany.all(directoryId, JSON.stringify(userIds))
    const found = rows.map((row) => [text(row, 'id'), decodeGroupReferences(row)] as const)
    return new Map(found.filter(([, groups]) => groups.length > 0))
  }
}

function decodeGroupReference(row: Row): GroupReference {
  return { id: text(row, 'id'), name: text(row, 'name') }
}
