import type { GroupReference } from '../../directory/group.ts'
import type { DirectoryReads } from '../../directory/store.ts'
import { groupConditions, userConditions } from '../lookup-conditions.ts'
import type { GroupRow, UserRow } from '../resource-rows.ts'
import { foundUserOf, groupColumns, groupOf, groupReferences, memberOf, userColumns, userOf } from '../resource-rows.ts'
import type { Database } from './database.ts'
import { count, find, foundGroups, foundUsers } from './lookups.ts'
import { listed, listPart, memberPages, resourcePages } from './pages.ts'
import { listedByName, namedPages, namePart } from './pages-by-name.ts'
import type { Reader } from './reader.ts'
import { groupsOf, singleReads } from './single-reads.ts'

const groupsOfUsers = `
  select k.id, g.groups from unnest((select $2::text[])) as k (id) cross join lateral (${groupsOf('k.id')}) g (groups)
  where g.groups is not null`

const groupById = `select ${groupColumns} from groups g where g.directory_id = $1 and g.id = $2`

const usersById = `select ${userColumns} from users u where u.directory_id = $1 and u.id = any((select $2::text[])::text[])`

const groupsById = `
  select ${groupColumns} from groups g where g.directory_id = $1 and g.id = any((select $2::text[])::text[])`

const total = `
  select coalesce(sum(resources::int4), 0) as n from list_counts where directory_id = $1 and list_name = $2`

const usersWhere = userConditions()
const groupsWhere = groupConditions()
const userPages = resourcePages('users', 'u', userColumns)
const groupPages = resourcePages('groups', 'g', groupColumns)
const usersByName = namedPages('users', 'u', userColumns)
const groupsByName = namedPages('groups', 'g', groupColumns)

/** The ids without those that PostgreSQL cannot hold. */
const possible = (ids: readonly string[]) => ids.filter((id) => !id.includes('\0'))

/** What the domain reads, on PostgreSQL: one statement each. */
export function postgresReads(database: Database, { rows, row, number }: Reader): DirectoryReads {
  const { getUser, getUserWithGroups, findUserByName, groupsOfUser } = singleReads(database)
  return {
    getUser,
    getUserWithGroups,
    async getUsers(directoryId, ids) {
      const found = (await rows({ text: usersById, values: [directoryId, possible(ids)] })) as unknown as UserRow[]
      return new Map(found.map((user) => [user.id, userOf(user)]))
    },
    countUsers: (directoryId) => number({ text: total, values: [directoryId, 'users'] }),
    listUsers: async (directoryId, part) => listed(await rows(listPart(userPages, [directoryId], part)), userOf),
    listUsersByName: async (directoryId, part) =>
      listedByName(await rows(namePart(usersByName, directoryId, part)), userOf),
    async findUsers(directoryId, equalities, part) {
      const [first, second] = equalities
      if (first?.attribute === 'userName' && second === undefined) return findUserByName(directoryId, first.value, part)
      return listed(await rows(find(foundUsers, directoryId, usersWhere(equalities), part)), foundUserOf)
    },
    countFoundUsers: (directoryId, equalities) => number(count(foundUsers, directoryId, usersWhere(equalities))),
    async groupsOfUsers(directoryId, userIds) {
      const [first, second] = userIds
      if (first !== undefined && second === undefined) {
        const groups = await groupsOfUser(directoryId, first)
        return new Map(groups.length === 0 ? [] : [[first, groups]])
      }
      const found = await rows({ text: groupsOfUsers, values: [directoryId, userIds] })
      return new Map<string, GroupReference[]>(
        found.map(({ id, groups }) => [String(id), groupReferences(String(groups))]),
      )
    },
    async getGroup(directoryId, id) {
      const found = await row({ text: groupById, values: [directoryId, id] })
      return found && groupOf(found as unknown as GroupRow)
    },
    async getGroups(directoryId, ids) {
      const found = (await rows({ text: groupsById, values: [directoryId, possible(ids)] })) as unknown as GroupRow[]
      return new Map(found.map((group) => [group.id, groupOf(group)]))
    },
    countGroups: (directoryId) => number({ text: total, values: [directoryId, 'groups'] }),
    listGroups: async (directoryId, part) => listed(await rows(listPart(groupPages, [directoryId], part)), groupOf),
    listGroupsByName: async (directoryId, part) =>
      listedByName(await rows(namePart(groupsByName, directoryId, part)), groupOf),
    findGroups: async (directoryId, equalities, part) =>
      listed(await rows(find(foundGroups, directoryId, groupsWhere(equalities), part)), groupOf),
    countFoundGroups: (directoryId, equalities) => number(count(foundGroups, directoryId, groupsWhere(equalities))),
    listMembers: async (directoryId, groupId, part) =>
      listed(await rows(listPart(memberPages, [directoryId, groupId], part)), memberOf),
  }
}
