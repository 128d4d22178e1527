import type { DirectoryReads, ListedUser, UserEquality } from '../../directory/directory-store.ts'
import { firstGroups, manyGroups } from '../../directory/directory-store.ts'
import type { ListPart, ListRow } from '../../directory/list.ts'
import { fold } from '../../scim/fold.ts'
import type { Row } from '../row.ts'
import { integer, optionalText, text } from '../row.ts'
import type { Dialect, SqlDatabase } from '../sql-database.ts'
import { noLimit, readEachKey, readOfKey } from '../sql-database.ts'
import {
  decodeFoundUser,
  decodeGroupReferences,
  decodeListedUser,
  decodeListedUserWithGroups,
  decodeUser,
  decodeUserInGroups,
  foundUserColumns,
  listedUserColumns,
  userColumns,
} from '../users.ts'
import type { ListTable } from './lists.ts'
import { decodeInDirectory, decodeListRow, listStatements, numberIn, total } from './lists.ts'
import { createLookups, partOfOne } from './lookups.ts'
import { createListRead, createScopedRead } from './scoped.ts'

type UserReads = Pick<
  DirectoryReads,
  | 'getUser'
  | 'findUserInScope'
  | 'getUsers'
  | 'getUserWithGroups'
  | 'countUsers'
  | 'listUsers'
  | 'listUserIds'
  | 'pageOfUsers'
  | 'groupsOfUsers'
  | 'listGroupsOfUser'
>

/** The ids of the groups of a user, in their order, after one of them. */
function groupIdsOf(
  dialect: Dialect,
  userId: string,
  limit: number | string,
  directoryId: string,
  after = "''",
): string {
  const { equals, indexed, indexedBy, apart, isVisible } = dialect
  const [memberId, groupId] = [equals('m.member_id', userId), apart('m.group_id')]
  return `
    select m.group_id from members m ${indexedBy('members_by_member')}
    where m.directory_id = ${directoryId} and ${memberId}${indexed('m', 'member_id')} and ${groupId} > ${after}${isVisible}
    order by m.member_id, ${groupId} limit ${limit}`
}

/** The first groups of a user as JSON, as a query of one value: see `decodeGroupReferences`. */
export function groupsOf(dialect: Dialect, userId: string, limit: number | string, directoryId = '$1'): string {
  const { rowBy, jsonArray } = dialect
  return `
    select ${jsonArray(`g.id || ' ' || g.name`)}
    from (${groupIdsOf(dialect, userId, limit, directoryId)}) joined
    ${rowBy('groups', 'g', 'id', 'joined.group_id', 'g.id, g.name', directoryId)}`
}

/** The ids of the groups of a listed user as JSON, as a query of one value. */
function listedGroupIds(dialect: Dialect): string {
  return `select ${dialect.jsonArray('joined.group_id')} from (${groupIdsOf(dialect, 'u.id', manyGroups, '$1')}) joined`
}

/** Reads of users. */
export function createUserReads(database: SqlDatabase): UserReads {
  const { query, queryAll, readOne, dialect } = database
  const { oneRow, rowBy, equals } = dialect
  const withGroups = (columns: string, limit: number, directoryId?: string) =>
    `${columns}, (${groupsOf(dialect, 'u.id', limit, directoryId)}) as groups`
  const tableOf = (columns: string): ListTable => ({ table: 'users', alias: 'u', columns })
  const readBy = (column: string, columns: string) => readOfKey((key) => oneRow('users', 'u', column, key, columns))
  const { rowsWithin, isWithin } = createListRead(database)
  const listedColumns = withGroups(listedUserColumns, manyGroups)

  const user = readOne(readBy('id', userColumns))
  const usersById = readEachKey(database, (id) => oneRow('users', 'u', 'id', id, userColumns))
  const userInGroups = readOne(readBy('id', withGroups(foundUserColumns, firstGroups)))
  const userByName = readOne(readBy('user_name_folded', listedColumns))
  const userInScope = createScopedRead(database, tableOf(withGroups(userColumns, firstGroups, 'u.directory_id')))
  const list = listStatements(dialect, tableOf(listedUserColumns))
  const listIds = listStatements(dialect, tableOf('u.id, u.sequence'))
  const listInGroups = listStatements(
    dialect,
    tableOf(`${listedUserColumns}, (${listedGroupIds(dialect)}) as group_ids`),
  )
  const lookups = createLookups(database, tableOf(listedColumns))
  const groupNames = readEachKey(database, (id) => oneRow('groups', 'g', 'id', id, 'g.id, g.name'))
  const groupsOfEach = readEachKey(database, (id) => `select (${groupsOf(dialect, id, firstGroups)}) as groups`)

  /** The users with the role `$2`, from the index of their positions. */
  const withRole = `
    select ${listedColumns} from (
      select r.position, r.user_id from user_roles r
      where r.directory_id = $1 and ${equals('r.role', '$2')} and r.position > $3
      order by r.role, r.position limit $4 offset $5
    ) r ${rowBy('users', 'u', 'id', 'r.user_id')} order by r.position`
  const countWithRole = 'select users as n from role_counts where directory_id = $1 and role = $2'
  /** The limit is on the groups that exist: one may be deleted before its memberships are. */
  const groupsAfter = `
    select g.id, g.name from (${groupIdsOf(dialect, '$2', noLimit, '$1', '$3')}) joined
    ${rowBy('groups', 'g', 'id', 'joined.group_id', 'g.id, g.name')} limit $4`

  /** The rows that meet equalities. That of one userName is read as by its key. */
  async function rowsThatMeet(directoryId: string, where: readonly UserEquality[], part: ListPart): Promise<Row[]> {
    const { from, limit } = part
    const [first, second] = where
    if (first?.attribute === 'userName' && second === undefined)
      return partOfOne(await userByName([directoryId], fold(first.value)), part)
    if (first?.attribute !== 'role') return lookups.find(directoryId, where, part)
    const [after, offset] = typeof from === 'number' ? [0, from] : [from.sequence, 0]
    return query({ text: withRole, values: [directoryId, first.value, after, limit, offset] })
  }

  /** Decodes the rows of a list. The name of a group, which many of the users share, is read once. */
  async function decodeInGroups(directoryId: string, rows: readonly Row[]): Promise<ListRow<ListedUser>[]> {
    const idsOf = new Map(rows.map((row) => [row, fewGroupIds(row)]))
    const ids = new Set([...idsOf.values()].flatMap((few) => few ?? []))
    const found = await groupNames(directoryId, [...ids])
    const byId = new Map(found.flat().map((row) => [text(row, 'id'), { id: text(row, 'id'), name: text(row, 'name') }]))
    const groupsOfRow = (row: Row) => idsOf.get(row)?.flatMap((id) => byId.get(id) ?? [])
    return rows.map((row) => decodeListRow(row, () => ({ ...decodeListedUser(row), groups: groupsOfRow(row) })))
  }

  return {
    async getUser(directoryId, id) {
      const row = await user([directoryId], id)
      return row && decodeUser(row)
    },
    async getUsers(directoryId, ids) {
      const rows = await usersById(directoryId, ids)
      return new Map(rows.flat().map((row) => [text(row, 'id'), decodeUser(row)]))
    },
    async getUserWithGroups(directoryId, id) {
      const row = await userInGroups([directoryId], id)
      return row && decodeFoundUser(row)
    },
    async findUserInScope(scope, id) {
      const row = await userInScope(scope, id)
      return row && decodeInDirectory(row, decodeUserInGroups)
    },
    async countUsers(directoryId, where = []) {
      const [first] = where
      if (first === undefined) return numberIn(await query(total(directoryId, 'users')))
      // Those who are not active are fewer, and have an index.
      if (where.length === 1 && first.attribute === 'active' && first.value === true)
        return (await this.countUsers(directoryId)) - (await lookups.count(directoryId, [{ ...first, value: false }]))
      if (first.attribute !== 'role') return lookups.count(directoryId, where)
      return numberIn(await query({ text: countWithRole, values: [directoryId, first.value] }))
    },
    async listUsers(directoryId, part) {
      const { where = [], withGroups = false, within } = part
      if (where.length > 0) {
        if (!(await isWithin(within))) return []
        const rows = await rowsThatMeet(directoryId, where, part)
        return rows.map((row) => decodeListRow(row, decodeListedUserWithGroups))
      }
      const rows = await rowsWithin(within, (withGroups ? listInGroups : list)(directoryId, part))
      if (withGroups) return decodeInGroups(directoryId, rows)
      return rows.map((row) => decodeListRow(row, decodeListedUser))
    },
    async listUserIds(directoryId, part) {
      const rows = await query(listIds(directoryId, part))
      return rows.map((row) => ({ sequence: integer(row, 'sequence'), id: text(row, 'id') }))
    },
    async pageOfUsers(directoryId, part, withGroups) {
      const page = (withGroups ? listInGroups : list)(directoryId, part)
      const [rows = [], counted = []] = await queryAll([page, total(directoryId, 'users')])
      const users = withGroups
        ? await decodeInGroups(directoryId, rows)
        : rows.map((row) => decodeListRow(row, decodeListedUser))
      return { rows: users, total: numberIn(counted) }
    },
    async groupsOfUsers(directoryId, userIds) {
      const rows = await groupsOfEach(directoryId, userIds)
      const groups = userIds.map((id, index) => [id, decodeGroupReferences(rows[index]?.[0] ?? {})] as const)
      return new Map(groups.filter(([, found]) => found.length > 0))
    },
    async listGroupsOfUser(directoryId, userId, after, limit) {
      const rows = await query({ text: groupsAfter, values: [directoryId, userId, after, limit] })
      return rows.map((row) => ({ id: text(row, 'id'), name: text(row, 'name') }))
    },
  }
}

/** The ids of the groups of a listed user; undefined when they are many. */
function fewGroupIds(row: Row): readonly string[] | undefined {
  const ids: string[] = JSON.parse(optionalText(row, 'group_ids') ?? '[]')
  return ids.length < manyGroups ? ids : undefined
}
