import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { GroupReference } from '../../directory/group.ts'
import type { DirectoryReads, Listed, ListPart, ListPosition } from '../../directory/store.ts'
import type { Conditions } from '../find-conditions.ts'
import { groupConditions, userConditions } from '../find-conditions.ts'
import type { ListName } from '../list-buckets.ts'
import type { GroupRow, MemberRow, UserRow } from '../resource-rows.ts'
import { groupColumns, groupOf, groupReferences, memberOf, userColumns, userOf } from '../resource-rows.ts'
import type { ListCounts } from './list-counts.ts'

interface Row {
  readonly id: string
  readonly sequence: number
}

const maxLookUps = 100

const userGroups = `(select json_group_array(json_object('id', g.id, 'name', g.name))
  from members m join groups g on g.directory_id = m.directory_id and g.id = m.group_id
  where m.directory_id = u.directory_id and m.member_id = u.id) as groups`

/** What the domain reads, on SQLite. */
export function sqliteReads(db: DatabaseSync, counts: ListCounts): DirectoryReads {
  const userById = db.prepare(`select ${userColumns} from users u where u.directory_id = ? and u.id = ?`)
  const userWithGroups = db.prepare(
    `select ${userColumns}, ${userGroups} from users u where u.directory_id = ? and u.id = ?`,
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
  const groupsOf = db.prepare(`
    select u.value as userId, json_group_array(json_object('id', g.id, 'name', g.name)) as groups
    from json_each(:userIds) u
    cross join members m indexed by members_by_member on m.directory_id = :directoryId and m.member_id = u.value
    cross join groups g on g.directory_id = m.directory_id and g.id = m.group_id
    group by u.value`)

  /** Look-ups by the attributes they use; the first that come up are kept prepared. */
  const lookUps = new Map<string, StatementSync>()
  function lookUp(sql: string): StatementSync {
    const statement = lookUps.get(sql) ?? db.prepare(sql)
    if (lookUps.size < maxLookUps) lookUps.set(sql, statement)
    return statement
  }

  const listed = <R extends Row, T>(rows: unknown[], from: (row: R) => T): Listed<T>[] =>
    (rows as R[]).map((row) => ({ position: { sequence: row.sequence, id: row.id }, item: from(row) }))

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
    return listed(statement.all(directoryId, ...more, sequence, id, limit, skip), itemOf)
  }

  function found<R extends Row, T>(
    select: string,
    alias: 'u' | 'g',
    directoryId: string,
    { sql, values, reach }: Conditions,
    { from, limit }: ListPart,
    itemOf: (row: R) => T,
  ): Listed<T>[] {
    const [{ sequence, id }, skip] = typeof from === 'number' ? [{ sequence: 0, id: '' }, from] : [from, 0]
    // With a plus, SQLite does not walk the list in its order, but finds the rows by the conditions and sorts them.
    const place = reach === 'little' ? `${alias}.sequence` : `+${alias}.sequence`
    const order = `order by ${place}, ${alias}.id limit ? offset ?`
    const after = `(${place}, ${alias}.id) > (?, ?)`
    const statement = lookUp(`${select} where ${alias}.directory_id = ?${sql} and ${after} ${order}`)
    return listed(statement.all(directoryId, ...values, sequence, id, limit, skip), itemOf)
  }

  const total = (table: 'users u' | 'groups g', directoryId: string, { sql, values }: Conditions): number => {
    const alias = table === 'users u' ? 'u' : 'g'
    const statement = lookUp(`select count(*) as n from ${table} where ${alias}.directory_id = ?${sql}`)
    return Number(statement.get(directoryId, ...values)?.['n'])
  }

  return {
    async getUser(directoryId, id) {
      const row = userById.get(directoryId, id)
      return row === undefined ? undefined : userOf(row as unknown as UserRow)
    },
    async getUserWithGroups(directoryId, id) {
      const row = userWithGroups.get(directoryId, id) as unknown as (UserRow & { groups: string | null }) | undefined
      return row === undefined ? undefined : { user: userOf(row), groups: groupReferences(row.groups) }
    },
    countUsers: async (directoryId) => counts.total(directoryId, 'users'),
    listUsers: async (directoryId, part) =>
      page<UserRow, ReturnType<typeof userOf>>(usersInOrder, [directoryId], 'users', part, userOf),
    findUsers: async (directoryId, equalities, part) =>
      found(`select ${userColumns} from users u`, 'u', directoryId, userConditions(equalities), part, userOf),
    countFoundUsers: async (directoryId, equalities) => total('users u', directoryId, userConditions(equalities)),
    async groupsOfUsers(directoryId, userIds) {
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
    findGroups: async (directoryId, equalities, part) =>
      found(`select ${groupColumns} from groups g`, 'g', directoryId, groupConditions(equalities), part, groupOf),
    countFoundGroups: async (directoryId, equalities) => total('groups g', directoryId, groupConditions(equalities)),
    listMembers: async (directoryId, groupId, part) =>
      page<MemberRow, ReturnType<typeof memberOf>>(membersInOrder, [directoryId, groupId], groupId, part, memberOf),
  }
}
