import type { DatabaseSync } from 'node:sqlite'
import type { GroupWithMembers, ListedGroup, MemberId } from '../../directory/directory-store.ts'
import { firstMembers, manyMembers } from '../../directory/directory-store.ts'
import type { Group, Member } from '../../directory/group.ts'
import type { ListPart, ListRow } from '../../directory/list.ts'
import { listStart } from '../../directory/list.ts'
import type { StoredResource } from '../../directory/resource.ts'
import type { GroupReads } from '../groups.ts'
import { decodeGroup, decodeListedGroup, groupColumns, listedGroupColumns } from '../groups.ts'
import { groupConditions } from '../lookup-conditions.ts'
import { decodeMemberIds, decodeMembers, memberLines, withFewMembers } from '../members.ts'
import type { Row } from '../row.ts'
import type { ListCounts } from './list-counts.ts'
import { createList, startOf } from './lists.ts'
import { createLookups } from './lookups.ts'
import { isVisible } from './members.ts'
import { createScopedRead } from './scoped-reads.ts'

const withMember = `g.id in (
  select m.group_id from members m where m.directory_id = ?1 and m.member_id = ? and ${isVisible})`

/** Reads of groups and members on SQLite. */
export function sqliteGroupReads(db: DatabaseSync, counts: ListCounts): GroupReads {
  const byId = db.prepare(`select ${groupColumns} from groups g where g.directory_id = ? and g.id = ?`)
  const byIds = db.prepare(`
    select ${groupColumns} from json_each(?2) k cross join groups g on g.directory_id = ?1 and g.id = k.value`)
  const groups = { table: 'groups g', columns: groupColumns, decode: decodeGroup } as const
  const listed = { ...groups, columns: listedGroupColumns, decode: decodeListedGroup }
  const list = createList(db, counts, listed)
  const inScope = createScopedRead(db, groups)
  const { members, memberIds } = createMemberLists(db, counts)
  const membersUpTo = (limit: number, directoryId: string, { id }: Pick<StoredResource, 'id'>) =>
    members(directoryId, id, { from: listStart, limit })
  const withMembers = (directoryId: string, group: Group): GroupWithMembers => ({
    group,
    members: membersUpTo(firstMembers, directoryId, group),
  })
  const lookups = createLookups(db, { ...listed, conditionsOf: groupConditions(withMember) })

  return {
    async getGroup(directoryId, id) {
      const row = byId.get(directoryId, id)
      return row && decodeGroup(row)
    },
    async getGroups(directoryId, ids) {
      const found = byIds.all(directoryId, JSON.stringify(ids)).map(decodeGroup)
      return new Map(found.map((group) => [group.id, group]))
    },
    findGroupInScope: async (scope, id) => inScope(scope, id),
    async getGroupWithMembers(directoryId, id) {
      const row = byId.get(directoryId, id)
      return row && withMembers(directoryId, decodeGroup(row))
    },
    async findGroupWithMembersInScope(scope, id) {
      const found = inScope(scope, id)
      return found && { ...found, found: withMembers(found.directory.id, found.found) }
    },
    countGroups: async (directoryId, where = []) =>
      where.length === 0 ? counts.total(directoryId, 'groups') : lookups.count(directoryId, where),
    countMembers: async (directoryId, groupIds) => new Map(groupIds.map((id) => [id, counts.total(directoryId, id)])),
    listGroups: async (directoryId, part) =>
      part.where?.length ? lookups.find(directoryId, part.where, part) : list(directoryId, part),
    async pageOfGroups(directoryId, part, withMembers) {
      const [rows, total] = [list(directoryId, part), counts.total(directoryId, 'groups')]
      if (!withMembers) return { rows, total }
      const few = (group: ListedGroup) => withFewMembers(group, membersUpTo(manyMembers, directoryId, group))
      return { rows: rows.map(({ position, item }) => ({ position, item: few(item) })), total }
    },
    listMembers: async (directoryId, groupId, part) => members(directoryId, groupId, part),
    listMemberIds: async (directoryId, groupId, part) => memberIds(directoryId, groupId, part),
  }
}

/** The lists of members: with their names, and without. */
function createMemberLists(db: DatabaseSync, counts: ListCounts) {
  const withNames = `
    left join users u on u.directory_id = m.directory_id and u.id = m.member_id
    left join groups g on g.directory_id = m.directory_id and g.id = m.member_id and m.member_type = 'Group'`
  const ids = memberLines.map((column) => `group_concat(page.${column}, ',')`).join(' || char(10) || ')
  const createMemberList = <T>(names: string, display: string, joins: string, decode: (row?: Row) => ListRow<T>[]) => {
    const page = db.prepare(`
      select ${ids} ${names} as members from (
        select m.member_id, m.sequence, m.member_type ${display} from members m ${joins}
        where m.directory_id = ? and m.group_id = ? and (m.sequence, m.member_id) > (?, ?) and ${isVisible}
          and exists (select 1 from groups o where o.directory_id = ? and o.id = ?)
        order by m.sequence, m.member_id limit ? offset ?
      ) page`)
    return (directoryId: string, groupId: string, { from, limit }: ListPart): ListRow<T>[] => {
      const start = startOf(counts, directoryId, groupId, from)
      if (start === undefined) return []
      return decode(page.get(directoryId, groupId, start.sequence, start.id, directoryId, groupId, limit, start.skip))
    }
  }
  const [names, display] = [
    '|| char(10) || json_group_array(page.display)',
    ', coalesce(u.display_name, g.name) as display',
  ]
  return {
    members: createMemberList<Member>(names, display, withNames, decodeMembers),
    memberIds: createMemberList<MemberId>('', '', '', decodeMemberIds),
  }
}
