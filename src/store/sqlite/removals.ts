import type { DatabaseSync } from 'node:sqlite'
import type { RemovalLimit } from '../../directory/removal-limit.ts'
import { fold } from '../../scim/fold.ts'
import { holdStatements } from '../holds.ts'
import type { MembershipRemoval, RemovalDecision, Removals, RemovedUserRow, UserRemoval } from '../removals.ts'
import {
  decideRemovals,
  decodeRemovedUserRow,
  decodeWindow,
  deletedPerCommit,
  removedUserRowColumns,
  windowColumns,
} from '../removals.ts'
import { integer } from '../row.ts'
import type { DirectoryState } from './events.ts'
import type { RunStatement } from './sql-database.ts'

/** Removals in the transaction of their commit. */
export interface RemovalCounts {
  /** Counts removals, after their events; begins a hold when they exceed the limit. */
  count(directory: DirectoryState, limit: RemovalLimit | null, removals: Removals): void
  /** Whether the directory is held because of removals of a kind. */
  isHeld(directory: DirectoryState, kind: Removals['kind']): boolean
  /** The rows of removed users with an id or a userName. */
  removedUsers(directoryId: string, user: { readonly id: string; readonly userName: string }): RemovedUserRow[]
  /** Keeps ended memberships, of a change that is counted later. */
  keepMemberships(directory: DirectoryState, memberships: readonly MembershipRemoval[]): void
  /** Forgets ended memberships of users who join the group again; returns their positions. */
  takeMemberships(directoryId: string, groupId: string, memberIds: Iterable<string>): number[]
}

export function createRemovalCounts(db: DatabaseSync, run: RunStatement): RemovalCounts {
  const window = db.prepare(`select ${windowColumns} from removal_windows where directory_id = ? and kind = ?`)
  const saveWindow = db.prepare(`
    insert into removal_windows (directory_id, kind, buckets, held) values (?, ?, ?, ?)
    on conflict (directory_id, kind) do update set buckets = excluded.buckets, held = excluded.held`)
  // Without the name of the index, SQLite would walk through the removed users of the directory.
  const removedUsers = db.prepare(`
    select ${removedUserRowColumns} from removed_users r where r.directory_id = ?1 and r.user_id = ?2
    union all select ${removedUserRowColumns} from removed_users r indexed by removed_users_by_name
    where r.directory_id = ?1 and r.user_name_folded = ?3 and r.user_id <> ?2`)
  const memberships = createMemberships(db)
  const users = createUsers(db)

  return {
    isHeld: ({ id, heldFrom }, kind) => heldFrom !== undefined && decodeWindow(window.get(id, kind)).isHeld,
    removedUsers: (directoryId, { id, userName }) =>
      removedUsers.all(directoryId, id, fold(userName)).map(decodeRemovedUserRow),
    ...memberships,
    count(directory, limit, removals) {
      const { id } = directory
      const { kind, runs } = removals
      const decision = decideRemovals(removals, directory, limit, decodeWindow(window.get(id, kind)))
      if (decision === undefined) return
      saveWindow.run(id, kind, decision.buckets, Number(decision.isHeld))
      if (!decision.isCounted)
        users.forget(
          id,
          runs.flatMap(({ undone = [] }) => undone),
        )
      else {
        users.keep(directory, removals.users, removals.at)
        users.bringBack(id, removals, decision)
        memberships.keepMemberships(directory, removals.memberships)
      }
      if (decision.keepFrom !== undefined) {
        if (removals.users.length > 0) users.forgetBefore(id, decision.keepFrom, removals.users.length)
        if (removals.memberships.length > 0) {
          memberships.forgetBefore(id, decision.keepFrom, removals.memberships.length)
        }
      }
      holdStatements(id, kind, decision).forEach(run)
    },
  }
}

function createUsers(db: DatabaseSync) {
  const add = db.prepare(`
    insert into removed_users (directory_id, row_position, removed_at, user_id, user_name_folded, email)
    values (?, ?, ?, ?, ?, ?)
    on conflict (directory_id, user_id) do update set row_position = excluded.row_position, email = excluded.email,
      removed_at = excluded.removed_at, user_name_folded = excluded.user_name_folded, returned_at = null`)
  const remove = db.prepare('delete from removed_users where directory_id = ? and row_position = ?')
  const markReturned = db.prepare(
    'update removed_users set returned_at = ? where directory_id = ? and row_position = ?',
  )
  const forgetBefore = createForgetBefore(db, 'removed_users')
  const forget = (directoryId: string, positions: readonly number[]): void => {
    for (const position of positions) remove.run(directoryId, position)
  }
  return {
    keep({ id, discardedEvents }: DirectoryState, users: readonly UserRemoval[], at: number): void {
      for (const { sequence, user } of users) {
        add.run(id, sequence + discardedEvents, at, user.id, fold(user.userName), user.email)
      }
    },
    /** While the directory is held because of them, its users are listed with the time when they came back. */
    bringBack(directoryId: string, { returned, at }: Removals, { keepFrom }: RemovalDecision): void {
      if (keepFrom !== undefined) forget(directoryId, returned)
      else for (const position of returned) markReturned.run(at, directoryId, position)
    },
    forget,
    forgetBefore,
  }
}

function createMemberships(db: DatabaseSync) {
  const add = db.prepare(`
    insert into removed_memberships (directory_id, row_position, group_id, member_id) values (?, ?, ?, ?)
    on conflict (directory_id, group_id, member_id) do update set row_position = excluded.row_position`)
  const take = db.prepare(`
    delete from removed_memberships where directory_id = ? and group_id = ? and member_id = ?
    returning row_position as row_position`)
  return {
    keepMemberships({ id, discardedEvents }: DirectoryState, memberships: readonly MembershipRemoval[]): void {
      for (const { sequence, groupId, memberId } of memberships) {
        add.run(id, sequence + discardedEvents, groupId, memberId)
      }
    },
    takeMemberships(directoryId: string, groupId: string, memberIds: Iterable<string>): number[] {
      const positions: number[] = []
      for (const memberId of memberIds) {
        const row = take.get(directoryId, groupId, memberId)
        if (row !== undefined) positions.push(integer(row, 'row_position'))
      }
      return positions
    },
    forgetBefore: createForgetBefore(db, 'removed_memberships'),
  }
}

/** Deletes some of the removals that do not count any longer. */
function createForgetBefore(db: DatabaseSync, table: 'removed_users' | 'removed_memberships') {
  const remove = db.prepare(`
    delete from ${table} where directory_id = ?1 and row_position < coalesce((
      select row_position from ${table} where directory_id = ?1 and row_position < ?2
      order by row_position limit 1 offset ?3), ?2)`)
  return (directoryId: string, position: number, added: number): void => {
    remove.run(directoryId, position, deletedPerCommit(added))
  }
}
