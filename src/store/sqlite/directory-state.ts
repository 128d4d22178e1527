import { StoreUnavailable } from '../errors.ts'
import type { CountedState } from '../removals.ts'
import { decodeCountedState } from '../removals.ts'
import type { Row } from '../row.ts'
import { boolean, integer, optionalInteger } from '../row.ts'
import { sequenceBits } from '../search-terms.ts'
import { isMarked } from '../streams.ts'

/** A directory as a transaction that records events finds it. */
export interface DirectoryState extends CountedState {
  readonly id: string
  /** The number that its row keys begin with. */
  readonly number: number
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

/** The numbers up to which row keys are exact: 2²⁰ directories, and 2³³ events in each. */
const maxDirectoryNumber = 2 ** (53 - sequenceBits) - 1
const maxSequence = 2 ** sequenceBits - 1

/** @throws StoreUnavailable for numbers that have no row key: two rows would get the same one */
export function rowKey(directoryNumber: number, sequence: number): number {
  if (directoryNumber > maxDirectoryNumber) throw tooMany(`This database has numbered ${directoryNumber} directories`)
  if (sequence > maxSequence) throw tooMany(`This directory has had ${sequence} events`)
  return directoryNumber * 2 ** sequenceBits + sequence
}

function tooMany(what: string): StoreUnavailable {
  return new StoreUnavailable(`${what}, more than SQLite can store: move to PostgreSQL.`)
}
