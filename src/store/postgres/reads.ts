import type { GroupReference } from '../../directory/group.ts'
import type { DirectoryReads } from '../../directory/store.ts'
import { groupConditions, userConditions } from '../find-conditions.ts'
import type { GroupRow, UserRow } from '../resource-rows.ts'
import { groupColumns, groupOf, groupReferences, memberOf, userColumns, userOf } from '../resource-rows.ts'
import { count, find, foundGroups, foundUsers } from './find.ts'
import { listed, listPart, memberPages, resourcePages } from './pages.ts'
import type { Reader } from './read.ts'

const userById = `select ${userColumns} from users u where u.directory_id = $1 and u.id = $2`

const userWithGroups = `
  select ${userColumns}, (
    select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.id)::text
    from members m join groups g on g.directory_id = m.directory_id and g.id = m.group_id
    where m.directory_id = u.directory_id and m.member_id = u.id) as groups
  from users u where u.directory_id = $1 and u.id = $2`

const groupsOfUsers = `
  select m.member_id, json_agg(json_build_object('id', g.id, 'name', g.name) order by g.id)::text as groups
  from members m join groups g on g.directory_id = m.directory_id and g.id = m.group_id
  where m.directory_id = $1 and m.member_id = any($2)
  group by m.member_id`

const groupById = `select ${groupColumns} from groups g where g.directory_id = $1 and g.id = $2`

const total = `
  select coalesce(sum(resources), 0)::int8 as n from list_counts where directory_id = $1 and list_name = $2`

const userPages = resourcePages('users', 'u', userColumns)
const groupPages = resourcePages('groups', 'g', groupColumns)

/** What the domain reads, on PostgreSQL: one statement each. */
export function postgresReads({ rows, row, number }: Reader): DirectoryReads {
  return {
    async getUser(directoryId, id) {
      const found = await row({ text: userById, values: [directoryId, id] })
      return found && userOf(found as unknown as UserRow)
    },
    async getUserWithGroups(directoryId, id) {
      const found = await row({ text: userWithGroups, values: [directoryId, id] })
      if (found === undefined) return undefined
      const { groups, ...user } = found as unknown as UserRow & { readonly groups: string | null }
      return { user: userOf(user), groups: groupReferences(groups) }
    },
    countUsers: (directoryId) => number({ text: total, values: [directoryId, 'users'] }),
    listUsers: async (directoryId, part) => listed(await rows(listPart(userPages, [directoryId], part)), userOf),
    findUsers: async (directoryId, equalities, part) =>
      listed(await rows(find(foundUsers, directoryId, userConditions(equalities), part)), userOf),
    countFoundUsers: (directoryId, equalities) => number(count(foundUsers, directoryId, userConditions(equalities))),
    async groupsOfUsers(directoryId, userIds) {
      const found = await rows({ text: groupsOfUsers, values: [directoryId, userIds] })
      return new Map<string, GroupReference[]>(
        found.map(({ member_id, groups }) => [String(member_id), groupReferences(String(groups))]),
      )
    },
    async getGroup(directoryId, id) {
      const found = await row({ text: groupById, values: [directoryId, id] })
      return found && groupOf(found as unknown as GroupRow)
    },
    countGroups: (directoryId) => number({ text: total, values: [directoryId, 'groups'] }),
    listGroups: async (directoryId, part) => listed(await rows(listPart(groupPages, [directoryId], part)), groupOf),
    findGroups: async (directoryId, equalities, part) =>
      listed(await rows(find(foundGroups, directoryId, groupConditions(equalities), part)), groupOf),
    countFoundGroups: (directoryId, equalities) => number(count(foundGroups, directoryId, groupConditions(equalities))),
    listMembers: async (directoryId, groupId, part) =>
      listed(await rows(listPart(memberPages, [directoryId, groupId], part)), memberOf),
  }
}
