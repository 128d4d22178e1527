import type { ListedUser, UserEquality } from '../../directory/directory-store.ts'
import { firstGroups, manyGroups } from '../../directory/directory-store.ts'
import type { GroupReference } from '../../directory/group.ts'
import type { ListPart, ListRow } from '../../directory/list.ts'
import { fold } from '../../scim/fold.ts'
import { decodeInDirectory, decodeListRow } from '../lists.ts'
import type { Row } from '../row.ts'
import { integer, optionalText, text } from '../row.ts'
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
import type { ReadByKey } from './batched-reads.ts'
import { batchReads, keys, rowReads } from './batched-reads.ts'
import type { Database, Statement } from './database.ts'
import { total } from './list-counts.ts'
import type { ListStatements, ListTable } from './lists.ts'
import { listInAnyOrder, listInOrder, listPart } from './lists.ts'
import { countStatement, findStatement } from './lookups.ts'
import type { Reader } from './reader.ts'
import { withoutNulIds } from './reader.ts'
import { scopedReads } from './scoped-reads.ts'
import { rowBy } from './sql.ts'

/**
 * The first groups of the user whose id is an expression, as JSON; null when there is none. Whatever number of rows the planner
 * expects, it can only go from the member to its groups.
 */
export function groupsOf(userId: string, limit: number | string, directoryId = '$1'): string {
  return `
    select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.id)::text
    from (${groupIdsAfter(userId, "''", String(limit), directoryId)}) m
    ${rowBy('groups', 'g', 'id', 'm.group_id', 'g.id, g.name', directoryId)}`
}

/** The ids of the groups of a user, in their order, after one of them. As for `oneRow`, the range and the order leave one index. */
function groupIdsAfter(userId: string, after: string, limit: string, directoryId = '$1'): string {
  return `
    select m.group_id from members m
    where m.directory_id = ${directoryId} and m.member_id between ${userId} and ${userId} and m.member_id >= '' and (m.group_id || '') > ${after}
    order by m.member_id, m.group_id || '' limit ${limit}`
}

/** The groups that follow one of a user's. The limit is on the groups that exist: one may be deleted before its memberships are. */
const groupsAfter = `
  select g.id, g.name from (${groupIdsAfter('$2', '$3', '(select 1000000000)')}) m
  ${rowBy('groups', 'g', 'id', 'm.group_id', 'g.id, g.name')} limit $4`

const withGroupsColumn = `${foundUserColumns}, (${groupsOf('u.id', firstGroups)}) as groups`
const listedWithGroupsColumns = `${listedUserColumns}, (${groupsOf('u.id', manyGroups)}) as groups`
const byId = rowReads('users', 'u', 'id', userColumns)
const byName = rowReads('users', 'u', 'user_name_folded', listedWithGroupsColumns)
const withGroups = rowReads('users', 'u', 'id', withGroupsColumn)
const groupsOfKey = {
  one: `select (${groupsOf('$2', firstGroups)}) as groups`,
  many: `select k.n::int4, g.groups from ${keys} cross join lateral (${groupsOf('k.key', firstGroups)}) g (groups)`,
}

const byIds = `select ${userColumns} from unnest((select $2::text[])) as k (key) ${rowBy('users', 'u', 'id', 'k.key')}`

/** The ids of the groups of each user, separated by commas, and each of these groups once: many users share a group. */
const groupsOfMany = `
  with m as materialized (
    select m.member_id, m.group_id from unnest((select $2::text[])) as k (id)
    cross join lateral (
      select k.id as member_id, f.group_id from (${groupIdsAfter('k.id', "''", String(firstGroups))}) f) m
  )
  select member_id as id, string_agg(group_id, ',') as group_ids, null as name from m group by member_id
  union all
  select g.id, null, g.name from (select distinct group_id from m) k ${rowBy('groups', 'g', 'id', 'k.group_id')}`

const users: ListTable = { table: 'users', alias: 'u', columns: listedUserColumns }
const foundUsers: ListTable = { ...users, columns: listedWithGroupsColumns }
const usersInGroups: ListTable = {
  ...users,
  columns: `${userColumns}, (${groupsOf('u.id', firstGroups, 'u.directory_id')}) as groups`,
}
const listed = listInAnyOrder(users)

/**
 * The list of users with the ids of their first groups, separated by commas, and each of these groups once: many users share a
 * group. See `decodeUsersInGroups`.
 */
function listWithGroups(): ListStatements {
  const groupIds = groupIdsAfter('u.id', "''", String(manyGroups))
  const columns = `${listedUserColumns}, array_to_string(array(${groupIds}), ',') as group_ids, null as name`
  const { after, fromOffset } = listInOrder({ ...users, columns })
  const withGroupRows = (page: string) => `
    with page as materialized (${page})
    select * from page
    union all
    select g.id, null, null, null, null, null, null, null, null, null, null, null, null, g.name
    from (select distinct unnest(string_to_array(group_ids, ',')) as group_id from page) k
    ${rowBy('groups', 'g', 'id', 'k.group_id', 'g.id, g.name')}`
  return { after: withGroupRows(after), fromOffset: withGroupRows(fromOffset) }
}

const inOrderWithGroups = listWithGroups()

/** The users with the role `$2`, from the index of their positions. */
const withRole = `
  select ${listedUserColumns}, (${groupsOf('u.id', manyGroups)}) as groups
  from (
    select r.position, r.user_id from user_roles r
    where r.directory_id = $1 and r.role between $2 and $2 and r.position > $3
    order by r.role, r.position limit $4::int8 offset $5::int8
  ) r ${rowBy('users', 'u', 'id', 'r.user_id')} order by r.position`
const countWithRole = `
  select coalesce((select users from role_counts where directory_id = $1 and role = $2), 0) as n`

/** Reads of users on PostgreSQL. The reads of one user are the most frequent: they are batched. */
export function postgresUserReads(database: Database, reader: Reader): UserReads {
  const { rows, number, rowsAndNumber } = reader
  const [userById, userByName] = [batchReads(database, byId), batchReads(database, byName)]
  const userWithGroups = batchReads(database, withGroups)
  const userInScope = scopedReads(database, usersInGroups)

  /** The rows that meet equalities. That of one userName is batched. */
  function rowsThatMeet(directoryId: string, where: readonly UserEquality[], part: ListPart): Promise<Row[]> {
    const { from, limit } = part
    const [first, second] = where
    if (first?.attribute === 'userName' && second === undefined)
      return partOfOne(userByName, directoryId, fold(first.value), part)
    if (first?.attribute !== 'role') return rows(findStatement(foundUsers, directoryId, where, part))
    const [after, offset] = typeof from === 'number' ? [0, from] : [from.sequence, 0]
    return rows({ text: withRole, values: [directoryId, first.value, after, limit, offset] })
  }

  return {
    async getUser(directoryId, id) {
      const row = await userById(directoryId, id)
      return row && decodeUser(row)
    },
    async getUsers(directoryId, ids) {
      const found = (await rows({ text: byIds, values: [directoryId, withoutNulIds(ids)] })).map(decodeUser)
      return new Map(found.map((user) => [user.id, user]))
    },
    async getUserWithGroups(directoryId, id) {
      const row = await userWithGroups(directoryId, id)
      return row && decodeFoundUser(row)
    },
    async findUserInScope(scope, id) {
      const found = await userInScope(scope, id)
      return found && decodeInDirectory(found, decodeUserInGroups)
    },
    countUsers: (directoryId, where) => number(countOf(directoryId, where)),
    async listUsers(directoryId, part) {
      const { where = [], withGroups = false } = part
      if (where.length > 0) {
        const found = await rowsThatMeet(directoryId, where, part)
        return found.map((row) => decodeListRow(row, decodeListedUserWithGroups))
      }
      if (withGroups && part.order === undefined)
        return decodeUsersInGroups(await rows(listPart(inOrderWithGroups, [directoryId], part)))
      return (await rows(listed(directoryId, part))).map(decodeUserRow)
    },
    async pageOfUsers(directoryId, part, withGroups) {
      const page = withGroups ? listPart(inOrderWithGroups, [directoryId], part) : listed(directoryId, part)
      const [found, all] = await rowsAndNumber(page, total(directoryId, 'users'))
      return { rows: withGroups ? decodeUsersInGroups(found) : found.map(decodeUserRow), total: all }
    },
    groupsOfUsers: groupsOfUsers(database, rows),
    async listGroupsOfUser(directoryId, userId, after, limit) {
      const found = await rows({ text: groupsAfter, values: [directoryId, userId, after, limit] })
      return found.map((row) => ({ id: text(row, 'id'), name: text(row, 'name') }))
    },
  }
}

function countOf(directoryId: string, where: readonly UserEquality[] = []): Statement {
  const [first] = where
  if (first === undefined) return total(directoryId, 'users')
  if (first.attribute === 'role') return { text: countWithRole, values: [directoryId, first.value] }
  return countStatement(users, directoryId, where)
}

/** The part of a list that has at most one row. */
async function partOfOne(read: ReadByKey, directoryId: string, key: string, { from, limit }: ListPart): Promise<Row[]> {
  if (limit === 0 || (typeof from === 'number' && from > 0)) return []
  const row = await read(directoryId, key)
  const isInPart = row !== undefined && (typeof from === 'number' || integer(row, 'sequence') > from.sequence)
  return isInPart ? [row] : []
}

function groupsOfUsers(database: Database, rows: Reader['rows']): UserReads['groupsOfUsers'] {
  const groupsOfOne = batchReads(database, groupsOfKey)
  return async (directoryId, userIds) => {
    const [first, second] = userIds
    if (first !== undefined && second === undefined) {
      const groups = decodeGroupReferences((await groupsOfOne(directoryId, first)) ?? {})
      return new Map(groups.length === 0 ? [] : [[first, groups]])
    }
    return groupsByUser(await rows({ text: groupsOfMany, values: [directoryId, withoutNulIds(userIds)] }))
  }
}

const decodeUserRow = (row: Row): ListRow<ListedUser> => decodeListRow(row, decodeListedUser)

/** Decodes the rows of `listWithGroups`. A union has no order of its own. */
function decodeUsersInGroups(rows: readonly Row[]): ListRow<ListedUser>[] {
  const users = rows.filter((row) => !isGroup(row)).map(decodeUserRow)
  users.sort((one, other) => one.position.sequence - other.position.sequence)
  return inTheirGroups(users, groupsByUser(rows))
}

/** Only rows of groups have the name of one. */
const isGroup = (row: Row): boolean => optionalText(row, 'name') !== undefined

/**
 * The groups of users by user id, from rows of users with the ids of their groups and rows of those groups. A group may be
 * deleted a moment before its memberships are.
 */
function groupsByUser(rows: readonly Row[]): Map<string, GroupReference[]> {
  const groups = rows.filter(isGroup).map((row) => ({ id: text(row, 'id'), name: text(row, 'name') }))
  const byId = new Map(groups.map((group) => [group.id, group]))
  const users = rows.filter((row) => !isGroup(row))
  return new Map(
    users.map((row) => {
      const ids = text(row, 'group_ids').split(',').sort()
      return [text(row, 'id'), ids.map((id) => byId.get(id)).filter((group) => group !== undefined)]
    }),
  )
}
