import type { DatabaseSync } from 'node:sqlite'
import type { EventStore } from '../../delivery/store.ts'
import type { Cause, EventDraft, StoredEvent } from '../../directory/event.ts'
import {
  decodeEvent,
  decodeEventTime,
  firstSequenceAt,
  maxEventBytes,
  numberEvents,
  storedEventColumns,
} from '../events.ts'
import type { Row } from '../row.ts'
import { boolean, integer, text } from '../row.ts'
import { isMarked, marksWork } from '../streams.ts'
import { readBounded } from './bounded-rows.ts'
import type { NumberedDirectory } from './row-key.ts'
import { eventKeysAfter, rowKey } from './row-key.ts'

/** A directory as a transaction that records events finds it. */
export interface DirectoryState extends NumberedDirectory {
  /** The sequence number of its last event. */
  readonly lastSequence: number
  /** Whether polling and retention know that it has events. */
  readonly isMarked: boolean
}

/** The columns of a row for `decodeDirectoryState`. */
export const directoryStateColumns = `number, last_sequence, ${isMarked} as is_marked`

export function decodeDirectoryState(id: string, row: Row): DirectoryState {
  return {
    id,
    number: integer(row, 'number'),
    lastSequence: integer(row, 'last_sequence'),
    isMarked: boolean(row, 'is_marked'),
  }
}

/** Records events in the transaction of their change, and returns them with their ids and sequence numbers. */
export type RecordEvents = (directory: DirectoryState, drafts: readonly EventDraft[], cause: Cause) => StoredEvent[]

/** Stores numbered events. */
export type InsertEvents = (directory: NumberedDirectory, events: readonly StoredEvent[]) => void

export function createInsertEvents(db: DatabaseSync): InsertEvents {
  const insert = db.prepare(`
    insert into events (row_key, directory_id, sequence, id, event_type, created_at, request_id, data, changes)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  return ({ id: directoryId, number }, events) => {
    for (const { sequence, id, eventType, createdAt, requestId, data, changes = null } of events) {
      insert.run(rowKey(number, sequence), directoryId, sequence, id, eventType, createdAt, requestId, data, changes)
    }
  }
}

export function createRecordEvents(db: DatabaseSync): RecordEvents {
  const insertEvents = createInsertEvents(db)
  const advance = db.prepare('update directory_state set last_sequence = ? where directory_id = ?')
  // It writes to the indexes of the columns even if they stay the same.
  const advanceAndMark = db.prepare(`update directory_state set last_sequence = ?, ${marksWork} where directory_id = ?`)
  return (directory, drafts, cause) => {
    const events = numberEvents(drafts, directory.lastSequence, cause)
    if (events.length === 0) return events
    insertEvents(directory, events)
    const update = directory.isMarked ? advance : advanceAndMark
    update.run(directory.lastSequence + events.length, directory.id)
    return events
  }
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
