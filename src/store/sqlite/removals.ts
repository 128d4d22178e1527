import type { DatabaseSync } from 'node:sqlite'
import type { RemovalLimit } from '../../directory/removal-limit.ts'
import { countStatements } from '../holds.ts'
import type { MembershipRemoval, Removals } from '../removals.ts'
import { decideRemovals, decodeWindow, deletedPerCommit, windowColumns } from '../removals.ts'
import { integer } from '../row.ts'
import type { DirectoryState } from './events.ts'
import type { RunStatement } from './sql-database.ts'

/** Removals in the transaction of their commit. */
export interface RemovalCounts {
  /** Counts removals, after their events; begins a hold when they exceed the limit. */
  count(directory: DirectoryState, limit: RemovalLimit | null, removals: Removals): void
  /** Whether the directory is held because of removals of a kind. */
  isHeld(directory: DirectoryState, kind: Removals['kind']): boolean
  /** Keeps ended memberships, of a change that is counted later. */
  keepMemberships(directory: DirectoryState, memberships: readonly MembershipRemoval[]): void
  /** Forgets ended memberships of users who join the group again; returns their positions. */
  takeMemberships(directoryId: string, groupId: string, memberIds: Iterable<string>): number[]
}

export function createRemovalCounts(db: DatabaseSync, run: RunStatement): RemovalCounts {
  const window = db.prepare(`select ${windowColumns} from removal_windows where directory_id = ? and kind = ?`)
  const memberships = createMemberships(db)

  return {
    isHeld: ({ id, heldFrom }, kind) => heldFrom !== undefined && decodeWindow(window.get(id, kind)).isHeld,
    ...memberships,
    count(directory, limit, removals) {
      const { id } = directory
      const { kind } = removals
      const decision = decideRemovals(removals, directory, limit, decodeWindow(window.get(id, kind)))
      if (decision === undefined) return
      if (decision.isCounted) memberships.keepMemberships(directory, removals.memberships)
      if (decision.keepFrom !== undefined && removals.memberships.length > 0)
        memberships.forgetBefore(id, decision.keepFrom, removals.memberships.length)
      countStatements(id, kind, decision).forEach(run)
    },
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
    forgetBefore: createForgetBefore(db),
  }
}

/** Deletes some of the removals that do not count any longer. */
function createForgetBefore(db: DatabaseSync) {
  const remove = db.prepare(`
    delete from removed_memberships where directory_id = ?1 and row_position < coalesce((
      select row_position from removed_memberships where directory_id = ?1 and row_position < ?2
      order by row_position limit 1 offset ?3), ?2)`)
  return (directoryId: string, position: number, added: number): void => {
    remove.run(directoryId, position, deletedPerCommit(added))
  }
}
