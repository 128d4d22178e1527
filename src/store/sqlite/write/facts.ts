import type { DatabaseSync } from 'node:sqlite'
import { removalKinds } from '../../../directory/removal-limit.ts'
import { fold } from '../../../scim/fold.ts'
import { decodeDeletedUser, deletedUserColumns } from '../../deleted-users.ts'
import { decodeMappedState, decodeRoleCounts, roleCountsRead } from '../../mapped-users.ts'
import { decodeRemovedUserRow, decodeWindow, removedUserRowColumns, windowColumns } from '../../removals.ts'
import { integer, oneOf, text } from '../../row.ts'
import type { EndingMembership, Facts, FactsRequest, NamedUser } from '../../write/facts.ts'
import { maxLeaving } from '../../write/facts.ts'
import type { DirectoryState } from '../events.ts'
import type { RunStatement } from '../sql-database.ts'
import { userGroups } from '../user-reads.ts'

/** Reads facts in the transaction of the caller. */
export type ReadFacts = (directory: DirectoryState, request: FactsRequest) => Facts

export function createReadFacts(db: DatabaseSync, run: RunStatement): ReadFacts {
  const state = (groups: string) =>
    db.prepare(
      `select u.id, u.version, u.sequence, u.mapped, ${groups} from users u where u.directory_id = ? and u.id = ?`,
    )
  const [user, userWithGroups] = [state('null as groups'), state(userGroups(1_000_000_000))]
  const holder = db.prepare('select id from users where directory_id = ? and user_name_folded = ?')
  // Without the name of the index, SQLite would walk through the removed users of the directory.
  const removed = db.prepare(`
    select ${removedUserRowColumns} from removed_users r where r.directory_id = ?1 and r.user_id = ?2
    union all select ${removedUserRowColumns} from removed_users r indexed by removed_users_by_name
    where r.directory_id = ?1 and r.user_name_folded = ?3 and r.user_id <> ?2`)
  const readReturning = createReturning(db)
  const leaving = db.prepare(`
    select m.group_id, m.member_id, m.sequence, g.version from members m indexed by members_by_member
    join groups g on g.directory_id = m.directory_id and g.id = m.group_id
    where m.directory_id = ? and m.member_id = ? limit ${maxLeaving + 1}`)
  const windows = db.prepare(`select ${windowColumns} from removal_windows where directory_id = ?`)

  return (directory, { users = [], withGroups = false, userNames = [], ...request }) => {
    const { id } = directory
    const all = (statement: typeof user, ...values: readonly string[]) => statement.all(id, ...values)
    const states = users.flatMap((userId) => all(withGroups ? userWithGroups : user, userId))
    const removedRows = (request.removed ?? []).flatMap((one) => all(removed, one.id, fold(one.userName)))
    const returning = directory.userDeletedAt === undefined ? [] : (request.returning ?? [])
    return {
      state: directory,
      users: new Map(states.map((row) => [text(row, 'id'), decodeMappedState(row)])),
      userNames: new Map(userNames.flatMap((name) => all(holder, name).map((row) => [name, text(row, 'id')] as const))),
      removed: removedRows.map(decodeRemovedUserRow),
      returning: readReturning(directory, returning),
      leaving: (request.leaving ?? []).flatMap((memberId) => all(leaving, memberId).map(decodeLeaving)),
      windows: new Map(
        request.windows === true
          ? windows.all(id).map((row) => [oneOf(row, 'kind', removalKinds), decodeWindow(row)] as const)
          : [],
      ),
      roleCounts: request.roleCounts === true ? decodeRoleCounts(run(roleCountsRead(id))) : new Map(),
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

function decodeLeaving(row: Record<string, unknown>): EndingMembership {
  return {
    groupId: text(row, 'group_id'),
    memberId: text(row, 'member_id'),
    position: integer(row, 'sequence'),
    groupVersion: integer(row, 'version'),
  }
}
