import type { DatabaseSync } from 'node:sqlite'
import type { Group } from '../../../directory/group.ts'
import { removalKinds } from '../../../directory/removal-limit.ts'
import type { User } from '../../../directory/user.ts'
import { fold } from '../../../scim/fold.ts'
import { decodeDeletedUser, deletedUserColumns } from '../../deleted-users.ts'
import { decodeGroup, decodeMemberType, groupColumns } from '../../groups.ts'
import type { EvaluatedUser } from '../../mapped-users.ts'
import { decodeEvaluatedUser, decodeMappedState, decodeRoleCounts, roleCountsRead } from '../../mapped-users.ts'
import { everyGroup, groupsOf } from '../../reads/users.ts'
import { decodeRemovedUserRow, decodeWindow, removedUserRowColumns, windowsRead } from '../../removals.ts'
import { integer, oneOf, text } from '../../row.ts'
import { decodeUser, userColumns } from '../../users.ts'
import type {
  ChangeToRead,
  EndedMembership,
  EvaluationFacts,
  EvaluationRequest,
  Facts,
  FactsRequest,
  GroupFacts,
  NamedUser,
  PresentMember,
} from '../../write/facts.ts'
import { decodeGroupState, decodeLeaving, maxLeaving, membershipKey } from '../../write/facts.ts'
import type { DirectoryState } from '../events.ts'
import { createUserPages } from '../mapped-users.ts'
import { createResyncPages } from '../resync.ts'
import type { RunStatement } from '../sql-database.ts'
import { dialect, isVisible, sqliteText } from '../sql-database.ts'

const groupsColumn = `(${groupsOf(dialect, 'u.id', everyGroup)}) as groups`

/** Reads facts in the transaction of the caller. */
export type ReadFacts = (directory: DirectoryState, request: FactsRequest) => Facts

export function createReadFacts(db: DatabaseSync, run: RunStatement): ReadFacts {
  const state = (groups: string) =>
    db.prepare(
      sqliteText(
        `select u.id, u.version, u.sequence, u.mapped, ${groups} from users u where u.directory_id = $1 and u.id = $2`,
      ),
    )
  const [user, userWithGroups] = [state('null as groups'), state(groupsColumn)]
  const holder = db.prepare('select id from users where directory_id = ? and user_name_folded = ?')
  // Without the name of the index, SQLite would walk through the removed users of the directory.
  const removed = db.prepare(`
    select ${removedUserRowColumns} from removed_users r where r.directory_id = ?1 and r.user_id = ?2
    union all select ${removedUserRowColumns} from removed_users r indexed by removed_users_by_name
    where r.directory_id = ?1 and r.user_name_folded = ?3 and r.user_id <> ?2`)
  const readReturning = createReturning(db)
  const groupState = db.prepare(`
    select g.id, g.version, g.sequence, (
      select coalesce(sum(c.resources), 0) from list_counts c where c.directory_id = g.directory_id and c.list_name = g.id
    ) as members from groups g where g.directory_id = ? and g.id = ?`)
  const leaving = db.prepare(`
    select m.group_id, m.member_id, m.sequence, g.version from members m indexed by members_by_member
    join groups g on g.directory_id = m.directory_id and g.id = m.group_id
    where m.directory_id = ? and m.member_id = ? limit ${maxLeaving + 1}`)
  const readWindows = (directoryId: string): Facts['windows'] =>
    new Map(run(windowsRead(directoryId)).map((row) => [oneOf(row, 'kind', removalKinds), decodeWindow(row)] as const))
  const readGroups = createGroupFacts(db)
  const usersIn = createUsersIn(db)
  const readEvaluation = createEvaluation(db, usersIn)
  const readResyncPage = createResyncPages(db)

  return (directory, { users = [], withGroups = false, userNames = [], ...request }) => {
    const { id } = directory
    const all = (statement: typeof user, ...values: readonly string[]) => statement.all(id, ...values)
    const states = users.flatMap((userId) => all(withGroups ? userWithGroups : user, userId))
    // Without counted removals, there is nobody to look up.
    const windows = request.windows === true ? readWindows(id) : new Map()
    const mayBeRemoved = windows.has('users') ? (request.removed ?? []) : []
    const removedRows = mayBeRemoved.flatMap((one) => all(removed, one.id, fold(one.userName)))
    const groupStates = (request.groupStates ?? []).flatMap((groupId) => all(groupState, groupId))
    const { groupIds, limit } = request.firstMembers ?? { groupIds: [], limit: 0 }
    const returning = directory.userDeletedAt === undefined ? [] : (request.returning ?? [])
    return {
      state: directory,
      users: new Map(states.map((row) => [text(row, 'id'), decodeMappedState(row)])),
      userNames: new Map(userNames.flatMap((name) => all(holder, name).map((row) => [name, text(row, 'id')] as const))),
      removed: removedRows.map(decodeRemovedUserRow),
      returning: readReturning(directory, returning),
      groups: request.changes && readGroups(directory, request.changes, request.groupNames),
      evaluation: request.evaluation && readEvaluation(directory, request.evaluation),
      groupStates: new Map(groupStates.map((row) => [text(row, 'id'), decodeGroupState(row)])),
      firstMembers: groupIds.flatMap((groupId) =>
        usersIn(id, groupId, limit).map((memberId) => ({ groupId, memberId })),
      ),
      leaving: (request.leaving ?? []).flatMap((memberId) => all(leaving, memberId).map(decodeLeaving)),
      windows,
      roleCounts: request.roleCounts === true ? decodeRoleCounts(run(roleCountsRead(id))) : new Map(),
      resyncPage: request.resyncPage === undefined ? [] : readResyncPage(request.resyncPage),
      rows: (request.reads ?? []).map(run),
    }
  }
}

function createReturning(db: DatabaseSync) {
  const byId = `select ${deletedUserColumns} from deleted_users d where d.directory_id = ?1 and d.user_id = ?2`
  const last = (column: string, value: string) => `
    select * from (select ${deletedUserColumns} from deleted_users d
      where d.directory_id = ?1 and d.${column} = ${value} order by d.deleted_at desc limit 1)`
  const select = db.prepare(
    `${byId} union all ${last('external_id_digest', '?3')} union all ${last('user_name_digest', '?4')}`,
  )
  return ({ id, userDeletedAt = 0 }: DirectoryState, users: readonly NamedUser[]): Facts['returning'] =>
    new Map(
      users.flatMap(({ id: userId, recognition }) => {
        // Computing the digests takes as long as the rest of a creation.
        if (recognition === undefined || userDeletedAt < recognition.since) return []
        const { userName, externalId = null } = recognition.digests()
        return [[userId, select.all(id, userId, externalId, userName).map(decodeDeletedUser)] as const]
      }),
    )
}

/** Reads what changes of groups have to know. Changes that share a batch name different groups or members. */
function createGroupFacts(db: DatabaseSync) {
  const group = db.prepare(`select ${groupColumns} from groups g where g.directory_id = ? and g.id = ?`)
  const user = db.prepare(`select ${userColumns} from users u where u.directory_id = ? and u.id = ?`)
  const member = db.prepare(`
    select member_id, member_type, sequence from members where directory_id = ? and group_id = ? and member_id = ?`)
  const all = db.prepare('select member_id, member_type, sequence from members where directory_id = ? and group_id = ?')
  const holders = db.prepare('select id from groups where directory_id = ? and name_folded = ? limit 2')
  const ended = db.prepare(`
    select row_position from removed_memberships where directory_id = ? and group_id = ? and member_id = ?`)
  return ({ id }: DirectoryState, changes: readonly ChangeToRead[], names: readonly string[] = []): GroupFacts => {
    const facts = {
      ...{ groups: new Map<string, Group>(), positions: new Map<string, number>(), groupIds: new Set<string>() },
      ...{ present: new Map<string, Map<string, PresentMember>>(), users: new Map<string, User>() },
      ...{ holders: new Map<string, Set<string>>(), removed: new Map<string, EndedMembership>() },
    }
    const readGroup = (groupId: string): boolean => {
      const row = facts.groups.has(groupId) ? undefined : group.get(id, groupId)
      if (row !== undefined) {
        facts.groups.set(groupId, decodeGroup(row))
        facts.positions.set(groupId, integer(row, 'sequence'))
        facts.groupIds.add(groupId)
      }
      return facts.groups.has(groupId)
    }
    for (const { groupId, members, isGroupKnown = false } of changes) {
      if (!isGroupKnown) readGroup(groupId)
      const wanted = members.kind === 'replace' ? members.members : members.add
      const named = members.kind === 'replace' ? [] : [...members.add, ...members.remove]
      const rows =
        members.kind === 'replace' ? all.all(id, groupId) : named.flatMap((one) => member.all(id, groupId, one))
      const present = facts.present.get(groupId) ?? new Map<string, PresentMember>()
      for (const row of rows) {
        const found = { memberType: decodeMemberType(row), sequence: integer(row, 'sequence') }
        present.set(text(row, 'member_id'), found)
      }
      facts.present.set(groupId, present)
      const joining = [...wanted].filter((one) => !present.has(one))
      const isLeaving = (one: string) => (members.kind === 'replace' ? !wanted.has(one) : members.remove.has(one))
      const leaving = [...present.keys()].filter(isLeaving)
      for (const one of [...joining, ...leaving]) {
        const row = user.get(id, one)
        if (row !== undefined) facts.users.set(one, decodeUser(row))
      }
      for (const memberId of joining) {
        if (!facts.users.has(memberId)) readGroup(memberId)
        const row = ended.get(id, groupId, memberId)
        const end = row && { groupId, memberId, position: integer(row, 'row_position') }
        if (end !== undefined) facts.removed.set(membershipKey(groupId, memberId), end)
      }
    }
    for (const name of names) facts.holders.set(name, new Set(holders.all(id, name).map((row) => text(row, 'id'))))
    return facts
  }
}

/** Reads the first members of a group who are users. */
function createUsersIn(db: DatabaseSync) {
  const members = db.prepare(`
    select m.member_id from members m
    where m.directory_id = ? and m.group_id = ? and m.member_type = 'User' and ${isVisible} limit ?`)
  return (directoryId: string, groupId: string, limit: number): string[] =>
    members.all(directoryId, groupId, limit).map((row) => text(row, 'member_id'))
}

function createEvaluation(db: DatabaseSync, usersIn: ReturnType<typeof createUsersIn>) {
  const users = db.prepare(
    sqliteText(`
      select ${userColumns}, ${groupsColumn} from json_each($2) k
      cross join users u on u.directory_id = $1 and u.id = k.value`),
  )
  const pages = createUserPages(db)
  return ({ id }: DirectoryState, { of, limit, maxCharacters }: EvaluationRequest): EvaluationFacts => {
    if (of === 'run') return { users: pages.nextOfRun(id, limit, maxCharacters), areAll: false }
    const { userIds, groupIds } = of
    const ofGroups = groupIds.flatMap((groupId) => usersIn(id, groupId, limit + 1))
    const ids = [...new Set([...userIds, ...ofGroups])]
    if (ids.length > limit) return { users: [], areAll: false }
    const found: EvaluatedUser[] = []
    let characters = 0
    for (const row of users.iterate(id, JSON.stringify(ids))) {
      characters += text(row, 'raw').length
      if (characters > maxCharacters && found.length > 0) return { users: found, areAll: false }
      found.push(decodeEvaluatedUser(row))
    }
    return { users: found, areAll: true }
  }
}
