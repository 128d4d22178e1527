import type { CountedState } from '../removals.ts'
import { decodeCountedState } from '../removals.ts'
import type { Row } from '../row.ts'
import { boolean, integer, optionalInteger } from '../row.ts'
import { isMarked } from '../streams.ts'
import type { NumberedDirectory } from './row-key.ts'

/** A directory as a transaction that records events finds it. */
export interface DirectoryState extends NumberedDirectory, CountedState {
  /** Whether polling and retention know that it has events. */
  readonly isMarked: boolean
  /** The time of the last deletion of a user, in Unix milliseconds. */
  readonly userDeletedAt: number | undefined
}

/** The columns of a row for `decodeDirectoryState`. */
export const directoryStateColumns = `number, last_sequence, discarded_events, active_users, memberships,
  held_from, ${isMarked} as is_marked,
  last_change_at is not null as has_changed, last_user_deleted_at`

export function decodeDirectoryState(id: string, row: Row): DirectoryState {
  return {
    id,
    number: integer(row, 'number'),
    ...decodeCountedState(row),
    isMarked: boolean(row, 'is_marked'),
    userDeletedAt: optionalInteger(row, 'last_user_deleted_at'),
  }
}
