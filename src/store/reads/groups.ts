import type { DirectoryReads } from '../../directory/directory-store.ts'
import { firstMembers, manyMembers } from '../../directory/directory-store.ts'
import { decodeGroup, decodeListedGroup, groupColumns, listedGroupColumns } from '../groups.ts'
import type { Row } from '../row.ts'
import type { SqlDatabase } from '../sql-database.ts'
import { readEachKey, readOfKey } from '../sql-database.ts'
import type { ListTable } from './lists.ts'
import { countOfList, decodeInDirectory, decodeListRow, listStatements, numberIn, total } from './lists.ts'
import { createLookups } from './lookups.ts'
import {
  decodeGroupWithMembers,
  decodeMemberIds,
  decodeMembers,
  memberStatements,
  membersUpTo,
  withFewMembers,
} from './members.ts'
import { createListRead, createScopedRead } from './scoped.ts'

type GroupReads = Pick<
  DirectoryReads,
  | 'getGroup'
  | 'getGroupWithMembers'
  | 'findGroupInScope'
  | 'findGroupWithMembersInScope'
  | 'getGroups'
  | 'countGroups'
  | 'countMembers'
  | 'listGroups'
  | 'pageOfGroups'
  | 'listMembers'
  | 'listMemberIds'
>

/** Each group may come with all of its first members. */
const maxGroupsPerRead = 20

const decodeFewMembers = (row: Row) => withFewMembers(decodeListedGroup(row), decodeMembers(row))

/** Reads of groups and members. */
export function createGroupReads(database: SqlDatabase): GroupReads {
  const { query, queryAll, readOne, dialect } = database
  const { rowsWithin, isWithin } = createListRead(database)
  const tableOf = (columns: string): ListTable => ({ table: 'groups', alias: 'g', columns })
  const [groups, listed] = [tableOf(groupColumns), tableOf(listedGroupColumns)]
  const withMembers = tableOf(`${groupColumns}, ${membersUpTo(firstMembers, dialect)}`)
  const byId =
    ({ columns }: ListTable) =>
    (id: string) =>
      dialect.oneRow('groups', 'g', 'id', id, columns)
  const [group, groupsById] = [readOne(readOfKey(byId(groups))), readEachKey(database, byId(groups))]
  const groupWithMembers = readOne(readOfKey(byId(withMembers)), maxGroupsPerRead)
  const [inScope, withMembersInScope] = [createScopedRead(database, groups), createScopedRead(database, withMembers)]
  const totals = readEachKey(database, countOfList)
  const list = listStatements(dialect, listed)
  const listWithMembers = listStatements(
    dialect,
    tableOf(`${listedGroupColumns}, ${membersUpTo(manyMembers, dialect)}`),
  )
  const lookups = createLookups(database, listed)
  const [members, memberIds] = [memberStatements(dialect, 'members'), memberStatements(dialect, 'ids')]

  return {
    async getGroup(directoryId, id) {
      const row = await group([directoryId], id)
      return row && decodeGroup(row)
    },
    async getGroups(directoryId, ids) {
      const rows = await groupsById(directoryId, ids)
      return new Map(rows.flat().map((row) => [String(row['id']), decodeGroup(row)]))
    },
    async findGroupInScope(scope, id) {
      const row = await inScope(scope, id)
      return row && decodeInDirectory(row, decodeGroup)
    },
    async getGroupWithMembers(directoryId, id) {
      const row = await groupWithMembers([directoryId], id)
      return row && decodeGroupWithMembers(row)
    },
    async findGroupWithMembersInScope(scope, id) {
      const row = await withMembersInScope(scope, id)
      return row && decodeInDirectory(row, decodeGroupWithMembers)
    },
    countGroups: async (directoryId, where = []) =>
      where.length === 0 ? numberIn(await query(total(directoryId, 'groups'))) : lookups.count(directoryId, where),
    async countMembers(directoryId, groupIds) {
      const rows = await totals(directoryId, groupIds)
      return new Map(groupIds.map((id, index) => [id, numberIn(rows[index] ?? [])]))
    },
    async listGroups(directoryId, part) {
      const { where = [], within } = part
      if (where.length > 0 && !(await isWithin(within))) return []
      const rows =
        where.length > 0
          ? await lookups.find(directoryId, where, part)
          : await rowsWithin(within, list(directoryId, part))
      return rows.map((row) => decodeListRow(row, decodeListedGroup))
    },
    async pageOfGroups(directoryId, part, withMembers) {
      const page = withMembers ? listWithMembers(directoryId, part) : list(directoryId, part)
      const [rows = [], counted = []] = await queryAll([page, total(directoryId, 'groups')])
      const decode = withMembers ? decodeFewMembers : decodeListedGroup
      return { rows: rows.map((row) => decodeListRow(row, decode)), total: numberIn(counted) }
    },
    async listMembers(directoryId, groupId, part) {
      const [row] = await query(members(directoryId, groupId, part))
      return decodeMembers(row)
    },
    async listMemberIds(directoryId, groupId, part) {
      const [row] = await query(memberIds(directoryId, groupId, part))
      return decodeMemberIds(row)
    },
  }
}
