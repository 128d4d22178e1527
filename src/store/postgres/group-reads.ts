import type { ListedGroup } from '../../directory/directory-store.ts'
import { firstMembers, manyMembers } from '../../directory/directory-store.ts'
import type { ListRow } from '../../directory/list.ts'
import type { GroupReads } from '../groups.ts'
import { decodeGroup, decodeListedGroup, groupColumns, listedGroupColumns } from '../groups.ts'
import { decodeInDirectory, decodeListRow } from '../lists.ts'
import { decodeGroupWithMembers, decodeMemberIds, decodeMembers, withFewMembers } from '../members.ts'
import type { Row } from '../row.ts'
import { integer, text } from '../row.ts'
import { batchReads, rowReads } from './batched-reads.ts'
import type { Database } from './database.ts'
import { bucketAt, total, totals } from './list-counts.ts'
import type { ListStatements, ListTable } from './lists.ts'
import { listInAnyOrder, listInOrder, listPart } from './lists.ts'
import { countStatement, findStatement } from './lookups.ts'
import { memberIdsColumn, membersColumn } from './member-columns.ts'
import type { Reader } from './reader.ts'
import { withoutNulIds } from './reader.ts'
import { scopedReads } from './scoped-reads.ts'
import { oneRow, rowBy } from './sql.ts'

const byId = `
${oneRow('groups', 'g', 'id', '$2', groupColumns)}`

const byIds = `
  select ${groupColumns} from unnest((select $2::text[])) as k (key) ${rowBy('groups', 'g', 'id', 'k.key')}`

const groups: ListTable = { table: 'groups', alias: 'g', columns: groupColumns }
const listedGroups: ListTable = { ...groups, columns: listedGroupColumns }
const listed = listInAnyOrder(listedGroups)
const decodeGroupRow = (row: Row): ListRow<ListedGroup> => decodeListRow(row, decodeListedGroup)

/** Returns rows in the order of the list, whose index is on this expression. */
const memberRows = `select member_id, member_type, sequence from members
  where directory_id = $1 and group_id || '' = $2 and sequence >= 0`

/** A column with the first members of the group `g`. */
const membersUpTo = (limit: number) => `
  (select ${membersColumn('g.directory_id')} from (
    select member_id, member_type, sequence from members
    where directory_id = g.directory_id and group_id || '' = g.id and sequence >= 0 order by sequence, member_id limit ${limit}
  ) m) as members`

const groupsWithMembers: ListTable = { ...groups, columns: `${groupColumns}, ${membersUpTo(firstMembers)}` }
const inOrderWithMembers = listInOrder({ ...groups, columns: `${listedGroupColumns}, ${membersUpTo(manyMembers)}` })
const withMembers = rowReads('groups', 'g', 'id', groupsWithMembers.columns)

/** Each group may come with all of its first members. */
const maxGroupsPerRead = 20

/** The members of a group, whose id is the second parameter, as one column. */
const membersAs = (column: string): ListStatements => ({
  after: `
    select ${column} as members from (
      ${memberRows} and (sequence, member_id) > ($3, $4) order by sequence, member_id limit $5
    ) m`,
  fromOffset: `
    with bucket as materialized (${bucketAt('$2', '$3::int8')})
    select ${column} as members from (
      ${memberRows} and sequence >= (select sequence from bucket)
      order by sequence, member_id limit $4 offset $3::int8 - (select before from bucket)
    ) m`,
})

const [members, memberIds] = [membersAs(membersColumn('$1')), membersAs(memberIdsColumn)]

/** Reads of groups and members on PostgreSQL. The reads of one group are batched. */
export function postgresGroupReads(database: Database, reader: Reader): GroupReads {
  const { rows, row, number, rowsAndNumber } = reader
  const groupWithMembers = batchReads(database, withMembers, maxGroupsPerRead)
  const [groupInScope, withMembersInScope] = [scopedReads(database, groups), scopedReads(database, groupsWithMembers)]
  return {
    async getGroup(directoryId, id) {
      const found = await row({ text: byId, values: [directoryId, id] })
      return found && decodeGroup(found)
    },
    async getGroups(directoryId, ids) {
      const found = (await rows({ text: byIds, values: [directoryId, withoutNulIds(ids)] })).map(decodeGroup)
      return new Map(found.map((group) => [group.id, group]))
    },
    async findGroupInScope(scope, id) {
      const found = await groupInScope(scope, id)
      return found && decodeInDirectory(found, decodeGroup)
    },
    async getGroupWithMembers(directoryId, id) {
      const found = await groupWithMembers(directoryId, id)
      return found && decodeGroupWithMembers(found)
    },
    async findGroupWithMembersInScope(scope, id) {
      const found = await withMembersInScope(scope, id)
      return found && decodeInDirectory(found, decodeGroupWithMembers)
    },
    countGroups: (directoryId, where = []) =>
      number(where.length === 0 ? total(directoryId, 'groups') : countStatement(groups, directoryId, where)),
    async countMembers(directoryId, groupIds) {
      const found = await rows({ text: totals, values: [directoryId, withoutNulIds(groupIds)] })
      return new Map(found.map((one) => [text(one, 'list_name'), integer(one, 'n')]))
    },
    async listGroups(directoryId, part) {
      const { where = [] } = part
      const statement =
        where.length === 0 ? listed(directoryId, part) : findStatement(listedGroups, directoryId, where, part)
      return (await rows(statement)).map(decodeGroupRow)
    },
    async pageOfGroups(directoryId, part, withMembers) {
      const page = withMembers ? listPart(inOrderWithMembers, [directoryId], part) : listed(directoryId, part)
      const [found, all] = await rowsAndNumber(page, total(directoryId, 'groups'))
      const decode = withMembers
        ? (row: Row) => withFewMembers(decodeListedGroup(row), decodeMembers(row))
        : decodeListedGroup
      return { rows: found.map((row) => decodeListRow(row, decode)), total: all }
    },
    async listMembers(directoryId, groupId, part) {
      return decodeMembers(await row(listPart(members, [directoryId, groupId], part)))
    },
    async listMemberIds(directoryId, groupId, part) {
      return decodeMemberIds(await row(listPart(memberIds, [directoryId, groupId], part)))
    },
  }
}
