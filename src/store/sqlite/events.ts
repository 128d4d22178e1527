import type { DatabaseSync } from 'node:sqlite'
import type { EventStore } from '../../delivery/event-store.ts'
import { decodeEvent, decodeEventTime, firstSequenceAt, maxEventBytes, storedEventColumns } from '../events.ts'
import type { CountedState } from '../removals.ts'
import { decodeCountedState } from '../removals.ts'
import type { Row } from '../row.ts'
import { boolean, integer, optionalInteger, text } from '../row.ts'
import { isMarked } from '../streams.ts'
import { readBounded } from './bounded-rows.ts'
import type { NumberedDirectory } from './row-key.ts'
import { eventKeysAfter } from './row-key.ts'

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

/** The sequence number of a row that the next event creates, which is its place in lists. */
export function nextRowSequence({ lastSequence, discardedEvents }: DirectoryState): number {
  return lastSequence + discardedEvents + 1
}

/** Events on SQLite. */
export function sqliteEvents(db: DatabaseSync): Pick<EventStore, 'eventsAfter' | 'sequenceAt'> {
  const after = db.prepare(`
    select ${storedEventColumns} from events e
    where ${eventKeysAfter('e.row_key', '?2')} order by e.row_key limit ?3`)
  const next = db.prepare(`
    select sequence, created_at from events where ${eventKeysAfter('row_key', '?2')} order by row_key limit 1`)
  const last = db.prepare('select last_sequence from directory_state where directory_id = ?')

  return {
    async eventsAfter(directoryId, sequence, limit) {
      const rows = after.iterate(directoryId, sequence, limit)
      return readBounded(rows, maxEventBytes, (row) => text(row, 'data').length).map(decodeEvent)
    },
    async sequenceAt(directoryId, time) {
      const row = last.get(directoryId)
      return firstSequenceAt(row === undefined ? 0 : integer(row, 'last_sequence'), time, async (sequence) => {
        const event = next.get(directoryId, sequence)
        return event && decodeEventTime(event)
      })
    },
  }
}
