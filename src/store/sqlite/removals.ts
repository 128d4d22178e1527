import type { DatabaseSync } from 'node:sqlite'
import type { RemovalLimit } from '../../directory/removal-limit.ts'
import { fold } from '../../scim/fold.ts'
import type { RemovalDecision, Removals, UserRemoval } from '../removals.ts'
import { decideRemovals, decodeWindow, holdValueColumns, holdValues } from '../removals.ts'
import type { DirectoryState } from './events.ts'

/** Counts removals in the transaction of their commit, after their events; begins a hold when they exceed the limit. */
export type CountRemovals = (directory: DirectoryState, limit: RemovalLimit | null, removals: Removals) => void

/** How many removed users that are older than the window a commit deletes. */
const deletedPerCommit = 200

export function createCountRemovals(db: DatabaseSync): CountRemovals {
  const window = db.prepare('select buckets from removal_windows where directory_id = ? and kind = ?')
  const saveWindow = db.prepare(`
    insert into removal_windows (directory_id, kind, buckets) values (?, ?, ?)
    on conflict (directory_id, kind) do update set buckets = excluded.buckets`)
  const keepUsers = createKeepUsers(db)
  const hold = createHolding(db)

  return (directory, limit, removals) => {
    const { id } = directory
    const { kind, users } = removals
    const decision = decideRemovals(removals, directory, limit, decodeWindow(window.get(id, kind)))
    if (decision === undefined) return
    saveWindow.run(id, kind, decision.buckets)
    keepUsers(directory, users, removals.at, decision.keepUsersFrom)
    hold(directory, decision)
  }
}

function createKeepUsers(db: DatabaseSync) {
  const add = db.prepare(`
    insert into removed_users (directory_id, removed_at, row_position, user_id, user_name_folded, email)
    values (?, ?, ?, ?, ?, ?)`)
  const deleteOld = db.prepare(`
    delete from removed_users where (directory_id, removed_at, row_position) in (
      select directory_id, removed_at, row_position from removed_users
      where directory_id = ? and removed_at < ? order by removed_at, row_position limit ${deletedPerCommit})`)
  return (
    { id, discardedEvents }: DirectoryState,
    users: readonly UserRemoval[],
    at: number,
    keepFrom: number | undefined,
  ): void => {
    for (const { sequence, user } of users) {
      add.run(id, at, sequence + discardedEvents, user.id, fold(user.userName), user.email)
    }
    if (keepFrom !== undefined && users.length > 0) deleteOld.run(id, keepFrom)
  }
}

function createHolding(db: DatabaseSync) {
  const begin = db.prepare(`insert into holds (${holdValueColumns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const mark = db.prepare('update directory_state set held_from = ? where directory_id = ?')
  const more = db.prepare('update holds set removals = removals + ? where directory_id = ?')
  return ({ id }: DirectoryState, { hold, heldRemovals }: RemovalDecision): void => {
    if (hold !== undefined) {
      begin.run(...holdValues({ directoryId: id, ...hold }))
      mark.run(hold.firstSequence, id)
    } else if (heldRemovals > 0) more.run(heldRemovals, id)
  }
}
